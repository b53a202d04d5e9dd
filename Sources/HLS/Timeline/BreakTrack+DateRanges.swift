import Algorithms
import Ports

/// Breaks that date ranges describe (HLS-25).
extension BreakTrack {
    mutating func foldDateRanges(of playlist: MediaPlaylist, _ timeline: Timeline, reload: Int) {
        let dates = DatePlaces(timeline)
        defer {
            closeByRanges(of: playlist, dates, reload: reload)
            closeByCues(timeline, reload: reload)
        }
        withdraw(allBut: playlist, timeline)
        let markers = withoutAds(playlist.adBreaks.filter { $0.source == .dateRange }, of: playlist)
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

    /// The breaks without the ranges that are ads in one: in a listed one, which the parser leaves out, or in one that has left the playlist.
    private mutating func withoutAds(_ markers: [AdBreakMarker], of playlist: MediaPlaylist) -> [AdBreakMarker] {
        let ads = playlist.dateRanges.filter { $0.isAdBreak && ($0.isAdvertisement || adRangeIDs.contains($0.id)) }
        guard !ads.isEmpty else {
            adRangeIDs = []
            return markers
        }
        let listed = Set(markers.lazy.compactMap(\.id))
        let stretches = BreakStretches(
            breaks.compactMap { known in
                guard known.source == .dateRange, !known.isAdvertisement, let start = known.start else { return nil }
                // Those that are listed may have another end by now.
                if let id = known.markerID, listed.contains(id) { return nil }
                return (start, known.expectedEnd ?? start + Self.openLimit)
            })
        adRangeIDs = Set(
            ads.lazy.filter { [adRangeIDs] range in
                !listed.contains(range.id) || adRangeIDs.contains(range.id)
                    || range.start.map(stretches.contains) ?? false
            }.map(\.id))
        guard !adRangeIDs.isEmpty else { return markers }
        let inside = adRangeIDs
        // The break that it is in may be listed later than the ad.
        if breaks.contains(where: { $0.isAdvertisement }) {
            remove { $0.isAdvertisement && ($0.markerID.map(inside.contains) ?? false) }
        }
        return markers.filter { $0.id.map { !inside.contains($0) } ?? true }
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

    /// A range that has SCTE35-IN and no length ends one break of another id that is open where it starts, or has its end from cue tags.
    private mutating func closeByRanges(of playlist: MediaPlaylist, _ dates: DatePlaces, reload: Int) {
        let ending = playlist.dateRanges.filter(\.endsAnotherBreak)
            .compactMap { range in range.start.map { (range: range, date: $0) } }
            .sorted { $0.date < $1.date }
        guard !ending.isEmpty else { return }
        let known = breaks.lazy.filter { $0.source == .dateRange }
        let ids = Set(known.compactMap(\.markerID))
        let used = Set(known.compactMap(\.ending))
        var open = OpenRanges(breaks, longestSegment: playlist.targetDuration ?? .zero)
        for (range, end) in ending {
            // One with the ID of a break is another tag of its range, which may have the date of its end; the others are listed for as long as
            // their date is.
            if ids.contains(range.id) {
                if let index = open.ended(byOwn: range.id, at: end) {
                    close(index, byRangeAt: end, dates, reload: reload)
                }
                continue
            }
            // It is listed for longer than the break that it ended is kept.
            if let forgotten, end < forgotten { continue }
            let ending = RangeEnding(id: range.id, date: end)
            guard !used.contains(ending), let index = open.ended(by: range, at: end) else { continue }
            close(index, byRangeAt: end, dates, reload: reload)
            breaks[index].ending = ending
        }
    }

    private mutating func close(_ index: Int, byRangeAt end: UnixTime, _ dates: DatePlaces, reload: Int) {
        (breaks[index].end, breaks[index].endSequence) = (end, nil)
        breaks[index].endStream = dates.position(of: end)
        (breaks[index].closedBy, breaks[index].endsWithCue) = (.dateRange, false)
        breaks[index].endedReload = reload
    }

    /// A range that tells no end of its own ends with the break of cue tags that begins with it, or in the segment behind it: packagers write
    /// the start in both, and the end in cue tags alone.
    private mutating func closeByCues(_ timeline: Timeline, reload: Int) {
        let open = breaks.indices.filter { breaks[$0].source == .dateRange && breaks[$0].takesEndOfCue }
        guard !open.isEmpty else { return }
        let cues = breaks.lazy.filter { $0.source == .cue }
            .compactMap { cue in cue.startStream.map { (start: $0, cue: cue) } }
            .sorted { $0.start < $1.start }
        guard !cues.isEmpty else { return }
        for index in open where !breaks[index].isAhead {
            guard let start = breaks[index].startStream, let segment = timeline.segment(at: start) else { continue }
            let first = cues.partitioningIndex { $0.start >= start - Timeline.dateTolerance }
            guard first < cues.count, cues[first].start <= segment.end + Timeline.dateTolerance else { continue }
            breaks[index].takeEnd(of: cues[first].cue, reload: reload)
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
}
