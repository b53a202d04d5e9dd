package import Ports

/// The origin of a segment's date (HLS-12).
package enum DateSource: String, Hashable, Sendable {
    /// Its own EXT-X-PROGRAM-DATE-TIME.
    case explicit
    /// The date of the previous segment plus its duration.
    case forward
    /// The date of the next segment minus the own duration: the segment precedes the first dated one.
    case backward
}

/// A range of bytes within a resource (rfc8216bis-22 section 4.4.4.2).
package struct ByteRange: Hashable, Sendable {
    package var length: Int
    package var offset: Int

    package init(length: Int, offset: Int) {
        self.length = length
        self.offset = offset
    }

    /// Position after the last byte; saturates.
    package var end: Int { offset.addingSaturating(length) }
}

/// EXT-X-MAP: the initialization section of a segment (rfc8216bis-22 section 4.4.4.5).
package struct MediaInitialization: Hashable, Sendable {
    /// Resolved against the URI of the playlist.
    package var uri: String
    package var byteRange: ByteRange?

    package init(uri: String, byteRange: ByteRange? = nil) {
        self.uri = uri
        self.byteRange = byteRange
    }
}

/// EXT-X-KEY or EXT-X-SESSION-KEY with a METHOD other than NONE (rfc8216bis-22 section 4.4.4.4).
package struct EncryptionKey: Hashable, Sendable {
    /// METHOD as written: `AES-128`, `SAMPLE-AES`, `SAMPLE-AES-CTR` or `AES-256-GCM`.
    package var method: String
    /// Resolved against the URI of the playlist.
    package var uri: String?
    /// IV: the hexadecimal text as written, with its 0x.
    package var initializationVector: String?
    /// KEYFORMAT; `identity` when absent.
    package var keyFormat: String
    /// KEYFORMATVERSIONS as written.
    package var keyFormatVersions: String?

    package init(
        method: String, uri: String?, initializationVector: String? = nil, keyFormat: String = "identity",
        keyFormatVersions: String? = nil
    ) {
        self.method = method
        self.uri = uri
        self.initializationVector = initializationVector
        self.keyFormat = keyFormat
        self.keyFormatVersions = keyFormatVersions
    }
}

/// EXT-X-PART (rfc8216bis-22 section 4.4.4.9).
package struct PartialSegment: Hashable, Sendable {
    /// Media sequence number of the parent segment; parts after the last segment have the next number.
    package var sequence: Int
    /// Index within the parent, from 0.
    package var index: Int
    /// Resolved against the URI of the playlist.
    package var uri: String
    package var duration: Duration
    /// Whether it starts with an independent frame.
    package var isIndependent: Bool
    /// Whether it must not be loaded.
    package var isGap: Bool
    package var byteRange: ByteRange?

    package init(
        sequence: Int, index: Int, uri: String, duration: Duration, isIndependent: Bool = false, isGap: Bool = false,
        byteRange: ByteRange? = nil
    ) {
        self.sequence = sequence
        self.index = index
        self.uri = uri
        self.duration = duration
        self.isIndependent = isIndependent
        self.isGap = isGap
        self.byteRange = byteRange
    }
}

/// One listed media segment with all tags that apply to it (rfc8216bis-22 section 4.4.4).
package struct MediaSegment: Hashable, Sendable {
    /// Media sequence number, with the skipped segments of a delta update counted (rfc8216bis-22 section 4.4.3.2).
    package var sequence: Int
    /// EXT-X-DISCONTINUITY-SEQUENCE plus the DISCONTINUITY tags up to this segment.
    package var discontinuitySequence: Int
    /// Resolved against `base`.
    package var uri: String
    /// URI of the playlist that listed it; empty if none did. A delta update leaves segments in place that another server of the
    /// stream may have listed.
    package var base: String
    /// EXTINF, exact to 18 decimal digits; the target duration when EXTINF is unreadable.
    package var duration: Duration
    /// Offset from the start of the first listed segment: the exact sum of the durations before it.
    package var start: Duration
    /// The text after the comma of EXTINF as written, without blanks at its end; nil when empty.
    package var title: String?
    /// Date of its first frame; nil in a playlist without dates.
    package var date: UnixTime?
    /// Nil exactly when `date` is.
    package var dateSource: DateSource?
    /// Whether EXT-X-DISCONTINUITY precedes it.
    package var isDiscontinuity: Bool
    /// Whether it must not be loaded.
    package var isGap: Bool
    package var byteRange: ByteRange?
    /// The EXT-X-MAP in effect.
    package var map: MediaInitialization?
    /// All keys in effect, one per KEYFORMAT.
    package var keys: [EncryptionKey]
    /// EXT-X-BITRATE in kbit/s; nil when a byte range applies.
    package var bitrate: Int?
    /// Its parts; empty when they are no longer listed.
    package var parts: [PartialSegment]
    /// 1-based line of the URI in the text it was read from.
    package var line: Int

    package init(
        sequence: Int, discontinuitySequence: Int = 0, uri: String, base: String = "", duration: Duration,
        start: Duration = .zero, title: String? = nil, date: UnixTime? = nil, dateSource: DateSource? = nil,
        isDiscontinuity: Bool = false, isGap: Bool = false, byteRange: ByteRange? = nil,
        map: MediaInitialization? = nil, keys: [EncryptionKey] = [], bitrate: Int? = nil, parts: [PartialSegment] = [],
        line: Int = 0
    ) {
        self.sequence = sequence
        self.discontinuitySequence = discontinuitySequence
        self.uri = uri
        self.base = base
        self.duration = duration
        self.start = start
        self.title = title
        self.date = date
        self.dateSource = dateSource
        self.isDiscontinuity = isDiscontinuity
        self.isGap = isGap
        self.byteRange = byteRange
        self.map = map
        self.keys = keys
        self.bitrate = bitrate
        self.parts = parts
        self.line = line
    }

    /// Offset of its end from the start of the first listed segment.
    package var end: Duration { start + duration }
}
