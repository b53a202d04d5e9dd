package import Ports

/// Why a body holds no metadata at all (lint L01).
package enum MetadataProblem: Error, Hashable, Sendable {
    case empty
    /// Markup where JSON is expected: a login or error page.
    case html
    case notJSON(JSONProblem)
    /// JSON, but `typeName` instead of an object.
    case notAnObject(typeName: String)
    /// What only one dialect can have, as one clause that follows "the body".
    case other(String)

    /// One clause for log lines, which follows "the body".
    package var explanation: String {
        switch self {
        case .empty: "is empty"
        case .html: "is HTML instead of JSON"
        case .notJSON(let problem): "is not JSON: \(problem.message) at line \(problem.line), column \(problem.column)"
        case .notAnObject(let typeName): "is a JSON \(typeName) instead of an object"
        case .other(let clause): clause
        }
    }
}
