import Ports
import Rules
import Screen
import Session

/// The words of a session's verdict in the table: its worst problem, with what is known about it.
extension SessionTableModel.Row {
    /// Empty where nothing is wrong, now or before.
    static func why(_ verdict: Verdict, _ health: SessionHealth) -> String {
        switch verdict.problems.first {
        case .notOpened?, .over?, .playlist?, .metadata?, .ping?: return health.problem ?? "not answered"
        case .stalled?: return "playhead stalled"
        case .failed(let count)?: return failed(count, verdict.beacons.failedPings == count, health.recent.failure)
        case .findings(let errors, let warnings)?:
            return health.worstFinding.map(words) ?? (errors + warnings).counted("finding")
        case .unknown(let count)?: return count.counted("beacon") + " of unknown outcome"
        case .behind(let latency)?: return "\(TimeText.span(latency)) behind"
        // What failed before and is over now.
        case nil: return health.problem ?? ""
        }
    }

    /// `3 failed: firstQuartile 503 t.example.com`, of the newest of them; `2 beacons failed` where an earlier process sent them.
    private static func failed(_ count: Int, _ arePings: Bool, _ newest: FailedBeacon?) -> String {
        let whole = count.counted(arePings ? "ping" : "beacon") + " failed"
        guard let newest else { return whole }
        let cause = EventOutcome.cause(status: newest.status, newest.failure)
        let parts = [arePings ? nil : newest.event, cause, newest.host.isEmpty ? nil : newest.host]
        return (arePings ? whole : "\(count.grouped) failed") + ": " + parts.compactMap(\.self).joined(separator: " ")
    }

    /// `Metadata came too late (7 times)`
    private static func words(_ view: FindingView) -> String {
        let title = RuleLibrary.builtIn[view.finding.rule]?.title ?? view.finding.rule
        return view.count > 1 ? "\(title) (\(view.count.grouped) times)" : title
    }

    /// The role of the whole row; nil where nothing needs attention.
    var role: Role? {
        switch verdict.urgency {
        case .down: .stateFailed
        case .stalled, .failed, .found: .stateRetry
        case .unknown, .warned, .fine: nil
        }
    }
}
