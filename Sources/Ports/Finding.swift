/// How much a finding matters; ordered from least to most.
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

/// Something wrong or remarkable in what was read: the value users came to see, never an exception.
package struct Finding: Hashable, Sendable {
    /// Stable rule identifier, e.g. `target-duration-exceeded` or `L03`.
    package var rule: String
    package var severity: Severity
    /// One sentence, with the offending value; text from outside is still raw here.
    package var message: String
    /// Where: a 1-based line of a playlist or document.
    package var line: Int?
    /// Where: 1-based column in bytes.
    package var column: Int?
    /// Where: a path into JSON, e.g. `adBreaks[1].ads[0].duration`.
    package var path: String?
    /// The clause it rests on, e.g. `rfc8216bis-22 4.4.4.1`.
    package var section: String?

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
}
