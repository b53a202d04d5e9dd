import AdTracking
import Algorithms
import Ports

/// Sorted tables of breaks and ads by time, so that the cost of a tick does not depend on the number of breaks.
struct AirPart {
    /// Maximum number of intervals checked for overlap with the one found.
    private static let overlapReach = 8

    struct Interval {
        var start: UnixTime
        var end: UnixTime
        var breakID: BreakID
        var adID: AdID?
    }

    /// The break and ad a viewer sees.
    struct OnAir: Equatable {
        var breakID: BreakID?
        var adID: AdID?
    }

    private struct AdLabel {
        var breakID: BreakID
        var number: Int
    }

    /// Intervals of one track by start.
    private struct Table {
        var breaks: [Interval] = []
        var ads: [Interval] = []
        /// All starts and ends, sorted.
        var boundaries: [UnixTime] = []
    }

    private var tables: [AdTrack: Table] = [:]
    private var breakLabels: [BreakID: String] = [:]
    private var adLabels: [AdID: AdLabel] = [:]
    private var nextNumber = 1
    /// The known breaks that were on air: after a seek one may be again.
    private var reached: Set<BreakID> = []
    /// End of the data range at the last plan, and the first ad end at or after it. When the data range passes that
    /// end, ads that were assumed to last as planned are over and the tables must be built again.
    private var edge: (end: UnixTime, nextAdEnd: UnixTime?)?
    var current = OnAir()

    /// The tables of another session: empty, with labels that continue.
    var renewed: AirPart {
        var new = AirPart()
        new.nextNumber = nextNumber
        return new
    }

    /// Whether the tables remain valid for a data range, if the breaks are the same.
    func isPlanned(_ dataRange: DataRange?) -> Bool {
        guard let edge, let dataRange, edge.end <= dataRange.end else { return false }
        return edge.nextAdEnd.map(dataRange.isReached) ?? true
    }

    /// Builds the tables. Breaks keep the number they were given first.
    mutating func plan(_ book: BreakBook, _ dataRange: DataRange?) {
        var nextAdEnd: UnixTime?
        tables = [:]
        adLabels = [:]
        // If metadata describes an interstitial too, the metadata's ads carry the events.
        let told = Set(book.breaks.lazy.filter { $0.source == .metadata && $0.track != .primary }.map(\.track))
        for adBreak in book.breaks {
            label(adBreak)
            if adBreak.source == .interstitial, told.contains(adBreak.track) { continue }
            var end = adBreak.end
            for (index, ad) in adBreak.ads.enumerated() {
                adLabels[ad.id] = AdLabel(breakID: adBreak.id, number: index + 1)
                guard ad.presence != .vanished, adBreak.presence != .vanished else { continue }
                if let range = dataRange, range.isReached(by: ad.end) {
                    nextAdEnd = min(nextAdEnd ?? ad.end, ad.end)
                }
                let adEnd = ad.expectedEnd(adBreak.source == .metadata ? dataRange : nil)
                end = max(end, adEnd)
                tables[adBreak.track, default: Table()].ads.append(
                    Interval(start: ad.start, end: adEnd, breakID: adBreak.id, adID: ad.id))
            }
            guard adBreak.presence != .vanished else { continue }
            tables[adBreak.track, default: Table()].breaks.append(
                Interval(start: adBreak.start, end: end, breakID: adBreak.id, adID: nil))
        }
        edge = dataRange.map { ($0.end, nextAdEnd) }
        let known = Set(book.breaks.map(\.id))
        breakLabels = breakLabels.filter { known.contains($0.key) }
        reached.formIntersection(known)
        for track in Array(tables.keys) {
            guard var table = tables[track] else { continue }
            table.ads.sort { ($0.start, $0.end) < ($1.start, $1.end) }
            table.boundaries = (table.breaks + table.ads).flatMap { [$0.start, $0.end] }.sorted()
            tables[track] = table
        }
    }

    /// Interstitials have their own letter because they have their own clock.
    private mutating func label(_ adBreak: KnownBreak) {
        guard breakLabels[adBreak.id] == nil else { return }
        breakLabels[adBreak.id] = (adBreak.source == .interstitial ? "I" : "B") + String(nextNumber)
        nextNumber += 1
    }

    /// Notes a break that is on air, or has a beacon that was due.
    /// - Returns: whether it is for the first time.
    mutating func noteReached(_ id: BreakID) -> Bool { reached.insert(id).inserted }

    /// - Parameter isAhead: whether what starts at a time is not shown yet, although that time was (TRK-30).
    func onAir(
        at time: UnixTime, on track: AdTrack, without isAhead: (UnixTime) -> Bool = { _ in false }
    ) -> OnAir {
        guard let table = tables[track] else { return OnAir() }
        let ad = Self.interval(at: time, in: table.ads, without: isAhead)
        let adBreak = ad?.breakID ?? Self.interval(at: time, in: table.breaks, without: isAhead)?.breakID
        return OnAir(breakID: adBreak, adID: ad?.adID)
    }

    /// The first start or end on `track` after `date`.
    func nextBoundary(after date: UnixTime, on track: AdTrack) -> UnixTime? {
        guard let boundaries = tables[track]?.boundaries else { return nil }
        let index = boundaries.partitioningIndex { $0 > date }
        return index < boundaries.count ? boundaries[index] : nil
    }

    /// Label such as `B2`.
    func label(of id: BreakID) -> String {
        breakLabels[id] ?? "B?"
    }

    /// Label such as `B2/A1`.
    func label(of id: AdID) -> String {
        adLabels[id].map { "\(label(of: $0.breakID))/A\($0.number)" } ?? "B?/A?"
    }

    private static func interval(
        at date: UnixTime, in intervals: [Interval], without isAhead: (UnixTime) -> Bool
    ) -> Interval? {
        let end = intervals.partitioningIndex { $0.start > date }
        return intervals[max(0, end - overlapReach)..<end].last { date < $0.end && !isAhead($0.start) }
    }

    /// Updates the tables after a merge; most merges change nothing.
    mutating func replan(after merge: MergeReport, _ tracker: AdTracker) {
        guard merge.changesAnything || !isPlanned(tracker.dataRange) else { return }
        plan(tracker.book, tracker.dataRange)
    }
}
