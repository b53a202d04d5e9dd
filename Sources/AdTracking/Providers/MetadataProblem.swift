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

extension MetadataProblem {
    /// A part of a document as one line of a sentence.
    static func clipped(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(120)))
    }

    /// What shows without parsing that a body is not JSON in UTF-8.
    static func check(_ bytes: [UInt8]) throws(MetadataProblem) {
        guard let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) })
        else { throw .empty }
        guard first != UInt8(ascii: "<") else { throw .html }
        // RFC 8259 section 8.1: JSON text is UTF-8. With two bytes a character there is nothing to read.
        let isWide = [[0xFE, 0xFF], [0xFF, 0xFE]].contains(bytes.prefix(2)) || bytes.prefix(2).contains(0)
        guard !isWide else { throw .other("is UTF-16 instead of UTF-8") }
    }

    /// The JSON in a body.
    static func json(_ bytes: [UInt8]) throws(MetadataProblem) -> JSONValue {
        try check(bytes)
        do {
            return try JSONReader.read(bytes)
        } catch {
            throw .notJSON(error)
        }
    }
}
