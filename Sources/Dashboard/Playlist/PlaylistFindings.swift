import Monitoring
import Ports

/// The findings of one rule: how often in the newest text, how often in the session, and one of them in full.
struct RuleFindings: Sendable, Equatable {
    /// The newest of them; its line is of the newest text unless `countInText` is 0.
    var finding: Finding
    /// How often the newest text has it.
    var countInText = 0
    /// How often and when the session has seen it; nil when the session's table has dropped it.
    var seen: FindingView?
}

/// Everything that is wrong with the followed playlist, one entry a rule.
enum PlaylistFindings {
    /// Those of the newest text first, worst first and in order of lines, then what only reloads have shown.
    static func byRule(_ detail: PlaylistDetail?, session: [FindingView]) -> [RuleFindings] {
        let seen = session.filter { $0.source == .playlist }
        var rules: [RuleFindings] = []
        var places: [String: Int] = [:]
        for finding in detail?.text.findings ?? [] {
            let place = places[finding.rule] ?? rules.count
            if place == rules.count {
                places[finding.rule] = place
                rules.append(RuleFindings(finding: finding))
            }
            rules[place].countInText += 1
        }
        for view in seen {
            if let place = places[view.finding.rule] {
                rules[place].seen = view
            } else {
                rules.append(RuleFindings(finding: view.finding, seen: view))
            }
        }
        return rules.enumerated().sorted { left, right in
            let one = left.element, other = right.element
            if (one.countInText > 0) != (other.countInText > 0) { return one.countInText > 0 }
            if one.finding.severity != other.finding.severity { return one.finding.severity > other.finding.severity }
            return left.offset < right.offset
        }.map(\.element)
    }
}
