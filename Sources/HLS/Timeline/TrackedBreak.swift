package import Ports

/// An ad break that markers describe, across all reloads (HLS-23; `breaks` of `adtop-hls-timeline/1`).
package struct TrackedBreak: Hashable, Sendable, Identifiable {
    /// Number of the break within the session; stable.
    package var number: Int
    package var source: AdBreakMarker.Source
    /// ID of the marker: that of the date range or of the cue.
    package var markerID: String?
    package var start: UnixTime?
    /// Nil while the break is open.
    package var end: UnixTime?
    /// Nil for a date range that cannot be mapped to the timeline.
    package var startStream: StreamTime?
    package var endStream: StreamTime?
    package var startSequence: Int?
    /// Sequence number of the first segment after the break.
    package var endSequence: Int?
    package var plannedDuration: Duration?
    package var isJoinedMid = false
    package var closedBy: AdBreakMarker.Closing?
    /// Index of the first reload that listed it.
    package var firstSeenReload: Int
    /// Index of the reload that ended it.
    package var endedReload: Int?
    /// Its SCTE-35 messages, the first of each kind of marker.
    package var scte35: [[UInt8]] = []

    package init(
        number: Int, source: AdBreakMarker.Source, markerID: String?, start: UnixTime? = nil,
        startStream: StreamTime? = nil,
        startSequence: Int? = nil, plannedDuration: Duration? = nil, isJoinedMid: Bool = false, firstSeenReload: Int,
        scte35: [[UInt8]] = []
    ) {
        self.number = number
        self.source = source
        self.markerID = markerID
        self.start = start
        self.startStream = startStream
        self.startSequence = startSequence
        self.plannedDuration = plannedDuration
        self.isJoinedMid = isJoinedMid
        self.firstSeenReload = firstSeenReload
        self.scte35 = scte35
    }

    package var id: Int { number }
    package var isOpen: Bool { closedBy == nil }

    /// The actual length if known, else the planned one: that of the media, because dates may step where the programme returns (HLS-23).
    package var expectedLength: Duration? {
        if let startStream, let endStream { return endStream - startStream }
        return start.flatMap { start in end.map { $0 - start } } ?? plannedDuration.announced
    }

    /// The actual end if known, else the planned one.
    package var expectedEnd: UnixTime? {
        end ?? start.flatMap { start in plannedDuration.announced.map { start + $0 } }
    }
}
