package import Ports

/// One ad marker tag, read the same from every dialect (hls-timeline 4.1). It applies to the segment that follows it.
package struct CuePoint: Hashable, Sendable {
    /// What the tag says about a break.
    package enum Kind: String, Hashable, Sendable {
        case out
        case cont
        case `in`
        /// A SCTE-35 payload that by itself opens or closes nothing.
        case scte35
        /// EXT-X-ASSET: facts about the ad or programme.
        case asset
        /// EXT-X-CUE with TYPE=SpliceInsert.
        case insert
    }

    /// One name and value of EXT-X-ASSET.
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
    /// Media sequence number of the segment that follows, listed or not yet.
    package var sequence: Int
    /// The date of that segment.
    package var date: UnixTime?
    /// From the start of the listed window.
    package var offset: Duration
    /// Announced for the whole break.
    package var duration: Duration?
    /// Of the break, at this point.
    package var elapsed: Duration?
    /// ID, event id or CAID as written.
    package var id: String?
    /// The whole splice_info_section.
    package var scte35: [UInt8]?
    /// Only for `asset`.
    package var attributes: [Attribute]
    /// 1-based line of the tag.
    package var line: Int

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

/// A break that the markers of one playlist describe (hls-timeline 4.2): what `ad_breaks` lists.
package struct AdBreakMarker: Hashable, Sendable {
    /// Which kind of marker describes it.
    package enum Source: String, Hashable, Sendable {
        case cue
        /// A range with SCTE35-OUT or SCTE35-IN.
        case dateRange = "daterange"
    }

    /// What ended it.
    package enum Closing: String, Hashable, Sendable {
        case `in`
        /// The announced duration, reached at a segment boundary, with no later marker.
        case duration
        case dateRange = "daterange"
    }

    package var source: Source
    /// ID, event id or CAID as written.
    package var id: String?
    /// Date of its start, nil without dates.
    package var start: UnixTime?
    /// Date of its end; nil while open or without dates.
    package var end: UnixTime?
    /// Media sequence number of its first segment; nil when not listed.
    package var startSequence: Int?
    /// Media sequence number of the first segment after it.
    package var endSequence: Int?
    /// From the start of the listed window, by EXTINF sums; negative when it began before. Nil for date ranges without
    /// a place there.
    package var startOffset: Duration?
    /// The same for the end.
    package var endOffset: Duration?
    /// Announced for the whole break.
    package var plannedDuration: Duration?
    /// It began before the listed window; the start is computed from the elapsed time.
    package var isJoinedMid: Bool
    /// Nil while open.
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
