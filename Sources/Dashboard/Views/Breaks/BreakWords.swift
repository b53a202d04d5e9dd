import AdTracking
import Ports
import Session

/// The words by which the breaks can be filtered: states and what is wrong first, then what beacons, ads and breaks are called.
enum BreakWords {
    /// What needs attention first.
    private static let order: [StateWord] = [
        .failed, .partial, .unknown, .retry, .notSent, .busy, .observed, .idle, .done,
    ]

    /// Events that are looked at, the newest ones.
    private static let mostEvents = 5_000

    static func list(_ breaks: [BreakView]) -> [FilterWord] {
        let events = breaks.flatMap(\.ads).flatMap(\.events).filter(\.isCounted).suffix(mostEvents)
        let states = order.flatMap { word in events.filter { $0.state.word == word }.map { _ in word.rawValue } }
        let hosts = events.filter { $0.state == .failed || $0.state == .partial }.flatMap(\.urls)
            // What is no web address is never requested, and has no host.
            .compactMap { try? WebURL(written: $0.url).host }
        return FilterWord.joined(
            FilterWord.counted(states, "event"), FilterWord.counted(hosts, "failed beacon"),
            FilterWord.counted(events.compactMap { $0.state == .skipped ? $0.reasonWords?.short : nil }, "event"),
            FilterWord.counted(events.map(\.event), "event"),
            FilterWord.counted(breaks.reversed().map(\.label), "break"))
    }
}
