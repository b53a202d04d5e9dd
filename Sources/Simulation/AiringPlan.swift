import DemoOrigin

/// How often each beacon may have arrived: once, or where creatives have fixed URLs as often as they have aired since the first
/// date that the viewer played.
struct AiringPlan: Sendable {
    /// A viewer is behind the live edge and begins to play what was published before it began.
    private static let behindMs = 15_000
    /// How far ahead the plan is computed in one step.
    private static let horizonMs = 60_000

    private let startMs: Int
    private var sessions: [String: Session] = [:]

    private struct Session: Sendable {
        var plannedFromMs: Int
        var plannedToMs: Int
        /// The dates at which each target is due, in order.
        var datesMs: [String: [Int]] = [:]

        init(fromMs: Int) { (plannedFromMs, plannedToMs) = (fromMs, fromMs) }
    }

    /// - Parameter startMs: when the first viewer begins.
    init(startMs: Int) {
        self.startMs = startMs
    }

    /// The viewer plays at that date. Where a damaged playlist ends early, it joins long before the live edge.
    mutating func plays(at dateMs: Int, session name: String, in stream: LiveStream) {
        guard stream.scenario.airsAgain else { return }
        var session = session(name, stream)
        let fromMs = dateMs - Self.shiftMs(stream)
        guard fromMs < session.plannedFromMs else { return }
        let plan = stream.plan(session: name, fromMs: fromMs, toMs: session.plannedFromMs, joins: false)
        for beacon in plan.reversed() { session.datesMs[beacon.target, default: []].insert(beacon.atMs, at: 0) }
        session.plannedFromMs = fromMs
        sessions[name] = session
    }

    /// The number of airings of `target` until `nowMs`.
    mutating func airings(of target: String, session name: String, in stream: LiveStream, at nowMs: Int) -> Int {
        guard stream.scenario.airsAgain else { return 1 }
        var session = session(name, stream)
        let endMs = nowMs + Self.shiftMs(stream)
        if endMs > session.plannedToMs {
            let toMs = endMs + Self.horizonMs
            for beacon in stream.plan(session: name, fromMs: session.plannedToMs, toMs: toMs, joins: false) {
                session.datesMs[beacon.target, default: []].append(beacon.atMs)
            }
            session.plannedToMs = toMs
        }
        sessions[name] = session
        return max(1, session.datesMs[target]?.prefix { $0 <= endMs }.count ?? 0)
    }

    private func session(_ name: String, _ stream: LiveStream) -> Session {
        sessions[name] ?? Session(fromMs: startMs - Self.behindMs - Self.shiftMs(stream))
    }

    /// A start that was moved is due before or after its time.
    private static func shiftMs(_ stream: LiveStream) -> Int {
        Int(stream.scenario.shift.components.seconds) * 1_000 + 1_000
    }
}
