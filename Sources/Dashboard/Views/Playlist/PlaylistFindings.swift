import Ports
import Session

/// All findings on the followed playlist, one entry a rule.
enum PlaylistFindings {
    /// Findings of the newest text come first, worst first and by line, then those that only reloads have shown.
    static func byRule(_ detail: PlaylistDetail?, session: [FindingView]) -> [RuleFindings] {
        let seen = session.filter { $0.source == .playlist }
        var rules = RuleFindings.byRule(detail?.text.findings ?? [])
        let places = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.finding.rule, $0) })
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
