/// How severe a finding is, from least to most.
package enum Severity: String, Comparable, Sendable, CaseIterable, Codable {
    case info, warning, error

    package static func < (left: Self, right: Self) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .info: 0
        case .warning: 1
        case .error: 2
        }
    }
}

/// A closed list of the codes of one kind of finding. Each code has an entry in docs/rules; a test checks that.
package protocol FindingCode: RawRepresentable<String>, CaseIterable, Sendable {}

/// An error or a remarkable fact in input. Findings are results to show, never thrown.
package struct Finding: Hashable, Sendable {
    /// Stable rule identifier, e.g. `target-duration-exceeded` or `L03`.
    package var rule: String
    package var severity: Severity
    /// One sentence that includes the offending value; text from outside is not yet sanitised here.
    package var message: String
    /// 1-based line of a playlist or document.
    package var line: Int?
    /// 1-based column in bytes.
    package var column: Int?
    /// Path into a JSON document, e.g. `adBreaks[1].ads[0].duration`.
    package var path: String?
    /// The clause that the rule is based on, e.g. `rfc8216bis-22 4.4.4.1`.
    package var section: String?
    /// The break, ad or event that it is about; nil where it is about none.
    package var place: FindingPlace?

    package init(
        rule: String, severity: Severity, message: String, line: Int? = nil, column: Int? = nil, path: String? = nil,
        section: String? = nil
    ) {
        self.rule = rule
        self.severity = severity
        self.message = message
        self.line = line
        self.column = column
        self.path = path
        self.section = section
    }

    package init(
        rule: some FindingCode, severity: Severity, message: String, line: Int? = nil, column: Int? = nil,
        path: String? = nil, section: String? = nil
    ) {
        self.init(
            rule: rule.rawValue, severity: severity, message: message, line: line, column: column, path: path,
            section: section)
    }
}

extension Finding {
    /// The same finding about that place.
    package func at(_ place: FindingPlace?) -> Finding {
        var finding = self
        finding.place = place
        return finding
    }
}
