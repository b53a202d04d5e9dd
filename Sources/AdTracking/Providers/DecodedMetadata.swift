package import Ports

/// The content of one metadata document and the findings from reading it.
package struct DecodedMetadata: Hashable, Sendable {
    /// Nil when it is missing or unusable (lint L06).
    package var dataRange: DataRange?
    /// Ordered by start; the ads of each break too.
    package var breaks: [AdBreak]
    package var findings: [Finding]

    package init(dataRange: DataRange? = nil, breaks: [AdBreak] = [], findings: [Finding] = []) {
        self.dataRange = dataRange
        self.breaks = breaks
        self.findings = findings
    }
}

/// Why a body holds no metadata at all (lint L01).
package enum MetadataProblem: Error, Hashable, Sendable {
    case empty
    /// Markup where JSON is expected: a login or error page.
    case html
    case notJSON(JSONProblem)
    /// JSON, but `typeName` instead of an object.
    case notAnObject(typeName: String)

    /// One clause for log lines that follows "the body".
    package var explanation: String {
        switch self {
        case .empty: "is empty"
        case .html: "is HTML instead of JSON"
        case .notJSON(let problem): "is not JSON: \(problem.message) at line \(problem.line), column \(problem.column)"
        case .notAnObject(let typeName): "is a JSON \(typeName) instead of an object"
        }
    }
}
