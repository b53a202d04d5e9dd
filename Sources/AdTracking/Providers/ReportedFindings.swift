import Ports

/// The findings that a provider has reported. Where findings follow from all answers or records so far, each answer brings them again.
struct ReportedFindings: Sendable {
    /// Findings after which all are forgotten, so that a long session stays small.
    private static let limit = 2_000
    private var reported: Set<String> = []

    /// Those that were not reported yet.
    mutating func new(of findings: [Finding]) -> [Finding] {
        if reported.count > Self.limit { reported = [] }
        return findings.filter { reported.insert("\($0.rule) \($0.path ?? "")").inserted }
    }
}
