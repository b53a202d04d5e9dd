import AdTracking
import Ports

/// What is on air when, as sorted tables, so that a tick costs the same however many breaks there are.
struct AirPart {
    /// Intervals that may overlap the one found; more in one place are not looked at.
    private static let overlapReach = 8

    struct Interval {
        var start: UnixTime
        var end: UnixTime
        var breakID: BreakID
        var adID: AdID?
    }

    /// What a viewer sees.
    struct OnAir: Equatable {
        var breakID: BreakID?
        var adID: AdID?
    }

    private struct AdLabel {
        var breakID: BreakID
        var number: Int
    }

    private var breaks: [Interval] = []
    private var ads: [Interval] = []
    /// Every begin and end, sorted.
    private var boundaries: [UnixTime] = []
    private var breakNumbers: [BreakID: Int] = [:]
    private var adLabels: [AdID: AdLabel] = [:]
    private var nextNumber = 1
    var current = OnAir()

    /// Takes in what metadata says now. Breaks keep the number they got at first sight.
    mutating func plan(_ book: BreakBook, _ dataRange: DataRange?) {
        breaks = []
        ads = []
        adLabels = [:]
        for adBreak in book.breaks {
            number(adBreak.id)
            var end = adBreak.end
            for (index, ad) in adBreak.ads.enumerated() {
                adLabels[ad.id] = AdLabel(breakID: adBreak.id, number: index + 1)
                guard ad.presence != .vanished, adBreak.presence != .vanished else { continue }
                let adEnd = ad.expectedEnd(adBreak.source == .metadata ? dataRange : nil)
                end = max(end, adEnd)
                ads.append(Interval(start: ad.start, end: adEnd, breakID: adBreak.id, adID: ad.id))
            }
            guard adBreak.presence != .vanished else { continue }
            breaks.append(Interval(start: adBreak.start, end: end, breakID: adBreak.id, adID: nil))
        }
        let known = Set(book.breaks.map(\.id))
        breakNumbers = breakNumbers.filter { known.contains($0.key) }
        ads.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        boundaries = Set((breaks + ads).flatMap { [$0.start, $0.end] }).sorted()
    }

    private mutating func number(_ id: BreakID) {
        guard breakNumbers[id] == nil else { return }
        breakNumbers[id] = nextNumber
        nextNumber += 1
    }

    func onAir(at date: UnixTime?) -> OnAir {
        guard let date else { return OnAir() }
        let ad = Self.interval(at: date, in: ads)
        return OnAir(breakID: ad?.breakID ?? Self.interval(at: date, in: breaks)?.breakID, adID: ad?.adID)
    }

    /// The first begin or end after `date`.
    func nextBoundary(after date: UnixTime) -> UnixTime? {
        let index = Self.count(in: boundaries) { $0 <= date }
        return index < boundaries.count ? boundaries[index] : nil
    }

    /// The start of the first break after `date`.
    func nextBreak(after date: UnixTime) -> UnixTime? {
        let index = Self.count(in: breaks) { $0.start <= date }
        return index < breaks.count ? breaks[index].start : nil
    }

    /// `B2`
    func label(of id: BreakID) -> String {
        breakNumbers[id].map { "B\($0)" } ?? "B?"
    }

    /// `B2/A1`
    func label(of id: AdID) -> String {
        adLabels[id].map { "\(label(of: $0.breakID))/A\($0.number)" } ?? "B?/A?"
    }

    private static func interval(at date: UnixTime, in intervals: [Interval]) -> Interval? {
        let end = count(in: intervals) { $0.start <= date }
        return intervals[max(0, end - overlapReach)..<end].last { date < $0.end }
    }

    /// How many of the leading elements satisfy `isLeading`; binary search.
    private static func count<Element>(in elements: [Element], _ isLeading: (Element) -> Bool) -> Int {
        var low = 0
        var high = elements.count
        while low < high {
            let middle = low + (high - low) / 2
            if isLeading(elements[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension MonitorState {
    mutating func replanAir() {
        guard let tracker else { return }
        air.plan(tracker.book, tracker.dataRange)
    }

    /// Logs begins and ends of breaks and ads.
    mutating func watchAir(at now: Moment) {
        let new = air.onAir(at: playheadDate)
        let old = air.current
        guard new != old else { return }
        air.current = new
        views.touch([old.breakID, new.breakID].compactMap { $0 })
        if old.breakID != new.breakID {
            if let id = old.breakID, let tracker {
                note(.info, "break \(air.label(of: id)) ended", at: now)
                noteFindings(DeliveryLint.breakEnded(id, in: tracker), from: .delivery, at: now)
            }
            if let id = new.breakID, let adBreak = tracker?.book[id] {
                let ads = Wording.count(adBreak.presentAds.count, "ad")
                note(.info, "break \(air.label(of: id)) started \(Wording.seconds(adBreak.duration)) \(ads)", at: now)
            }
        }
        if let id = new.adID, id != old.adID, let breakID = new.breakID,
            let ad = tracker?.book[breakID]?.ads.first(where: { $0.id == id })
        {
            note(.info, "ad \(air.label(of: id)) \(ad.name.text) started", at: now)
        }
    }
}
