import DemoOrigin

/// How often each beacon may have arrived: once, or where creatives have fixed URLs as often as they have aired.
struct AiringPlan: Sendable {
    /// A viewer is behind the live edge and begins to play what was published before it began.
    private static let behindMs = 15_000
    /// How far ahead the plan is computed in one step.
    private static let horizonMs = 60_000

    private let startMs: Int
    private var sessions: [String: Session] = [:]

    private struct Session: Sendable {
        var plannedToMs: Int
        /// The dates at which each target is due, in order.
        var datesMs: [String: [Int]] = [:]
    }

    /// - Parameter startMs: when the first viewer begins.
    init(startMs: Int) {
        self.startMs = startMs
    }

    /// The number of airings of `target` until `nowMs`.
    mutating func airings(of target: String, session name: String, in stream: LiveStream, at nowMs: Int) -> Int {
        guard stream.scenario.airsAgain else { return 1 }
        // A start that was moved is due before or after its time.
        let shiftMs = Int(stream.scenario.shift.components.seconds) * 1_000 + 1_000
        var session = sessions[name] ?? Session(plannedToMs: startMs - Self.behindMs - shiftMs)
        let endMs = nowMs + shiftMs
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
}
