import Ports

/// Finds secrets in a text of any kind (playlist, JSON, XML, a single URL): one pass over the bytes that checks the
/// surroundings of `=`, `:` and `@`.
struct SecretScan {
    /// Ranges in order; none is empty and none overlaps another.
    private(set) var spans: [Range<Int>] = []
    private let bytes: [UInt8]

    /// Maximum length of a parameter's name.
    private static let longestName = 32
    /// Bytes before a `;` that are looked at to find out where it is.
    private static let longestPath = 512
    /// Bytes on each side of a parameter in which its partner is looked for.
    private static let longestQuery = 1_024
    /// Names that are secret in a URL and ordinary words elsewhere.
    private static let urlNamesOnly: Set<String> = [
        "key", "policy", "session", "auth", "sid", "uid", "did", "secret", "consent", "keyname",
    ]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
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

    private func span(at position: Int) -> Range<Int>? {
        switch bytes[position] {
        case UInt8(ascii: "="): parameter(nameEnd: position, valueStart: position + 1, isEncoded: false)
        case UInt8(ascii: "%") where matches("%3D", at: position) || matches("%3d", at: position):
            parameter(nameEnd: position, valueStart: position + 3, isEncoded: true)
        case UInt8(ascii: ":") where matches("://", at: position): userInformation(after: position + 3)
        case UInt8(ascii: ":"): member(colon: position)
        case UInt8(ascii: "/"): webToken(from: position + 1) ?? segment(slash: position)
        default: nil
        }
    }

