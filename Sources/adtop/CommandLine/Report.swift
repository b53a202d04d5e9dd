import Ports

/// Text output of the tools: one line for each finding, and documents as an indented tree.
enum Report {
    /// `place:line: severity rule: message (section)`, the form of compiler messages. Standard input, given as `-`, is `stdin`.
    static func finding(_ finding: Finding, place: String) -> ToolLine {
        let position = [finding.line, finding.column].compactMap { $0 }.map { ":\($0)" }.joined()
        let path = finding.path.map { " at \($0)" } ?? ""
        let section = finding.section.map { " (\($0))" } ?? ""
        let severity = finding.severity.rawValue
        return """
            \(shown(place), .strong)\(position): \(severity, finding.severity.tint) \(finding.rule, .strong): \
            \(finding.message)\(path)\(section, .muted)
            """
    }

    private static func shown(_ place: String) -> String { place == "-" ? "stdin" : place }

    /// One line for each member, nested members indented, without absent values.
    static func tree(_ value: JSONValue) -> [String] { value.outline() }
}

extension Report {
    /// A workflow command of GitHub Actions, with values escaped as GitHub documents it.
    static func annotation(_ finding: Finding, place: String) -> String {
        let level =
            switch finding.severity {
            case .error: "error"
            case .warning: "warning"
            case .info: "notice"
            }
        let line = finding.line.map { ",line=\($0)" } ?? ""
        let column = finding.column.map { ",col=\($0)" } ?? ""
        return
            "::\(level) file=\(escaped(shown(place), isProperty: true))\(line)\(column),title=\(finding.rule)::\(escaped(finding.message, isProperty: false))"
    }

    /// Schema adtop-findings/1.
    static func json(_ findings: [Finding]) -> JSONValue {
        let list = findings.map { finding -> JSONValue in
            [
                "rule": .string(finding.rule), "severity": .string(finding.severity.rawValue),
                "message": .string(finding.message), "line": .optional(finding.line),
                "column": .optional(finding.column),
                "path": .optional(finding.path), "section": .optional(finding.section),
            ]
        }
        return ["schema": "adtop-findings/1", "findings": .array(list)]
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            case ":" where isProperty: "%3A"
            case "," where isProperty: "%2C"
            default: nil
            }
        }
    }
}

extension Severity {
    /// The colour of the severity in tool output.
    var tint: ToolLine.Tint {
        switch self {
        case .error: .error
        case .warning: .warning
        case .info: .info
        }
    }
}
