package import Ports

/// Why a body holds no metadata at all (lint L01).
package enum MetadataProblem: Error, Hashable, Sendable {
    case empty
    /// HTML where JSON is expected: a login or error page.
    case html
    /// JSON that is damaged.
    case notJSON(JSONProblem)
    /// Text that does not begin as an object or an array does.
    case plainText(JSONProblem)
    /// JSON, but `typeName` instead of an object; without content where it is `null` or an empty array.
    case notAnObject(typeName: String, isEmpty: Bool)
    /// Content of another kind than documents of the dialect, as one clause that follows "the body".
    case otherKind(String)
    /// What else only one dialect can have, as one clause that follows "the body".
    case other(String)

    /// One clause for log lines, which follows "the body".
    package var explanation: String {
        switch self {
        case .empty: "is empty"
        case .html: "is HTML instead of JSON"
        case .notJSON(let problem), .plainText(let problem):
            "is not JSON: \(problem.message) at line \(problem.line), column \(problem.column)"
        case .notAnObject(let typeName, _): "is a JSON \(typeName) instead of an object"
        case .otherKind(let clause), .other(let clause): clause
        }
    }

    /// Whether the body is something else, such as a page, a playlist or an error in words. False for metadata that arrived
    /// damaged, and for a body without content: a service may have nothing to list before its first break.
    package var isOfAnotherKind: Bool {
        switch self {
        case .html, .plainText, .otherKind: true
        case .notAnObject(_, let isEmpty): !isEmpty
        case .empty, .notJSON, .other: false
        }
    }
}

extension MetadataProblem {
    /// A part of a document as one line of a sentence.
    static func clipped(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 }.prefix(120)))
    }

    /// The first byte behind white space and a byte order mark; nil where there is none.
    private static func first(of bytes: [UInt8]) -> UInt8? {
        bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    }

    /// What shows without parsing that a body is not JSON in UTF-8.
    static func check(_ bytes: [UInt8]) throws(MetadataProblem) {
        guard let first = first(of: bytes) else { throw .empty }
        // RFC 8259 section 8.1: JSON text is UTF-8. With two bytes a character there is nothing to read.
        guard !isWide(bytes) else { throw .other("is UTF-16 instead of UTF-8") }
        guard first != UInt8(ascii: "<") else { throw markup(bytes) }
        guard isJSON(first) || !bytes.contains(0) else {
            throw .otherKind("is binary data instead of JSON: it has zero bytes (NUL)")
        }
    }

    /// Whether a body is UTF-16: by a byte order mark, or by the zeros of its first characters, which are ASCII in JSON and in markup (RFC
    /// 4627 section 3).
    private static func isWide(_ bytes: [UInt8]) -> Bool {
        let head = Array(bytes.prefix(4))
        if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0xFF, 0xFE]) { return true }
        guard head.count > 1 else { return false }
        return [0, 1].contains { zero in head.indices.allSatisfy { (head[$0] == 0) == ($0 % 2 == zero) } }
    }

    /// Markup in the place of JSON.
    private static func markup(_ bytes: [UInt8]) -> MetadataProblem {
        let kind = MarkupKind(bytes)
        return kind == .html ? .html : .otherKind("is \(kind.noun) instead of JSON")
    }

    /// The JSON in a body.
    static func json(_ bytes: [UInt8]) throws(MetadataProblem) -> JSONValue {
        try check(bytes)
        do {
            return try JSONReader.read(bytes)
        } catch {
            throw rejected(bytes, error)
        }
    }

    /// A body that cannot be parsed: one that begins as an object or an array does is damaged JSON.
    static func rejected(_ bytes: [UInt8], _ problem: JSONProblem) -> MetadataProblem {
        first(of: bytes).map(isJSON) ?? false ? .notJSON(problem) : .plainText(problem)
    }

    /// Whether an object or an array begins with this byte.
    private static func isJSON(_ first: UInt8) -> Bool { first == UInt8(ascii: "{") || first == UInt8(ascii: "[") }

    /// JSON that is no object. An empty array may stand for an empty object: some languages do not distinguish them.
    static func noObject(_ value: JSONValue) -> MetadataProblem {
        .notAnObject(typeName: value.typeName, isEmpty: value == .null || value.arrayValue?.isEmpty == true)
    }

    /// JSON without a usable one of the members that documents of a dialect have.
    /// - Parameters:
    ///   - lack: a clause that follows "the body".
    ///   - names: of those members, where one that is there may be of the wrong type: the body is a document all the same.
    static func lacking(_ lack: String, in value: JSONValue, names: [String] = []) -> MetadataProblem {
        let members = value.objectValue?.members ?? []
        let isDocument = members.contains { names.contains($0.name) }
        return isDocument || members.isEmpty ? .other(lack) : .otherKind(lack)
    }
}
