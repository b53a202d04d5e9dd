extension Verdict {
    /// How urgent the worst problem of a session is among those of many sessions.
    package enum Urgency: Int, Comparable, Sendable {
        case fine, warned, unknown, found, failed, stalled, down

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The urgency of the worst problem; `fine` without one.
    package var urgency: Urgency { problems.first?.urgency ?? .fine }

    /// Whether a person should look at the session.
    package var needsAttention: Bool { urgency >= .found }
}

extension Verdict.Problem {
    package var urgency: Verdict.Urgency {
        switch self {
        case .notOpened, .over, .playlist, .metadata, .ping: .down
        case .stalled: .stalled
        case .failed: .failed
        case .findings(let errors, _): errors > 0 ? .found : .warned
        case .unknown: .unknown
        case .behind: .warned
        }
    }
}
