import Algorithms
import Ports

/// The dates of breaks that date ranges describe: a range about advertisements alone that begins in one is an ad in that break, and no break
/// of its own (HLS-25).
struct BreakStretches {
    /// Starts of the breaks, ascending.
    private var starts: [UnixTime] = []
    /// For each of them, the latest end of it and of those before it.
    private var ends: [UnixTime] = []

    init(_ stretches: [(start: UnixTime, end: UnixTime)]) {
        for stretch in stretches.sorted(by: { $0.start < $1.start }) {
            starts.append(stretch.start)
            ends.append(max(stretch.end, ends.last ?? stretch.end))
        }
    }

    /// Whether a break is on the air at `date`, which may be rounded: one that begins with it is, one that ends with it is not.
    func contains(_ date: UnixTime) -> Bool {
        let date = date + Timeline.dateTolerance
        let count = starts.partitioningIndex { $0 > date }
        return count > 0 && ends[count - 1] > date
    }
}

extension [DateRange] {
    /// Those that are breaks: an advertisement in a break of another range is none.
    var adBreaks: [DateRange] {
        let breaks = filter(\.isAdBreak)
        guard breaks.contains(where: \.isAdvertisement) else { return breaks }
        let endings = endings
        let stretches = BreakStretches(breaks.compactMap { $0.stretch(endedBy: endings) })
        return breaks.filter { range in !range.isAdvertisement || !(range.start.map(stretches.contains) ?? false) }
    }

    /// Where ranges end breaks of other IDs, ascending.
    private var endings: [UnixTime] {
        filter { $0.endsAnotherBreak && !$0.isAdvertisement }.compactMap(\.start).sorted()
    }
}

extension DateRange {
    /// Whether it is about advertisements or promos alone, which may be the break or ads in one.
    var isAdvertisement: Bool { startsAdvertisement ?? endsAdvertisement ?? false }

    /// The dates of a break that may have ads of other ranges in it. One that is open and announces no length is as long as may be.
    fileprivate func stretch(endedBy endings: [UnixTime]) -> (start: UnixTime, end: UnixTime)? {
        guard !isAdvertisement, let start else { return nil }
        let index = endings.partitioningIndex { $0 > start }
        let limit = start + BreakTrack.openLimit
        let ending = index < endings.count && endings[index] <= limit ? endings[index] : nil
        return (start, end ?? ending ?? announcedLength.map { start + $0 } ?? limit)
    }
}

extension SpliceInfo {
    /// Whether each event that the message begins, or ends, is an advertisement or promo.
    func isAboutAdvertisements(ending: Bool) -> Bool {
        let ids = breakSignals.filter { $0.isEnd == ending }.map(\.id)
        return !ids.isEmpty && advertisementIDs.isSuperset(of: ids)
    }
    /// The length of the break that the message begins. An advertisement or promo gives it where the message begins nothing else.
    var breakLength: Duration? {
        let (starts, advertisements) = (breakSignals.filter { !$0.isEnd }, advertisementIDs)
        let own = starts.first { !advertisements.contains($0.id) } ?? (starts.count == 1 ? starts.first : nil)
        return own?.length.announced
    }
}
