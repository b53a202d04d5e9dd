import Algorithms
import Ports

/// Breaks that date ranges describe (HLS-25).
extension BreakTrack {
    mutating func foldDateRanges(of playlist: MediaPlaylist, _ timeline: Timeline, reload: Int) {
        let dates = DatePlaces(timeline)
        defer { closeByRanges(of: playlist, dates, reload: reload) }
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
            // The end of an ad does not end its break.
            if range.isAdvertisement, !breaks[index].isAdvertisement { continue }
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
