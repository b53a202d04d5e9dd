import Algorithms
package import Ports

/// The ad breaks that cue tags and date ranges describe, across all reloads: a break is kept when its first marker
/// slides out of the window, and its duration is measured in stream time (HLS-23).
package struct BreakTrack: Equatable, Sendable {
    /// Most breaks kept; the oldest closed ones are dropped first.
    package static let breakLimit = 1_000
    /// A break of unknown duration is closed after this time (HLS-23).
    package static let openLimit: Duration = .seconds(1_800)
    /// Segments inside a break whose ends are waited for; more of them are not distinguished.
    private static let nestedLimit = 64
    /// How many segments back new markers are still read: some packagers add a marker shortly after listing its
    /// segment.
    private static let lateMarkerReach = 8
    /// Most markers remembered beside those of the newest playlist; with more, none of them is.
    private static let markerLimit = PlaylistLimits.cuePoints

    /// Distinguishes a known marker from one added later to the same segment.
    private struct MarkerKey: Hashable {
        var sequence: Int
        var kind: CuePoint.Kind
        var tag: String
        /// Two messages at one segment are two markers. What follows a section is not kept.
        var message: [UInt8]?

        init(_ cue: CuePoint) {
            (sequence, kind, tag, message) = (cue.sequence, cue.kind, cue.tag, cue.scte35)
            guard let message, message.count > SpliceInfo.longestSection else { return }
            self.message = Array(message.prefix(SpliceInfo.longestSection))
        }
    }

    /// The breaks in the order in which they were first listed.
    package private(set) var breaks: [TrackedBreak] = []
    private var nextNumber = 0
    private var openCue: Int?
    /// End of the newest segment that continued the open break; nil while none did.
    private var continuedUntil: StreamTime?
    /// Event id of the open break; nil while none is known.
    private var openEventID: String?
    /// Whether the open break is known as an advertisement alone, which may be the first of several.
    private var isAdvertisement = false
    /// Event ids of segments that began inside the open break and have not ended.
    private var nestedIDs: Set<String> = []
    /// Number of the first break of the current epoch.
    private var epochNumber = 0
    private var lastSequence: Int?
    private var epoch = 0
    private var variantChanges = 0
    /// The latest stream time that any playlist reached.
    private var reach = StreamTime(microseconds: .min)
    private var taken: Set<MarkerKey> = []
    /// Breaks that ended before this date were dropped.
    private var forgotten: UnixTime?

    package init() {}

    /// Merges the newest playlist of `timeline`, which was the answer to reload number `reload`.
    package mutating func fold(_ timeline: Timeline, reload: Int) {
        guard let playlist = timeline.playlist, let last = timeline.listed.last else { return }
        if timeline.epoch != epoch {
            epoch = timeline.epoch
            epochNumber = nextNumber
            lastSequence = nil
            taken = []
        }
        if timeline.variantChanges != variantChanges {
            variantChanges = timeline.variantChanges
            changeNumbers(to: timeline, playlist)
        }
        for cue in newCues(of: playlist, through: last.sequence) {
            for signal in cue.signals { apply(signal, timeline: timeline, reload: reload) }
        }
        lastSequence = max(lastSequence ?? last.sequence, last.sequence)
        reach = last.end
        closeByDuration(timeline, reload: reload)
        foldDateRanges(of: playlist, timeline, reload: reload)
        dropOldest()
    }

    /// Another variant has other sequence numbers: its markers on known media are known, too.
    private mutating func changeNumbers(to timeline: Timeline, _ playlist: MediaPlaylist) {
        lastSequence = nil
        let known = playlist.cuePoints.filter { cue in
            timeline.segment(sequence: cue.sequence).map { $0.start + $0.duration / 2 < reach } ?? false
        }
        taken = Set(known.map { MarkerKey($0) })
    }

    private mutating func newCues(of playlist: MediaPlaylist, through last: Int) -> [CuePoint] {
        let floor = lastSequence.map { $0.subtractingSaturating(Self.lateMarkerReach) } ?? .min
        taken = taken.filter { $0.sequence >= floor }
        // A server may add other markers to the same segments with each reload.
        if taken.count > Self.markerLimit { taken.formIntersection(playlist.cuePoints.lazy.map { MarkerKey($0) }) }
        return playlist.cuePoints.filter { cue in
            guard cue.sequence >= floor, cue.sequence <= last else { return false }
            return taken.insert(MarkerKey(cue)).inserted
        }
    }

    // MARK: Cue tags

    private mutating func apply(_ signal: CueSignal, timeline: Timeline, reload: Int) {
        guard let segment = timeline.segment(sequence: signal.cue.sequence) else { return }
        switch signal.cue.kind {
        case .out:
            // At its first segment a break is not over, also where one of its markers announces a length of 0.
            if !startsWithBreak(signal) { closeIfOver(at: segment.start, timeline, reload: reload) }
            // A second OUT while a break is open repeats the first or is nested; the parser reports the latter.
            if openCue == nil {
                open(signal, at: segment, reload: reload)
            } else if startsBreakOfAd(signal) {
                becomeFirstAd(of: signal)
            } else if !isInside(signal) {
                learn(from: signal)
            } else if startsWithBreak(signal) {
                learnName(from: signal.cue)
            }
        case .cont:
            if openCue == nil { open(signal, at: segment, reload: reload) } else { learn(from: signal) }
            continuedUntil = segment.end
        case .in:
            // The end of a segment inside the break is not that of the break; a break without an event of its own has a marker for its end.
            if let id = signal.eventID, nestedIDs.remove(id) != nil, signal.cue.isMessage || openEventID != nil {
                return
            }
            close(at: segment, reload: reload)
        case .scte35, .asset, .insert:
            learn(from: signal)
        }
    }

    /// Whether a segment of another event begins inside the open break: an ad in its pod, whose length is not that of the break. At its
    /// first segment, another dialect may describe the break itself; a message about an advertisement does not.
    private mutating func isInside(_ signal: CueSignal) -> Bool {
        guard openCue != nil, let id = signal.eventID, id != openEventID else { return false }
        let isAd = signal.isAdvertisement || !startsWithBreak(signal)
        guard openEventID != nil || isAd else { return false }
        if nestedIDs.count < Self.nestedLimit { nestedIDs.insert(id) }
        return signal.isOneOfSeveral || isAd
    }

    /// Whether the open break, known as an advertisement until now, is the first ad of what this marker announces.
    private func startsBreakOfAd(_ signal: CueSignal) -> Bool {
        isAdvertisement && !signal.isAdvertisement && startsWithBreak(signal) && signal.eventID != openEventID
    }

    /// Whether a marker is at the first segment of the open break.
    private func startsWithBreak(_ signal: CueSignal) -> Bool {
        openCue.map { breaks[$0].startSequence == signal.cue.sequence } ?? false
    }

    private mutating func becomeFirstAd(of signal: CueSignal) {
        guard let openCue else { return }
        if let openEventID { nestedIDs.insert(openEventID) }
        (openEventID, isAdvertisement) = (signal.eventID, false)
        breaks[openCue].markerID = signal.cue.id ?? breaks[openCue].markerID
        breaks[openCue].plannedDuration = signal.cue.duration
        if let message = signal.cue.scte35 { breaks[openCue].scte35 = [message] }
    }

    /// A CONT without an open break joins one in the middle: it began `elapsed` before the segment.
    private mutating func open(_ signal: CueSignal, at segment: TimelineSegment, reload: Int) {
        let cue = signal.cue
        let elapsed = cue.kind == .cont ? max(.zero, cue.elapsed ?? .zero) : .zero
        (continuedUntil, nestedIDs, openEventID) = (nil, [], signal.eventID)
        isAdvertisement = signal.isAdvertisement
        if let index = indexOfEarlier(cue, at: segment) {
            guard breaks[index].isOpen else { return }
            breaks[index].startStream = segment.start - elapsed
            openCue = index
            return
        }
        openCue = append(
            TrackedBreak(
                number: nextNumber, source: .cue, markerID: cue.id, start: segment.date.map { $0 - elapsed },
                startStream: segment.start - elapsed, startSequence: cue.kind == .cont ? nil : segment.sequence,
                plannedDuration: cue.duration, isJoinedMid: cue.kind == .cont, firstSeenReload: reload,
                scte35: cue.scte35.map { [$0] } ?? []))
    }

    /// The break of an earlier epoch that a cue marks: the same media may be listed under other numbers, and has the same dates.
    private func indexOfEarlier(_ cue: CuePoint, at segment: TimelineSegment) -> Int? {
        guard epoch > 0, let date = segment.date else { return nil }
        // A playlist may open any number of breaks; those of earlier epochs are few.
        let earlier = breaks[..<breaks.partitioningIndex { $0.number >= epochNumber }]
        return earlier.lastIndex { known in
            guard known.source == .cue, let start = known.start else { return false }
            if cue.kind == .out { return (start - date).magnitude <= Timeline.dateTolerance }
            return start <= date && date < known.expectedEnd ?? start + Self.openLimit
        }
    }

    private mutating func learn(from signal: CueSignal) {
        guard let openCue else { return }
        let cue = signal.cue
        openEventID = openEventID ?? signal.eventID
        let known = breaks[openCue].plannedDuration
        breaks[openCue].plannedDuration = known.announced ?? cue.duration ?? known
        learnName(from: cue)
    }

    private mutating func learnName(from cue: CuePoint) {
        guard let openCue else { return }
        breaks[openCue].markerID = breaks[openCue].markerID ?? cue.id
        if let message = cue.scte35, breaks[openCue].scte35.isEmpty { breaks[openCue].scte35 = [message] }
    }

    /// An IN closes the open break; a late one corrects the end that followed from the announced duration.
    private mutating func close(at segment: TimelineSegment, reload: Int) {
        let isLate = openCue == nil
        guard let index = openCue ?? breaks.lastIndex(where: { $0.source == .cue }),
            !isLate || breaks[index].closedBy == .duration, let start = breaks[index].startStream,
            start <= segment.start,
            !isLate || segment.start - start <= Self.openLimit
        else { return }
        breaks[index].end = segment.date
        breaks[index].endStream = segment.start
        breaks[index].endSequence = segment.sequence
        breaks[index].closedBy = .in
        breaks[index].endedReload = reload
        openCue = nil
    }

    /// Closes the open break once its announced duration is over and no marker continues it. In a break with CONT tags,
    /// this waits until a segment after the end is listed without a CONT.
    private mutating func closeByDuration(_ timeline: Timeline, reload: Int) {
        guard let openCue, let start = breaks[openCue].startStream, let last = timeline.listed.last else { return }
        let planned = breaks[openCue].plannedDuration
        let end = start + (planned.announced ?? Self.openLimit)
        let reached = continuedUntil == nil ? last.end : last.start
        guard reached >= end, !hasContinuation(at: end, timeline) else { return }
        // With a length of 0 and nothing else, a point was meant.
        close(openCue, at: planned == .zero ? continuedUntil ?? start : end, timeline, reload: reload)
    }

    /// The next break begins: the open one is over where its announced length was, or, if it announced none, after the last segment
    /// that continued it.
    private mutating func closeIfOver(at next: StreamTime, _ timeline: Timeline, reload: Int) {
        guard let openCue, let start = breaks[openCue].startStream else { return }
        let planned = breaks[openCue].plannedDuration
        guard let end = planned.announced.map({ start + $0 }) ?? continuedUntil ?? planned.map({ start + $0 }),
            end <= next + Timeline.dateTolerance
        else { return }
        close(openCue, at: end, timeline, reload: reload)
    }

    /// No marker says that the break at an index is over: its length does.
    private mutating func close(_ index: Int, at end: StreamTime, _ timeline: Timeline, reload: Int) {
        guard let start = breaks[index].startStream else { return }
        breaks[index].endStream = end
        breaks[index].end = breaks[index].start.map { $0 + (end - start) }
        let next = timeline.listed.partitioningIndex { $0.start >= end }
        breaks[index].endSequence = next < timeline.listed.endIndex ? timeline.listed[next].sequence : nil
        breaks[index].closedBy = .duration
        breaks[index].endedReload = reload
        openCue = nil
    }

    private func hasContinuation(at end: StreamTime, _ timeline: Timeline) -> Bool {
        guard continuedUntil != nil, let cue = timeline.playlist?.cuePoints.last(where: { $0.kind == .cont }),
            let segment = timeline.segment(sequence: cue.sequence)
        else { return false }
        return segment.start >= end
    }

    // MARK: Date ranges

    private mutating func foldDateRanges(of playlist: MediaPlaylist, _ timeline: Timeline, reload: Int) {
        let dates = DatePlaces(timeline)
        defer { closeByRanges(of: playlist, dates, reload: reload) }
        withdraw(allBut: playlist, timeline)
        let markers = playlist.adBreaks.filter { $0.source == .dateRange }
        guard !markers.isEmpty else { return }
        var known: [String: [Int]] = [:]
        for (index, tracked) in breaks.enumerated() where tracked.source == .dateRange {
            if let id = tracked.markerID { known[id, default: []].append(index) }
        }
        let ranges = Dictionary(playlist.dateRanges.lazy.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for marker in markers {
            guard let id = marker.id else { continue }
            let same = known[id].flatMap { self.index(of: marker, among: $0) }
            let applied = apply(marker, id, ranges[id], at: same, dates, reload: reload)
            if same == nil, let applied { known[id, default: []].append(applied) }
        }
    }

    /// A range that is listed no more before the playlist has reached its start was withdrawn.
    private mutating func withdraw(allBut playlist: MediaPlaylist, _ timeline: Timeline) {
        guard playlist.skip == nil, let edge = timeline.window?.endDate else { return }
        func isAhead(_ tracked: TrackedBreak) -> Bool {
            tracked.source == .dateRange && tracked.start.map { $0 > edge } ?? false
        }
        guard breaks.contains(where: isAhead) else { return }
        let listed = Set(playlist.dateRanges.lazy.map(\.id))
        remove { isAhead($0) && !($0.markerID.map(listed.contains) ?? false) }
    }

    /// The break that a marker describes, of those with its id; nil where the id comes again behind them: that is another break.
    private func index(of marker: AdBreakMarker, among known: [Int]) -> Int? {
        if let same = known.last(where: { breaks[$0].start == marker.start }) { return same }
        return known.last.flatMap { breaks[$0].isOver(before: marker.start) ? nil : $0 }
    }

    /// A range that has SCTE35-IN and no length ends the break of another id that is open where it starts.
    private mutating func closeByRanges(of playlist: MediaPlaylist, _ dates: DatePlaces, reload: Int) {
        let ending = playlist.dateRanges.filter(\.endsAnotherBreak)
        guard !ending.isEmpty else { return }
        let ids = Set(breaks.lazy.filter { $0.source == .dateRange }.compactMap(\.markerID))
        let starts = RangeStarts(breaks)
        for range in ending {
            // One with the ID of a break is another tag of its range.
            guard let end = range.start, !ids.contains(range.id), let index = starts.last(before: end),
                breaks[index].isOpen, breaks[index].start.map({ end - $0 <= Self.openLimit }) ?? false
            else { continue }
            breaks[index].end = end
            breaks[index].endStream = dates.position(of: end)
            breaks[index].closedBy = .dateRange
            breaks[index].endedReload = reload
        }
    }

    /// - Parameter known: index of the break of that id.
    /// - Returns: the same, or that of the new break; nil for one that was dropped long ago.
    private mutating func apply(
        _ marker: AdBreakMarker, _ id: String, _ range: DateRange?, at known: Int?, _ dates: DatePlaces, reload: Int
    ) -> Int? {
        if known == nil, let forgotten, let end = marker.end ?? marker.start, end < forgotten { return nil }
        let index =
            known
            ?? append(
                TrackedBreak(number: nextNumber, source: .dateRange, markerID: id, firstSeenReload: reload))
        let new = breaks[index].learned(from: marker, range, isNew: known == nil, dates, reload: reload)
        // Playlists repeat their ranges: without this check, an array that has other owners would be copied for
        // nothing.
        if new != breaks[index] { breaks[index] = new }
        return index
    }

    // MARK: Storage

    private mutating func append(_ new: TrackedBreak) -> Int {
        breaks.append(new)
        nextNumber += 1
        return breaks.count - 1
    }

    /// Drops breaks that ended before `date`, except those that the playlist still lists.
    package mutating func forget(endedBefore date: UnixTime, in timeline: Timeline) {
        let listed = timeline.window?.startDate ?? date
        let limit = min(date, listed)
        let openNumber = openCue.map { breaks[$0].number }
        func isOver(_ tracked: TrackedBreak) -> Bool {
            guard tracked.number != openNumber, let start = tracked.start else { return false }
            // Many packagers never close a date range, and announce no length.
            return tracked.expectedEnd.map { $0 < limit } ?? (start + Self.openLimit < limit)
        }
        guard breaks.contains(where: isOver) else { return }
        forgotten = limit
        remove(isOver)
    }

    private mutating func remove(_ isGone: (TrackedBreak) -> Bool) {
        let openNumber = openCue.map { breaks[$0].number }
        breaks.removeAll(where: isGone)
        openCue = openNumber.flatMap { number in breaks.firstIndex { $0.number == number } }
    }

    private mutating func dropOldest() {
        guard breaks.count > Self.breakLimit else { return }
        drop(breaks.count - Self.breakLimit)
    }

    private mutating func drop(_ count: Int) {
        let first = breaks[count].number
        remove { $0.number < first }
    }
}

/// The starts of breaks that date ranges describe: which is the last one that began before a date, without a look at all for each date.
private struct RangeStarts {
    /// Indices of the breaks.
    private var indices: [Int] = []
    /// For each of them, the earliest start of it and of those behind it; ascending.
    private var earliest: [UnixTime] = []

    init(_ breaks: [TrackedBreak]) {
        for index in breaks.indices.reversed() where breaks[index].source == .dateRange {
            guard let start = breaks[index].start else { continue }
            indices.append(index)
            earliest.append(min(start, earliest.last ?? start))
        }
        indices.reverse()
        earliest.reverse()
    }

    /// Index of the last break, in the order of `breaks`, that started before `date`.
    func last(before date: UnixTime) -> Int? {
        let count = earliest.partitioningIndex { $0 >= date }
        return count > 0 ? indices[count - 1] : nil
    }
}
