package import Ports
import Rules
package import Session

/// All findings of one rule in a session.
package struct FindingGroup: Sendable, Equatable {
    /// Code of the rule.
    package var rule: String
    /// The most severe of them.
    package var severity: Severity
    /// Occurrences of all of them.
    package var count = 0
    package var first: Moment
    package var last: Moment
    /// One entry for each path of a document, in the order in which they were first seen.
    package var entries: [FindingView] = []

    /// The newest of them.
    var newest: FindingView? { entries.max { $0.last.uptime < $1.last.uptime } }
    /// What the rule is called in docs/rules; the code where it has no entry.
    var title: String { RuleLibrary.builtIn[rule]?.title ?? rule }

    /// The findings by rule: errors first, and among equals those that were seen first.
    static func all(of findings: [FindingView]) -> [FindingGroup] {
        var groups: [String: FindingGroup] = [:]
        // Findings come newest first; entries are kept in the order of their first occurrence.
        for view in findings.sorted(by: { $0.first.uptime < $1.first.uptime }) {
            let rule = view.finding.rule
            var group =
                groups[rule]
                ?? FindingGroup(rule: rule, severity: view.finding.severity, first: view.first, last: view.last)
            group.severity = max(group.severity, view.finding.severity)
            group.count += view.count
            if view.last.uptime > group.last.uptime { group.last = view.last }
            group.entries.append(view)
            groups[rule] = group
        }
        return groups.values.sorted {
            if $0.severity != $1.severity { return $0.severity > $1.severity }
            return ($0.first.uptime, $0.rule) < ($1.first.uptime, $1.rule)
        }
    }
}
