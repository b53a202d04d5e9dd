/// The keywords of an ad call: `key=value` or a word.
package struct AdCallKeywords: Hashable, Sendable {
    private var values: [String: Set<String>] = [:]
    /// The keywords as given, in order.
    package private(set) var texts: [String] = []

    package init(_ texts: [String] = []) {
        for text in texts { append(text) }
    }

    package mutating func append(_ text: String) {
        texts.append(text)
        let (key, value) = KeywordClause.split(text)
        values[key, default: []].formUnion(value.map { [$0] } ?? [])
    }

    fileprivate func has(_ key: String, anyOf wanted: [String]?) -> Bool {
        guard let held = values[key] else { return false }
        return wanted.map { $0.contains(where: held.contains) } ?? true
    }
}

/// One targeting clause of a line item: `key=v1|v2`; `key` or a word (present with any value); a leading `!` negates
/// it. The case of letters matters (BID-21).
package struct KeywordClause: Hashable, Sendable {
    package let text: String
    package let isNegated: Bool
    package let key: String
    /// Nil when any value matches.
    package let values: [String]?

    package init(_ text: String) {
        self.text = text
        isNegated = text.hasPrefix("!")
        let (key, value) = Self.split(isNegated ? String(text.dropFirst()) : text)
        self.key = key
        values = value?.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }

    package func holds(for keywords: AdCallKeywords) -> Bool {
        keywords.has(key, anyOf: values) != isNegated
    }

    /// Splits at the first `=`.
    static func split(_ text: String) -> (key: String, value: String?) {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (text, nil) }
        return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
    }
}

extension [KeywordClause] {
    /// Whether all clauses match; an empty array always does.
    package func hold(for keywords: AdCallKeywords) -> Bool {
        allSatisfy { $0.holds(for: keywords) }
    }
}
