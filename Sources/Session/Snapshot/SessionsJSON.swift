import AdTracking
package import Ports

/// Many sessions in the documented schema `adtop-sessions/1` (docs/monitor.md): times are whole milliseconds, dates are
/// since the Unix epoch. Secrets in URLs and messages are masked unless disabled.
package struct SessionsJSON: Sendable {
    package static let version = "adtop-sessions/1"

    package var isRedacted: Bool

    package init(isRedacted: Bool = true) {
        self.isRedacted = isRedacted
    }

    package func value(of sessions: [SessionHealth], at now: Moment) -> JSONValue {
        [
            "schema": .string(Self.version), "atMs": .integer(now.wall.milliseconds),
            "totals": totals(sessions), "sessions": .array(sessions.map { session($0, at: now) }),
        ]
    }

    private func totals(_ sessions: [SessionHealth]) -> JSONValue {
        var phases: [SessionView.Phase: Int] = [:]
        for session in sessions { phases[session.phase, default: 0] += 1 }
        return [
            "sessions": .integer(Int64(sessions.count)),
            "phases": .object(
                JSONObject(
                    SessionView.Phase.allCases.map {
                        JSONObject.Member(name: $0.rawValue, value: .integer(Int64(phases[$0] ?? 0)))
                    })),
            "beacons": beacons(sessions.reduce(SessionHealth.Beacons()) { $0 + $1.beacons }),
            "worstLateMs": span(sessions.map(\.deliveries.worstLateness).max()),
        ]
    }

    private func session(_ session: SessionHealth, at now: Moment) -> JSONValue {
        [
            "name": .string(session.name), "mediaUrl": .string(url(session.mediaURL)),
            "phase": .string(session.phase.rawValue), "mode": .string(session.mode.rawValue),
            "kind": .string(session.kind.rawValue), "playhead": .string(session.playhead.rawValue),
            "latencyMs": span(session.latency), "onAir": .bool(session.isOnAir),
            "breaks": .integer(Int64(session.breaks)), "ads": .integer(Int64(session.ads)),
            "beacons": beacons(session.beacons), "worstLateMs": span(session.deliveries.worstLateness),
            "pollAgeMs": span(session.pollAge(at: now)), "findings": findings(session.findings),
            "problem": .optional(session.problem.map { isRedacted ? Redaction.text($0) : $0 }),
        ]
    }

    private func beacons(_ sum: SessionHealth.Beacons) -> JSONValue {
        [
            "due": .integer(Int64(sum.due)), "sent": .integer(Int64(sum.sent)),
            "acknowledged": .integer(Int64(sum.acknowledged)), "failed": .integer(Int64(sum.failed)),
            "unknown": .integer(Int64(sum.unknown)),
        ]
    }

    private func findings(_ counts: [Severity: Int]) -> JSONValue {
        .object(
            JSONObject(
                Severity.allCases.map {
                    JSONObject.Member(name: $0.rawValue, value: .integer(Int64(counts[$0] ?? 0)))
                }))
    }

    private func span(_ span: Duration?) -> JSONValue { .optional(span?.roundedMilliseconds) }
    private func url(_ text: String) -> String { isRedacted ? Redaction.url(text) : text }
}
