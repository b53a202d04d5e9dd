import Ports

/// Collects findings, so many of one rule and no more: a hostile playlist has one for every line.
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
            Finding(rule: rule.rawValue, severity: rule.severity, message: text, line: line, section: rule.section))
    }

    /// In bytes; names in a playlist may be as long as its lines.
    private static let longestMessage = 800

    /// In order of lines, those without one last; where a rule had more than are kept, its last finding says so.
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
