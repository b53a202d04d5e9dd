/// One tag of an HTML fragment; comments and declarations are tags without a name.
struct MarkupTag: Sendable, Hashable {
    static let maximumAttributes = 64

    private(set) var name = ""
    private(set) var isEnd = false
    private(set) var isSelfClosing = false
    private var attributes: [(name: String, value: String)] = []

    static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.isEnd == right.isEnd
            && left.attributes.elementsEqual(right.attributes, by: { $0.name == $1.name && $0.value == $1.value })
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }

    /// The value of an attribute; `name` is in lower case.
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Parses the tag at the start of `bytes` and removes it from them; nil when the `<` does not start a tag.
    init?(_ bytes: inout ArraySlice<UInt8>) {
        var rest = bytes.dropFirst()
        if rest.starts(with: "!--".utf8) {
            Self.skipComment(&rest)
            bytes = rest
            return
        }
        if rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "?") {
            rest = rest.drop { $0 != UInt8(ascii: ">") }.dropFirst()
            bytes = rest
            return
        }
        if rest.first == UInt8(ascii: "/") {
            isEnd = true
            rest = rest.dropFirst()
        }
        guard let first = rest.first, first.isLetter else { return nil }
        name = Self.word(&rest) { !$0.isMarkupSpace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }.lowercased()
        readAttributes(&rest)
        bytes = rest
    }

    private mutating func readAttributes(_ rest: inout ArraySlice<UInt8>) {
        while let byte = rest.first {
            if byte == UInt8(ascii: ">") {
                rest = rest.dropFirst()
                return
            }
            if byte.isMarkupSpace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=") {
                isSelfClosing = byte == UInt8(ascii: "/")
                rest = rest.dropFirst()
                continue
            }
            let name = Self.word(&rest) {
                !$0.isMarkupSpace && ![UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "/")].contains($0)
            }
            let value = Self.value(&rest)
            if attributes.count < Self.maximumAttributes {
                attributes.append((name.lowercased(), CharacterReferences.resolved(value)))
            }
        }
        // Markup that ends inside a tag: browsers drop the tag.
        (name, attributes) = ("", [])
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) -> String {
        var after = rest.drop(while: \.isMarkupSpace)
        guard after.first == UInt8(ascii: "=") else { return "" }
        after = after.dropFirst().drop(while: \.isMarkupSpace)
        defer { rest = after }
        guard let quote = after.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return word(&after) { !$0.isMarkupSpace && $0 != UInt8(ascii: ">") }
        }
        after = after.dropFirst()
        let value = word(&after) { $0 != quote }
        after = after.dropFirst()
        return value
    }

    private static func word(_ rest: inout ArraySlice<UInt8>, while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }

    private static func skipComment(_ rest: inout ArraySlice<UInt8>) {
        rest = rest.dropFirst(3)
        while !rest.isEmpty, !rest.starts(with: "-->".utf8) {
            rest = rest.dropFirst()
            rest = rest[(rest.firstIndex(of: UInt8(ascii: "-")) ?? rest.endIndex)...]
        }
        rest = rest.dropFirst(3)
    }
}

/// The character references that ads use: the five of XML, spaces, and numbers.
enum CharacterReferences {
    static func resolved(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let body = rest.dropFirst().prefix(12)
            if let end = body.firstIndex(of: ";"), let character = character(body[..<end]) {
                result.append(character)
                rest = rest[rest.index(after: end)...]
            } else {
                result.append("&")
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        default: break
        }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let code = digits.first?.lowercased() == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map(Character.init)
    }
}

extension UInt8 {
    fileprivate var isMarkupSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self & ~0x20) }
}
