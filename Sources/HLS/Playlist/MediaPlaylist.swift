/// EXT-X-PLAYLIST-TYPE (rfc8216bis-22 section 4.4.3.5).
package enum PlaylistType: String, Hashable, Sendable {
    case event = "EVENT"
    case vod = "VOD"
}

/// EXT-X-START (rfc8216bis-22 section 4.4.2.2).
package struct StartPoint: Hashable, Sendable {
    /// Offset from the start of the playlist, or from the end of the last segment when negative.
    package var timeOffset: Duration
    /// PRECISE=YES: media before the offset must not be shown.
    package var isPrecise: Bool

    package init(timeOffset: Duration, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }
}

/// EXT-X-SERVER-CONTROL (rfc8216bis-22 section 4.4.3.8).
package struct ServerControl: Hashable, Sendable {
    /// The skip boundary, measured from the end: delta updates may omit older segments.
    package var canSkipUntil: Duration?
    /// CAN-SKIP-DATERANGES: delta updates may omit date ranges.
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

/// EXT-X-SKIP: the segments that a delta update omits (rfc8216bis-22 section 4.4.5.2).
package struct SkippedSegments: Hashable, Sendable {
    /// SKIPPED-SEGMENTS.
    package var count: Int
    /// RECENTLY-REMOVED-DATERANGES: IDs of ranges that were removed.
    package var removedDateRanges: [String]
    /// Number of listed segments at the start whose byte ranges continue the last skipped segment: their offsets count
    /// from its end.
    package var continuedByteRanges: Int
    /// Index of the first listed segment after a METHOD=NONE. Before it, key formats that the delta update does not
    /// name keep the keys of the last skipped segment.
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
    /// TYPE; other values are ignored, as the draft requires.
    package enum Kind: String, Hashable, Sendable {
        case part = "PART"
        case map = "MAP"
    }

    package var kind: Kind
    /// Resolved against the URI of the playlist.
    package var uri: String
    /// BYTERANGE-START.
    package var byteRangeStart: Int
    /// BYTERANGE-LENGTH; nil means to the end of the resource.
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
    /// LAST-MSN; when absent, that of the containing playlist applies.
    package var lastSequence: Int?
    /// LAST-PART; when absent, that of the containing playlist applies.
    package var lastPart: Int?

    package init(uri: String, lastSequence: Int? = nil, lastPart: Int? = nil) {
        self.uri = uri
        self.lastSequence = lastSequence
        self.lastPart = lastPart
    }
}

/// The parse of one media playlist text (rfc8216bis-22 section 4.4.3), or the merge of one text with its delta update.
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
    /// EXT-X-DISCONTINUITY-SEQUENCE; a delta update states that of the complete playlist.
    package var discontinuitySequence = 0
    package var playlistType: PlaylistType?
    /// EXT-X-ENDLIST: no segment will follow.
    package var hasEndList = false
    /// EXT-X-I-FRAMES-ONLY.
    package var isIFramesOnly = false
    package var serverControl: ServerControl?
    /// PART-TARGET of EXT-X-PART-INF.
    package var partTarget: Duration?
    /// Present in a delta update that is not merged yet; `segments` are then only the listed ones.
    package var skip: SkippedSegments?
    /// Whether the number of segments that a delta update skips cannot be read: then it cannot be merged.
    package var hasUnreadableSkip = false
    /// The segments in order, numbered without a gap.
    package var segments: [MediaSegment] = []
    /// Parts after the last segment, belonging to the segment in progress.
    package var trailingParts: [PartialSegment] = []
    /// At most one hint of each kind: the first.
    package var preloadHints: [PreloadHint] = []
    package var renditionReports: [RenditionReport] = []
    /// The date ranges in the order of first appearance; tags with the same ID are merged.
    package var dateRanges: [DateRange] = []
    /// The date ranges of CLASS `com.apple.hls.interstitial`.
    package var interstitials: [Interstitial] = []
    /// The cue points in the order of their tags.
    package var cuePoints: [CuePoint] = []
    /// Breaks described by the cue tags and date ranges of this playlist, cues first.
    package var adBreaks: [AdBreakMarker] = []
    /// Whether a break ends in it whose start may have been in segments that are no longer listed.
    package internal(set) var endsLostBreak = false
    /// The variables that this playlist defines.
    package var definitions: [String: String] = [:]

    package init(uri: String) {
        self.uri = uri
    }

    /// Whether it is a delta update that is not merged yet, readable or not: segments are missing.
    package var isDelta: Bool { skip != nil || hasUnreadableSkip }

    /// Whether no segment will follow: EXT-X-ENDLIST, or the type VOD, whose playlist is not reloaded (rfc8216bis-22 section 6.3.4).
    package var isComplete: Bool { hasEndList || playlistType == .vod }

    /// Exact sum of the listed segments.
    package var duration: Duration { segments.last?.end ?? .zero }

    /// Media sequence number of the first listed segment, skipped ones counted.
    package var firstListedSequence: Int { mediaSequence &+ (skip?.count ?? 0) }

    /// All parts in order: those within segments, then the trailing ones.
    package var parts: [PartialSegment] { segments.flatMap(\.parts) + trailingParts }

    /// Dates and places the markers by their segments. That of the segment in progress keeps the date that is stated for it.
    mutating func placeCuePoints() {
        for index in cuePoints.indices {
            let place = cuePoints[index].sequence &- firstListedSequence
            let segment = segments.indices.contains(place) ? segments[place] : nil
            if let segment { cuePoints[index].date = segment.date }
            cuePoints[index].offset = segment?.start ?? duration
        }
    }
}
