import Ports
import Session

/// The report of `adtop doctor` as a table of text.
enum DoctorText {
    private static let subjectColumns = 46

    /// One line for each step, its advice below it, and the verdict. URLs are redacted.
    static func lines(of report: DoctorReport) -> [ToolLine] {
        let subjects = report.rows.map { elided(Redaction.url($0.subject)) }
        let times = report.rows.map { $0.took.map { "\($0.millisecondsText) ms" } ?? "" }
        let steps = width(report.rows.map(\.step))
        let (wide, long) = (width(subjects), width(times))
        var lines: [ToolLine] = []
        var given: Set<String> = []
        for (row, (subject, time)) in zip(report.rows, zip(subjects, times)) {
            lines.append(
                """
                \(row.state.mark, row.state.tint) \(row.step.padding(to: steps))  \
                \(subject.padding(to: wide), .strong)  \(time.paddingStart(to: long), .muted)  \(Redaction.text(row.result))
                """)
            // The same advice need not stand below each row.
            if let advice = row.advice, given.insert(advice).inserted {
                lines.append("  \("→ " + advice, .info)")
            }
        }
        return lines + ["", ToolLine(Redaction.text(report.sentence), .strong)]
    }

    private static func width(_ texts: [String]) -> Int { texts.map(\.count).max() ?? 0 }

    /// The start and the end: both name a URL.
    private static func elided(_ text: String) -> String {
        guard text.count > subjectColumns else { return text }
        let half = subjectColumns / 2
        return "\(text.prefix(half))…\(text.suffix(subjectColumns - half - 1))"
    }
}

extension DoctorReport.State {
    fileprivate var mark: String {
        switch self {
        case .good: "✓"
        case .warning: "!"
        case .failed: "✗"
        case .notAllowed: "⊘"
        }
    }

    fileprivate var tint: ToolLine.Tint {
        switch self {
        case .good: .good
        case .warning: .warning
        case .failed, .notAllowed: .error
        }
    }
}

extension DoctorReport.Verdict {
    var status: ExitStatus {
        switch self {
        case .reachable: .fine
        case .limited: .findings
        case .unreachable: .network
        }
    }
}
