import Ports

/// The findings about a document, up to a limit: one with a fault in every element has hundreds of thousands.
///
/// Beyond the limit the first finding of every rule and further errors are kept, so that thousands of warnings hide
/// neither an error nor a rule.
struct KeptFindings {
    /// Most findings before only errors and the first of each rule are added; errors are added up to the same number.
    static let maximum = 2_000

    private var findings: [Finding] = []
    private var errors = 0
    private var tallies: [LintRule: Tally] = [:]

    private struct Tally {
        /// Index of the last finding of the rule that was kept.
        var last: Int
        var leftOut = 0
    }

    /// Whether a finding is kept; one that is not is counted.
    mutating func hasRoom(for rule: LintRule, _ severity: Severity) -> Bool {
        if findings.count < Self.maximum || tallies[rule] == nil || (severity == .error && errors < Self.maximum) {
            return true
        }
        tallies[rule]?.leftOut += 1
        return false
    }

    mutating func append(_ finding: Finding, of rule: LintRule) {
        tallies[rule] = Tally(last: findings.count, leftOut: tallies[rule]?.leftOut ?? 0)
        if finding.severity == .error { errors += 1 }
        findings.append(finding)
    }

    /// All that were kept. The last of a rule states how many more the document has.
    var all: [Finding] {
        var findings = findings
        for tally in tallies.values where tally.leftOut > 0 {
            findings[tally.last].message += " (and \(tally.leftOut) more)"
        }
        return findings
    }
}
