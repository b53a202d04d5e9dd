package import Ports

/// One ad marker tag, in one form for all dialects (HLS-22). It applies to the segment that follows it.
package struct CuePoint: Hashable, Sendable {
    /// What the tag means for a break.
    package enum Kind: String, Hashable, Sendable {
        case out
        case cont
        case `in`
        /// A SCTE-35 payload that by itself neither opens nor closes a break.
        case scte35
        /// EXT-X-ASSET: information about the ad or programme.
        case asset
        /// EXT-X-CUE with TYPE=SpliceInsert.
        case insert
    }

    /// One attribute of EXT-X-ASSET.
    package struct Attribute: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var kind: Kind
    /// The tag without its number sign, e.g. `EXT-X-CUE-OUT`.
    package var tag: String
    /// Media sequence number of the segment that follows, whether listed yet or not.
    package var sequence: Int
    /// Date of that segment; nil without dates, and while it is neither listed nor stated.
    package var date: UnixTime?
    /// Offset from the start of the listed window.
    package var offset: Duration
    /// Announced duration of the whole break.
    package var duration: Duration?
    /// Announced time since the start of the break.
    package var elapsed: Duration?
    /// ID, event id or CAID as written.
    package var id: String?
    /// The whole splice_info_section.
    package var scte35: [UInt8]?
    /// Attributes; empty for all kinds but `asset`.
    package var attributes: [Attribute]
    /// 1-based line of the tag.
    package var line: Int
    /// Whether it follows a part of its segment: what applies to that comes before the first one (rfc8216bis-22 section 4.4.4.9).
    package var isBehindParts = false

    package init(
        kind: Kind, tag: String, sequence: Int, date: UnixTime? = nil, offset: Duration = .zero,
        duration: Duration? = nil, elapsed: Duration? = nil, id: String? = nil, scte35: [UInt8]? = nil,
        attributes: [Attribute] = [], line: Int = 0
    ) {
        self.kind = kind
        self.tag = tag
        self.sequence = sequence
        self.date = date
        self.offset = offset
        self.duration = duration
        self.elapsed = elapsed
        self.id = id
        self.scte35 = scte35
        self.attributes = attributes
        self.line = line
    }
}

extension Optional where Wrapped == Duration {
    /// A length that a marker announces: packagers write 0 where they do not know it (HLS-23).
    var announced: Duration? { flatMap { $0 > .zero ? $0 : nil } }
}

/// A break described by the markers of one playlist (HLS-23): one element of `ad_breaks`.
package struct AdBreakMarker: Hashable, Sendable {
    /// The kind of marker that describes it.
    package enum Source: String, Hashable, Sendable {
        case cue
        /// A date range with SCTE35-OUT or SCTE35-IN.
        case dateRange = "daterange"
    }

    /// How the break ended.
    package enum Closing: String, Hashable, Sendable {
        case `in`
        /// A segment boundary reached the announced duration, and no later marker continued the break.
        case duration
        case dateRange = "daterange"
    }

    package var source: Source
    /// ID, event id or CAID as written.
    package var id: String?
    /// Date of its start, nil without dates.
    package var start: UnixTime?
    /// Date of its end; nil while it is open or without dates.
    package var end: UnixTime?
    /// Media sequence number of its first segment; nil when that is not listed.
    package var startSequence: Int?
    /// Media sequence number of the first segment after it.
    package var endSequence: Int?
    /// Offset from the start of the listed window, in EXTINF sums; negative when the break began before it. Nil for a
    /// date range that cannot be mapped to the window.
    package var startOffset: Duration?
    /// Offset of the end, likewise.
    package var endOffset: Duration?
    /// Announced duration of the whole break.
    package var plannedDuration: Duration?
    /// Whether it began before the listed window, so that its start is computed from the elapsed time.
    package var isJoinedMid: Bool
    /// Nil while the break is open.
    package var closedBy: Closing?

    package init(
        source: Source, id: String? = nil, start: UnixTime? = nil, end: UnixTime? = nil, startSequence: Int? = nil,
        endSequence: Int? = nil, startOffset: Duration? = nil, endOffset: Duration? = nil,
        plannedDuration: Duration? = nil, isJoinedMid: Bool = false, closedBy: Closing? = nil
    ) {
        self.source = source
        self.id = id
        self.start = start
        self.end = end
        self.startSequence = startSequence
        self.endSequence = endSequence
        self.startOffset = startOffset
        self.endOffset = endOffset
        self.plannedDuration = plannedDuration
        self.isJoinedMid = isJoinedMid
        self.closedBy = closedBy
    }
}
