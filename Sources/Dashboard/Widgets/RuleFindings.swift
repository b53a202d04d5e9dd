import Ports
import Screen
import Session

/// The findings of one rule as one row: how often the text has them, how often the session has seen them, and one of
/// them in full.
struct RuleFindings: Sendable, Equatable {
    /// The first of them in the text, or the newest of the session where `countInText` is 0.
    var finding: Finding
    /// How many of them the shown text has.
    var countInText = 0
    /// How often and when the session has seen them; nil where that is not counted.
    var seen: FindingView?

    /// One entry a rule, in the order in which the rules are first met. A document that breaks a rule on every line has
    /// one entry.
    static func byRule(_ findings: [Finding]) -> [RuleFindings] {
        var rules: [RuleFindings] = []
        var places: [String: Int] = [:]
        for finding in findings {
            let place = places[finding.rule] ?? rules.count
            if place == rules.count {
                places[finding.rule] = place
                rules.append(RuleFindings(finding: finding))
            }
            rules[place].countInText += 1
        }
        return rules
    }

    /// The row, without an end of its own.
    func line(_ context: ViewContext) -> StyledLine {
        var line = StyledLine(finding.severity.letter + " ", finding.severity.role)
        line.append(SafeText(outside: finding.rule, columns: 40), finding.severity.role)
        if countInText > 1 { line.add(" \(countInText)x", .text) }
        if countInText > 0, let number = finding.line { line.add("  line \(number)", .textMuted) }
        if countInText == 0 { line.append("  earlier", .textMuted) }
        line.space(2)
        line.append(SafeText(outside: context.prose(finding.message), columns: 200), .text)
        return line
    }
}
