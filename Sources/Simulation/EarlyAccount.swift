import DemoOrigin
import Ports

/// Checks that no beacon is sent before its moment: compares what a session sends with the part of the origin's plan that it has not
/// played yet. That beacons are sent at all is the matter of `DueAccount`.
struct EarlyAccount: Sendable {
    /// How much earlier a beacon may be sent than dates jump and starts change: less than the distance to the live edge, where metadata ends. A
    /// session that sends what is listed at once is no earlier than that.
    private static let tolerance: Duration = .seconds(3)
    /// How far ahead the plan is known at least.
    private static let horizon: Duration = .seconds(120)

    /// The latest date that the process has played.
    private var reached: UnixTime?
    /// When the beacons ahead are due, by URL, up to `plannedTo`.
    private var comingMs: [String: Int] = [:]
    private var plannedTo: UnixTime?

    /// The session plays at that date.
    mutating func plays(at date: UnixTime) { reached = reached.map { max($0, date) } ?? date }

    /// A sentence about a beacon that is sent too early; nil for all others.
    /// - Parameter url: as the plan has it.
    mutating func problem(sending url: String, session: String, in stream: LiveStream) -> String? {
        guard let reached else { return nil }
        lookAhead(of: reached, session, stream)
        guard let atMs = comingMs[url] else { return nil }
        let early = Int64(atMs) - reached.milliseconds
        let jump = Duration.milliseconds(stream.scenario.stream.dateJumpMs)
        guard early > (Self.tolerance + stream.scenario.shift + jump).inMilliseconds else { return nil }
        return "\(url) was sent \(early) ms before its moment"
    }

    private mutating func lookAhead(of date: UnixTime, _ session: String, _ stream: LiveStream) {
        let from = plannedTo ?? date
        guard from < date + Self.horizon else { return }
        let (dateMs, to) = (Int(date.milliseconds), date + Self.horizon * 2)
        comingMs = comingMs.filter { $0.value > dateMs }
        let plan = stream.plan(
            session: session, fromMs: Int(from.milliseconds), toMs: Int(to.milliseconds), joins: false)
        for beacon in plan { comingMs[SimulatedNetwork.base + beacon.target] = beacon.atMs }
        plannedTo = to
    }

    /// A new process starts to play elsewhere.
    mutating func restarted() { self = EarlyAccount() }
}
