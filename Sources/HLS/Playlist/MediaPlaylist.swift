/// EXT-X-PLAYLIST-TYPE (rfc8216bis-22 section 4.4.3.5).
package enum PlaylistType: String, Hashable, Sendable {
    case event = "EVENT"
    case vod = "VOD"
}

/// EXT-X-START (rfc8216bis-22 section 4.4.2.2).
package struct StartPoint: Hashable, Sendable {
    /// From the playlist start, or from the end of the last segment when negative.
    package var timeOffset: Duration
    /// PRECISE=YES: do not show what lies before.
    package var isPrecise: Bool

    package init(timeOffset: Duration, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }
}

/// EXT-X-SERVER-CONTROL (rfc8216bis-22 section 4.4.3.8).
package struct ServerControl: Hashable, Sendable {
    /// The skip boundary: delta updates may leave out what is further than this from the end.
    package var canSkipUntil: Duration?
    /// CAN-SKIP-DATERANGES: delta updates may leave out date ranges.
    package var canSkipDateRanges: Bool
    /// HOLD-BACK: distance to keep from the end.
    package var holdBack: Duration?
    /// PART-HOLD-BACK: the same in low-latency mode.
    package var partHoldBack: Duration?
    /// CAN-BLOCK-RELOAD.
    package var canBlockReload: Bool

    package init(
        canSkipUntil: Duration? = nil, canSkipDateRanges: Bool = false, holdBack: Duration? = nil,
        partHoldBack: Duration? = nil, canBlockReload: Bool = false
    ) {
        self.canSkipUntil = canSkipUntil
        self.canSkipDateRanges = canSkipDateRanges
        self.holdBack = holdBack
        self.partHoldBack = partHoldBack
        self.canBlockReload = canBlockReload
    }
}

/// EXT-X-SKIP: what a delta update leaves out (rfc8216bis-22 section 4.4.5.2).
package struct SkippedSegments: Hashable, Sendable {
    /// SKIPPED-SEGMENTS.
    package var count: Int
    /// RECENTLY-REMOVED-DATERANGES: IDs of ranges that are gone.
    package var removedDateRanges: [String]
    /// So many of the first listed segments have byte ranges that continue the last skipped segment: their offsets
    /// count from its end.
    package var continuedByteRanges: Int
    /// Index of the first listed segment after a METHOD=NONE; before it, key formats not named in the delta are
    /// those of the last skipped segment.
    package var keysClearedAt: Int?

    package init(
        count: Int, removedDateRanges: [String] = [], continuedByteRanges: Int = 0, keysClearedAt: Int? = nil
    ) {
        self.count = count
        self.removedDateRanges = removedDateRanges
        self.continuedByteRanges = continuedByteRanges
        self.keysClearedAt = keysClearedAt
    }
}

/// EXT-X-PRELOAD-HINT (rfc8216bis-22 section 4.4.5.3).
package struct PreloadHint: Hashable, Sendable {
    /// TYPE; others are ignored as the draft demands.
    package enum Kind: String, Hashable, Sendable {
        case part = "PART"
        case map = "MAP"
    }

    package var kind: Kind
    /// Resolved against the URI of the playlist.
    package var uri: String
    /// BYTERANGE-START.
    package var byteRangeStart: Int
    /// Nil: to the end of the resource.
    package var byteRangeLength: Int?

    package init(kind: Kind, uri: String, byteRangeStart: Int = 0, byteRangeLength: Int? = nil) {
        self.kind = kind
        self.uri = uri
        self.byteRangeStart = byteRangeStart
        self.byteRangeLength = byteRangeLength
    }
}

/// EXT-X-RENDITION-REPORT (rfc8216bis-22 section 4.4.5.4).
package struct RenditionReport: Hashable, Sendable {
    /// Resolved against the URI of the playlist.
    package var uri: String
    /// LAST-MSN; when absent that of the containing playlist counts.
    package var lastSequence: Int?
    /// LAST-PART; likewise.
    package var lastPart: Int?

    package init(uri: String, lastSequence: Int? = nil, lastPart: Int? = nil) {
        self.uri = uri
        self.lastSequence = lastSequence
        self.lastPart = lastPart
    }
}

/// An immutable parse of one media playlist text (rfc8216bis-22 section 4.4.3), or of one text merged with its delta
/// update.
package struct MediaPlaylist: Hashable, Sendable {
    /// The base of relative URIs, after redirects.
    package var uri: String
    /// EXT-X-VERSION; nil when absent, which means 1.
    package var version: Int?
    /// EXT-X-INDEPENDENT-SEGMENTS.
    package var hasIndependentSegments = false
    package var start: StartPoint?
    /// Nil when the tag is absent or unreadable.
    package var targetDuration: Duration?
    /// EXT-X-MEDIA-SEQUENCE: the number of the first segment, skipped ones counted.
    package var mediaSequence = 0
    /// EXT-X-DISCONTINUITY-SEQUENCE; a delta update has that of the whole.
    package var discontinuitySequence = 0
    package var playlistType: PlaylistType?
    /// EXT-X-ENDLIST: no segment will follow.
    package var hasEndList = false
    /// EXT-X-I-FRAMES-ONLY.
    package var isIFramesOnly = false
    package var serverControl: ServerControl?
    /// PART-TARGET of EXT-X-PART-INF.
    package var partTarget: Duration?
    /// Present in a delta update that was not merged yet: `segments` are then only the listed ones.
    package var skip: SkippedSegments?
    /// In order, numbered without a gap.
    package var segments: [MediaSegment] = []
    /// Parts after the last segment, of the segment that is being made.
    package var trailingParts: [PartialSegment] = []
    /// At most one of each kind: the first.
    package var preloadHints: [PreloadHint] = []
    package var renditionReports: [RenditionReport] = []
    /// In order of first appearance, tags with one ID merged.
    package var dateRanges: [DateRange] = []
    /// The date ranges of CLASS `com.apple.hls.interstitial`.
    package var interstitials: [Interstitial] = []
    /// In order of the tags.
    package var cuePoints: [CuePoint] = []
    /// Breaks that cue tags and date ranges of this playlist describe, cues first.
    package var adBreaks: [AdBreakMarker] = []
    /// Variables this playlist defines.
    package var definitions: [String: String] = [:]

    package init(uri: String) {
        self.uri = uri
    }

    /// Sum of the listed segments, exact.
    package var duration: Duration { segments.last?.end ?? .zero }

    /// Media sequence number of the first listed segment, skipped ones counted.
    package var firstListedSequence: Int { mediaSequence &+ (skip?.count ?? 0) }

    /// All parts in order: those within segments, then the trailing ones.
    package var parts: [PartialSegment] { segments.flatMap(\.parts) + trailingParts }
}
