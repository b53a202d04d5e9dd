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
    /// Whether `startStream` is extrapolated: the playlist had not reached it when it was computed.
    var isAhead = false
    /// Whether a date range describes it that is about advertisements alone.
    var isAdvertisement = false
    /// The date range of another ID that ended it.
    var ending: RangeEnding?
    /// Whether it ended with a break of cue tags, because its date range tells no end.
    var endsWithCue = false
    package var endStream: StreamTime?
    package var startSequence: Int?
    /// Sequence number of the first segment after the break.
    package var endSequence: Int?
    package var plannedDuration: Duration?
    /// Whether only the message of a date range announces that.
    var isLengthOfMessage = false
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

/// A date range that ends a break of another ID. Its ID may come again at another date.
struct RangeEnding: Hashable, Sendable {
    var id: String
    var date: UnixTime
}

extension TrackedBreak {
    /// The break with other dates; its length is that of the media.
    package func moved(by shift: Duration) -> TrackedBreak {
        var moved = self
        moved.start = start.map { $0 + shift }
        moved.end = end.flatMap { _ in moved.start.flatMap { start in expectedLength.map { start + $0 } } }
        return moved
    }

    /// Whether cue tags may give its end: no attribute of its date range states or announces one, and it is about more than an ad.
    var takesEndOfCue: Bool {
        (isOpen || endsWithCue) && (plannedDuration.announced == nil || isLengthOfMessage) && !isAdvertisement
    }

    /// Takes the end of a break of cue tags, or is open again where that is.
    mutating func takeEnd(of cue: TrackedBreak, reload: Int) {
        guard let end = cue.endStream else {
            guard endsWithCue else { return }
            (self.end, endStream, endSequence) = (nil, nil, nil)
            (closedBy, endedReload, endsWithCue) = (nil, nil, false)
            return
        }
        guard let startStream, end > startStream, end != endStream else { return }
        (self.end, endStream, endSequence) = (cue.end, end, cue.endSequence)
        (closedBy, endedReload, endsWithCue) = (cue.closedBy, reload, true)
    }

    func isOver(before date: UnixTime?) -> Bool {
        guard let date, let end else { return false }
        return end <= date
    }

    /// The break, updated from the date range in the newest playlist.
    func learned(
        from marker: AdBreakMarker, _ range: DateRange?, isNew: Bool, _ dates: DatePlaces, reload: Int
    ) -> TrackedBreak {
        var known = self
        let isNews = isNew || ((closedBy == nil || endsWithCue) && marker.closedBy != nil)
        // Attributes of a range may be added later; none is removed when its first tag slides out of the window.
        known.start = marker.start ?? start
        if let length = marker.plannedDuration {
            known.plannedDuration = length
            known.isLengthOfMessage = range.map { $0.plannedDuration.announced == nil } ?? false
        }
        if let end = marker.end, self.end != end {
            known.end = end
            known.endStream = dates.position(of: end)
        }
        // Converted until its media is listed, because dates may step before it. A later correction of the date must not move a break
        // that is playing.
        if startStream == nil || isAhead, let start = marker.start {
            known.startStream = dates.position(of: start)
            known.endStream = known.end.flatMap { dates.position(of: $0) }
            known.isAhead = known.startStream.map { dates.isAhead($0) } ?? false
        }
        guard isNews else { return known }
        if let closing = marker.closedBy {
            (known.closedBy, known.endsWithCue) = (closing, false)
            known.endedReload = reload
        }
        if let range {
            known.isAdvertisement = range.isAdvertisement
            known.scte35 = [range.scte35Out, range.scte35In, range.scte35Command].compactMap { $0 }
        }
        return known
    }
}
