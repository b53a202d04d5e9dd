import AdTracking
package import Screen
import Session

/// The totals over the events of a break or an ad.
package struct Tally: Sendable, Equatable {
    /// The most urgent state of the events, `off` without events.
    package var sign = StateSign.off
    /// Answered with 2xx.
    package var done = 0
    /// Due in observe mode, and so not sent.
    package var observed = 0
    /// In flight or waiting for a retry.
    package var busy = 0
    private(set) var lost = LostBeacons()
    /// Those that were sent, or due in observe mode, late (docs/states.md).
    private(set) var late = 0
    /// Not sent.
    package var unsent = 0
    /// Those of them that are older than everything that was played.
    package var beforeJoin = 0
    /// Those of them that the service reports.
    package var byService = 0
    /// Why they are not sent.
    var unsentReasons = ReasonCounts()
    /// Not due yet.
    package var idle = 0
    /// All events that count; see `EventView.isCounted`.
    package var total = 0

    /// The one reason why none of them is sent, whatever the mode; nil where they have several, or another one.
    var reason: ReasonWord? {
        guard total > 0 else { return nil }
        if byService == total { return SkipReason.serverBeaconed.words }
        return beforeJoin == total ? .beforeJoin : nil
    }

    /// Adds one event.
    mutating func count(_ event: EventView) {
        guard event.isCounted else { return }
        let eventSign = StateSign(event)
        sign = total == 0 ? eventSign : sign.worse(eventSign)
        total += 1
        lost.count(event)
        if event.isLate { late += 1 }
        switch eventSign {
        case .done: done += 1
        case .observed: observed += 1
        case .busy, .retry: busy += 1
        case .idle: idle += 1
        case .off:
            unsent += 1
            unsentReasons.add(event.reasonWords)
            if event.isBeforeJoin { beforeJoin += 1 }
            if event.reason == .serverBeaconed { byService += 1 }
        case .failed, .partial, .unknown, .onAir: break
        }
    }

    /// Adds another tally.
    mutating func add(_ other: Tally) {
        guard other.total > 0 else { return }
        sign = total == 0 ? other.sign : sign.worse(other.sign)
        done += other.done
        observed += other.observed
        busy += other.busy
        lost.add(other.lost)
        late += other.late
        unsent += other.unsent
        beforeJoin += other.beforeJoin
        byService += other.byService
        unsentReasons.add(other.unsentReasons)
        idle += other.idle
        total += other.total
    }
}

/// How many events of one name succeeded, and how many of their beacons were lost.
package struct EventTally: Sendable, Equatable {
    /// The event's name as metadata has it.
    var event: String
    var done = 0
    var lost = LostBeacons()
}

/// A break's sums and matches, kept as long as the break does not change: snapshots share unchanged breaks, and
/// comparing shared arrays costs nothing.
package struct BreakSummary: Sendable {
    /// The break with these sums.
    let view: BreakView
    /// The filter the matches are for.
    let filter: TextFilter
    private(set) var tally = Tally()
    private(set) var ads: [Tally] = []
    private(set) var eventCount = 0
    /// The counted events in order of time, in as many parts as the bar of a row has cells: the most urgent of each
    /// part. Empty without events.
    private(set) var bar: [StateSign] = []
    /// Cells of the bar.
    static let barCells = 10
    private(set) var byEvent: [EventTally] = []
    /// Whether the break's own texts match the filter.
    private(set) var isMatch = false
    private(set) var adMatches: [Bool] = []
    private(set) var eventMatches: [[Bool]] = []
    /// Whether anything below the break matches.
    private(set) var hasMatchBelow = false

    /// Computes the sums of a break and its matches.
    init(_ view: BreakView, filter: TextFilter) {
        self.view = view
        self.filter = filter
        for ad in view.ads {
            var sum = Tally()
            for event in ad.events {
                sum.count(event)
                note(event)
            }
            eventCount += ad.events.count
            ads.append(sum)
            tally.add(sum)
        }
        bar = BreakSummary.bar(of: view)
        if !filter.isEmpty { match() }
    }

    private static func bar(of view: BreakView) -> [StateSign] {
        let signs = view.ads.flatMap(\.events).filter(\.isCounted).map { StateSign($0) }
        guard !signs.isEmpty else { return [] }
        return (0..<barCells).map { cell in
            let first = cell * signs.count / barCells
            let end = max(first + 1, (cell + 1) * signs.count / barCells)
            return signs[first..<end].dropFirst().reduce(signs[first]) { $0.worse($1) }
        }
    }

    private mutating func note(_ event: EventView) {
        guard event.isCounted, event.state != .idle else { return }
        let index = byEvent.firstIndex { $0.event == event.event }
        let place = index ?? byEvent.count
        if index == nil { byEvent.append(EventTally(event: event.event)) }
        byEvent[place].lost.count(event)
        if event.state == .done || event.state == .observed { byEvent[place].done += 1 }
    }

    private mutating func match() {
        isMatch = filter.occurs(in: view.label) || filter.occurs(in: view.name) || filter.occurs(in: view.source)
        for ad in view.ads {
            let adMatch = filter.occurs(in: ad.name) || filter.occurs(in: ad.label)
            let events = ad.events.map { matches($0) }
            adMatches.append(adMatch)
            eventMatches.append(events)
            if adMatch || events.contains(true) { hasMatchBelow = true }
        }
    }

    private func matches(_ event: EventView) -> Bool {
        let names = [event.event, event.state.rawValue, event.state.word.rawValue]
        if names.contains(where: filter.occurs) { return true }
        if let reason = event.reason, filter.occurs(in: reason.rawValue) { return true }
        // The words of its row.
        if event.state == .skipped, let words = event.reasonWords, filter.occurs(in: words.short) { return true }
        return event.urls.contains { filter.occurs(in: $0.url) }
    }
}