    /// The value of `?name=value` or `&name=value`, also as `&amp;name=` in XML, `\u0026name=` in JSON and `%26name%3D`
    /// in a URL's value.
    private func parameter(nameEnd: Int, valueStart: Int, isEncoded: Bool) -> Range<Int>? {
        var start = nameEnd
        while start > 0, nameEnd - start < Self.longestName, bytes[start - 1].isNameByte { start -= 1 }
        var isParameter = start == 0
        if start > 0 {
            switch bytes[start - 1] {
            case UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: ";"), UInt8(ascii: "#"): isParameter = true
            case UInt8(ascii: "%")
            where matches("26", at: start) || matches("3F", at: start) || matches("3f", at: start)
                || matches("7E", at: start) || matches("7e", at: start):
                isParameter = true
                start += 2
            case UInt8(ascii: "\\") where matches("u0026", at: start) || matches("u003f", at: start):
                isParameter = true
                start += 5
            default: break
            }
        }
        if start > 0, !isEncoded, [UInt8(ascii: "/"), UInt8(ascii: "~")].contains(bytes[start - 1]) {
            return isSecret(start..<nameEnd) ? pathValue(from: valueStart) : nil
        }
        guard isParameter, isSecret(start..<nameEnd) else { return nil }
        if !isEncoded, start > 0, bytes[start - 1] == UInt8(ascii: ";"), isInPath(semicolon: start - 1) {
            return pathValue(from: valueStart)
        }
        return value(from: valueStart, isEncoded: isEncoded)
    }

    /// A token in a path, as `/hdntl=exp=…~hmac=…/` and `;jsessionid=…/`: it ends with its segment.
    private func pathValue(from start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, !bytes[end].endsAuthority { end += 1 }
        return end > start && !isMacro(at: start) ? start..<end : nil
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
    private func isMacro(at start: Int) -> Bool {
        start < bytes.count && [UInt8(ascii: "$"), UInt8(ascii: "{")].contains(bytes[start])
    }

    /// A segment that is a JSON Web Token (RFC 7519): three parts in Base64, of which the first begins with `{"`.
    private func webToken(from start: Int) -> Range<Int>? {
        guard matches("eyJ", at: start) else { return nil }
        var end = start
        while end < bytes.count, bytes[end].isNameByte { end += 1 }
        return bytes[start..<end].split(separator: UInt8(ascii: ".")).count == 3 ? start..<end : nil
    }

    /// The segment after `/session/` and its like, if it is long enough to be an identifier.
    private func segment(slash: Int) -> Range<Int>? {
        var start = slash
        while start > 0, slash - start < Self.longestName, bytes[start - 1].isNameByte { start -= 1 }
        guard start > 0, start < slash, bytes[start - 1] == UInt8(ascii: "/") else { return nil }
        let name = String(decoding: bytes[start..<slash], as: UTF8.self).lowercased()
        guard Redaction.secretSegments.contains(name) else { return nil }
        var end = slash + 1
        while end < bytes.count, bytes[end].isNameByte { end += 1 }
        let value = slash + 1..<end
        guard value.count >= Redaction.shortestSegment, bytes[value].contains(where: \.isDigit) else { return nil }
        return value
    }

    private func value(from start: Int, isEncoded: Bool) -> Range<Int>? {
        var end = start
        while end < bytes.count, !bytes[end].endsValue {
            if isEncoded, matches("%26", at: end) || matches("%23", at: end) { break }
            end += 1
        }
        // Punctuation after a URL belongs to the sentence.
        while end > start, bytes[end - 1].isPunctuation { end -= 1 }
        return end > start && !isMacro(at: start) ? start..<end : nil
    }

    private func userInformation(after start: Int) -> Range<Int>? {
        var end = start
        while end < bytes.count, !bytes[end].endsAuthority { end += 1 }
        guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")), at > start else { return nil }
        return start..<at
    }

    /// The value of `"name": "value"` in a JSON body.
    private func member(colon: Int) -> Range<Int>? {
        var end = colon
        while end > 0, bytes[end - 1].isBlank { end -= 1 }
        guard end > 1, bytes[end - 1] == UInt8(ascii: "\"") else { return nil }
        end -= 1
        var start = end
        while start > 0, end - start < Self.longestName, bytes[start - 1].isNameByte { start -= 1 }
        guard start > 0, bytes[start - 1] == UInt8(ascii: "\""), isSecret(start..<end, isInURL: false) else {
            return nil
        }
        var first = colon + 1
        while first < bytes.count, bytes[first].isBlank { first += 1 }
        guard first < bytes.count, bytes[first] == UInt8(ascii: "\"") else { return nil }
        first += 1
        var last = first
        while last < bytes.count, bytes[last] != UInt8(ascii: "\"") {
            last += bytes[last] == UInt8(ascii: "\\") ? 2 : 1
        }
        return last > first && last < bytes.count ? first..<last : nil
    }

    private func isSecret(_ name: Range<Int>, isInURL: Bool = true) -> Bool {
        guard !name.isEmpty else { return false }
        let text = String(decoding: bytes[name], as: UTF8.self).lowercased()
        guard isInURL || !Self.urlNamesOnly.contains(text) else { return false }
        let meaning = URLParameter.meaning(of: text, beside: { isInURL ? names(around: name.lowerBound) : [] })
        return meaning?.isSecret == true
    }

    /// The names of the parameters around a place, in lower case, however the text escapes a query.
    private func names(around place: Int) -> Set<String> {
        func isInside(_ byte: UInt8) -> Bool { byte > 0x20 && !#"'"<>"#.utf8.contains(byte) }
        let before = bytes[max(0, place - Self.longestQuery)..<place].reversed().prefix(while: isInside).count
        let after = bytes[place..<min(bytes.count, place + Self.longestQuery)].prefix(while: isInside).count
        var text = String(decoding: bytes[place - before..<place + after], as: UTF8.self).lowercased()
        for (escaped, plain) in [
            ("&amp;", "&"), ("\\u0026", "&"), ("\\u003f", "?"), ("%26", "&"), ("%3f", "?"), ("%3d", "="),
        ] {
            text = text.replacing(escaped, with: plain)
        }
        let equals = UInt8(ascii: "=")
        let parameters = text.utf8.split { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") }
        return Set(
            parameters.filter { $0.contains(equals) }.map { part in
                String(decoding: part.prefix { $0 != equals }, as: UTF8.self)
            })
    }

    private func matches(_ text: StaticString, at position: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.count - position >= length else { return false }
        for index in 0..<length where bytes[position + index] != text.utf8Start[index] { return false }
        return true
    }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    private var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    /// Whether identifiers may contain the byte.
    var isWordByte: Bool { isLetter || isDigit || self == 0x2D || self == 0x5F }
    fileprivate var isNameByte: Bool { isWordByte || self == 0x2E }
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var isPunctuation: Bool {
        switch self {
        case UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: ")"): true
        default: false
        }
    }
    fileprivate var endsValue: Bool {
        switch self {
        case 0...0x20, 0x7F, UInt8(ascii: "&"), UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "\""),
            UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "["),
            UInt8(ascii: "]"):
            true
        default: false
        }
    }
    fileprivate var endsAuthority: Bool { endsValue || self == UInt8(ascii: "/") || self == UInt8(ascii: "?") }
}
