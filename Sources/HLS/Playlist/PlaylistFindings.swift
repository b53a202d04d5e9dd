import Ports

/// Collects findings, up to a limit per rule: a hostile playlist has one on every line.
struct PlaylistFindings {
    private var findings: [Finding] = []
    private var counts: [PlaylistRule: Int] = [:]

    /// Adds one at a line, or one about the whole playlist when `line` is nil.
    mutating func add(_ rule: PlaylistRule, line: Int?, _ message: @autoclosure () -> String) {
        let count = counts[rule, default: 0] + 1
        counts[rule] = count
        guard count <= PlaylistLimits.findingsPerRule else { return }
        var text = message()
        if text.utf8.count > Self.longestMessage { text = text.prefix(Self.longestMessage / 4) + "…" }
        findings.append(
            Finding(rule: rule, severity: rule.severity, message: text, line: line, section: rule.section))
    }

    /// Longest message in bytes: names in a playlist may be as long as its lines.
    private static let longestMessage = 800

    /// The findings in the order of lines, those without a line last. The last finding of a rule with more findings
    /// than the limit states how many were dropped.
    func sorted() -> [Finding] {
        var findings = findings
        for (rule, count) in counts where count > PlaylistLimits.findingsPerRule {
            guard let last = findings.lastIndex(where: { $0.rule == rule.rawValue }) else { continue }
            findings[last].message += " (and \(count - PlaylistLimits.findingsPerRule) more)"
        }
        return findings.enumerated().sorted { left, right in
            (left.element.line ?? .max, left.offset) < (right.element.line ?? .max, right.offset)
        }.map(\.element)
    }
}
