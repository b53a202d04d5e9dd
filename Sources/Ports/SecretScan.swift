/// Finds secrets in a text of any kind (playlist, JSON, XML, a sentence, a single URL): one pass over the bytes that checks
/// the surroundings of `=`, `:` and `/`. ``Redaction`` masks what it finds, a recording replaces it.
package struct SecretScan {
    /// Ranges in order; none is empty and none overlaps another.
    package private(set) var spans: [Range<Int>] = []
    let bytes: [UInt8]
    let neighbours = Neighbours()
    /// Where the variables of a playlist are; nil until one is defined.
    var variablePlaces: VariablePlaces?
    /// Whether the text may begin within a query, as the body of a form does.
    private let beginsInQuery: Bool

    /// Maximum length of a parameter's name.
    static let longestName = 32
    /// Bytes before a `;` that are looked at to find out where it is.
    static let longestPath = 512
    /// Names that are secret in a URL and ordinary words elsewhere.
    private static let urlNamesOnly: Set<String> = [
        "key", "policy", "session", "auth", "sid", "uid", "did", "secret", "consent", "keyname",
        "stream_id", "sess", "ppid",
    ]
    /// Those of them that elsewhere have an identifier as their value, or an ordinary word.
    static let identifierNames: Set<String> = ["session", "sid", "uid", "did", "stream_id", "ppid"]

    package init(_ bytes: [UInt8], beginsInQuery: Bool = true) {
        self.bytes = bytes
        self.beginsInQuery = beginsInQuery
        var position = 0
        while position < bytes.count {
            if let span = span(at: position), span.lowerBound >= spans.last?.upperBound ?? 0 {
                spans.append(span)
                position = span.upperBound
            } else {
                position += 1
            }
        }
    }

    mutating func span(at position: Int) -> Range<Int>? {
        switch bytes[position] {
        case UInt8(ascii: "="): parameter(nameEnd: position, valueStart: position + 1)
        case UInt8(ascii: "%"): encodedSpan(at: position)
        case UInt8(ascii: ":") where matches("://", at: position): userInformation(after: position + 3)
        case UInt8(ascii: ":") where matches(":\\/\\/", at: position): userInformation(after: position + 5)
        case UInt8(ascii: ":") where endsDefinitionTag(colon: position): definition(after: position)
        case UInt8(ascii: ":"): member(colon: position)
        case UInt8(ascii: "/"): segment(from: position + 1)
        default: nil
        }
    }

    /// The same in a URL that is the value of a parameter.
    private func encodedSpan(at position: Int) -> Range<Int>? {
        guard let escape = escape(at: position) else { return nil }
        let (next, depth) = (position + escape.length, escape.depth)
        switch escape.byte {
        case UInt8(ascii: "="): return parameter(nameEnd: position, valueStart: next, depth: depth)
        case UInt8(ascii: "/"): return segment(from: next, depth: depth)
        case UInt8(ascii: ":"):
            // Two of the same depth, where the next one ends the search: each part of a text is read once.
            guard isEscape(of: "/", at: next, depth: depth), isEscape(of: "/", at: next + escape.length, depth: depth)
            else { return nil }
            return userInformation(after: next + 2 * escape.length, depth: depth)
        default: return nil
        }
    }

    /// The value of `?name=value` or `&name=value`, also as `&amp;name=` in XML, `\u0026name=` in JSON and `%26name%3D`
    /// in a URL's value. `depth` is how often the equals sign is escaped.
    private func parameter(nameEnd: Int, valueStart: Int, depth: Int = 0) -> Range<Int>? {
        let (start, isParameter) = name(before: nameEnd)
        if start > 0, depth == 0, [UInt8(ascii: "/"), UInt8(ascii: "~")].contains(bytes[start - 1]) {
            return isSecret(start..<nameEnd) ? pathValue(from: valueStart) : nil
        }
        guard isParameter, isSecret(start..<nameEnd) else { return nil }
        if depth == 0, start > 0, bytes[start - 1] == UInt8(ascii: ";"), isInPath(semicolon: start - 1) {
            return pathValue(from: valueStart)
        }
        return value(from: valueStart, depth: depth).map { identifier($0, named: name(start..<nameEnd)) }
    }

    /// Whether what ends at a place is the name of a secret parameter.
    func isSecretParameter(nameEnd: Int) -> Bool {
        let (start, isParameter) = name(before: nameEnd)
        return isParameter && isSecret(start..<nameEnd)
    }

    /// Where the name that ends at a place begins, and whether it is that of a parameter.
    private func name(before end: Int) -> (start: Int, isParameter: Bool) {
        var start = end
        // Each byte of a name may be escaped.
        while start > 0, end - start < 3 * Self.longestName {
            if bytes[start - 1].isNameByte {
                start -= 1
                continue
            }
            guard let escape = escape(at: start - 1), start - 1 + escape.length <= end else { break }
            guard escape.byte.isNameByte else {
                return (start - 1 + escape.length, "&?~;#".utf8.contains(escape.byte))
            }
            start -= 1
        }
        guard start > 0 else { return (start, beginsInQuery) }
        switch bytes[start - 1] {
        case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): return (start, true)
        case UInt8(ascii: "\\") where matchesAny(["u0026", "u003f"], at: start): return (start + 5, true)
        // The quoted value of an attribute may be a query.
        case UInt8(ascii: "\"") where start > 1 && bytes[start - 2] == UInt8(ascii: "="): return (start, true)
        default: return (start, false)
        }
    }

    /// A value without what is no part of the identifier in it.
    func identifier(_ value: Range<Int>, named name: String) -> Range<Int> {
        name == "stream_id" ? SecretSegment.withoutPlace(bytes[value]).indices : value
    }

    /// A token in a path, as `/hdntl=exp=…~hmac=…/` and `;jsessionid=…/`: it ends with its segment.
    private func pathValue(from start: Int) -> Range<Int>? {
        guard !isMacro(at: start) else { return nil }
        var end = start
        while end < bytes.count, !bytes[end].endsAuthority { end += 1 }
        return end > start ? start..<end : nil
    }

    /// Whether that `;` is in the path of a URL, and neither in a query nor the end of `&amp;`.
    private func isInPath(semicolon: Int) -> Bool {
        var index = semicolon
        while index > 0, semicolon - index < Self.longestPath {
            index -= 1
            switch bytes[index] {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "#"): return false
            case UInt8(ascii: ";"): continue
            case let byte where byte.endsValue: return true
            default: continue
            }
        }
        return index == 0
    }

    /// A macro is not a secret yet; sessions fill it.
    func isMacro(at start: Int) -> Bool {
        start < bytes.count && [UInt8(ascii: "$"), UInt8(ascii: "{")].contains(bytes[start])
    }

    func value(from start: Int, depth: Int) -> Range<Int>? {
        guard !isMacro(at: start) else { return nil }
        var end = start
        while end < bytes.count, !bytes[end].endsValue, !isEscape(of: "&#", at: end, depth: depth) { end += 1 }
        // Punctuation after a URL belongs to the sentence.
        while end > start, bytes[end - 1].isPunctuation { end -= 1 }
        return end > start ? start..<end : nil
    }

    private func userInformation(after start: Int, depth: Int = 0) -> Range<Int>? {
        var end = start
        while end < bytes.count, !bytes[end].endsAuthority, !endsEncodedSegment(at: end, depth: depth) { end += 1 }
        let at =
            depth == 0
            ? bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
            : (start..<end).last { isEscape(of: "@", at: $0, depth: depth) }
        return at.flatMap { $0 > start ? start..<$0 : nil }
    }

    func isSecret(_ name: Range<Int>, isInURL: Bool = true) -> Bool {
        guard !name.isEmpty else { return false }
        let text = self.name(name)
        guard isInURL || !Self.urlNamesOnly.contains(text) else { return false }
        let meaning = URLParameter.meaning(of: text, beside: { isInURL ? names(around: name.lowerBound) : [] })
        return meaning?.isSecret == true
    }

    func matchesAny(_ texts: [StaticString], at position: Int) -> Bool { texts.contains { matches($0, at: position) } }

    func matches(_ text: StaticString, at position: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count - position >= length else { return false }
        for index in 0..<length where bytes[position + index] != text.utf8Start[index] { return false }
        return true
    }
}
