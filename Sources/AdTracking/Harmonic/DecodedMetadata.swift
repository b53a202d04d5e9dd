package import Ports

/// One metadata document, read: what it describes and what is wrong with it.
package struct DecodedMetadata: Hashable, Sendable {
    /// Nil when missing or unusable (lint L06).
    package var dataRange: DataRange?
    /// By start, ads by start.
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

    /// One clause for log lines: "the body …".
    package var explanation: String {
        switch self {
        case .empty: "is empty"
        case .html: "is HTML instead of JSON"
        case .notJSON(let problem): "is not JSON: \(problem.message) at line \(problem.line), column \(problem.column)"
        case .notAnObject(let typeName): "is a JSON \(typeName) instead of an object"
        }
    }
}
