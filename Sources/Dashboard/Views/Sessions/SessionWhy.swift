import Ports
import Rules
import Screen
import Session

/// How a session is, in words: what is wrong with it, and how urgent that is.
struct SessionWhy {
    /// The higher, the further up the session is in the table.
    enum Urgency: Int, Comparable {
        case fine, warned, unknown, found, failed, stalled, down

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    let urgency: Urgency
    /// Empty where nothing is wrong.
    let text: String

    init(_ health: SessionHealth, _ beacons: SessionHealth.Beacons) {
        let worst = health.worstFinding
        if health.isFailing {
            (urgency, text) = (.down, health.problem ?? "")
        } else if health.playhead == .stalled, health.phase == .running {
            (urgency, text) = (.stalled, "playhead stalled")
        } else if beacons.failed > 0 {
            let last = health.latestError?.kind == .beacon ? health.latestError.map { ": \($0.message)" } ?? "" : ""
            (urgency, text) = (.failed, plural(beacons.failed, "beacon") + " failed" + last)
        } else if (health.findings[.error] ?? 0) > 0 {
            (urgency, text) = (.found, worst.map(Self.words) ?? plural(health.findings[.error] ?? 0, "error"))
        } else if beacons.unknown > 0 {
            (urgency, text) = (.unknown, plural(beacons.unknown, "beacon") + " of unknown outcome")
        } else if let problem = health.problem {
            (urgency, text) = (.warned, problem)
        } else {
            (urgency, text) = (worst == nil ? .fine : .warned, worst.map(Self.words) ?? "")
        }
    }

    /// `Metadata came too late 7×`
    private static func words(_ view: FindingView) -> String {
        let title = RuleLibrary.builtIn[view.finding.rule]?.title ?? view.finding.rule
        return view.count > 1 ? "\(title) (\(view.count) times)" : title
    }

    /// The role of the whole row; nil where nothing needs attention.
    var role: Role? {
        switch urgency {
        case .down: .stateFailed
        case .stalled, .failed, .found: .stateRetry
        case .unknown, .warned, .fine: nil
        }
    }

    /// Whether a person should look at it.
    var needsAttention: Bool { urgency >= .found }
}
