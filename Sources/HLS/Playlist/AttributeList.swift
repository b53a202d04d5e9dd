/// One `NAME=value` pair of a tag.
struct PlaylistAttribute {
    var name: ByteView
    /// The value without its quotes.
    var value: ByteView
    /// Whether the value was quoted.
    var isQuoted: Bool

    /// Whether variables are replaced in the value: only in quoted strings and hexadecimal sequences (section 4.3).
    var takesVariables: Bool {
        isQuoted || value[0] == UInt8(ascii: "0") || value[0] == UInt8(ascii: "{")
    }
}

/// A syntax error in an attribute list, with the offending text.
enum AttributeProblem {
    case noEquals(ByteView)
    case badName(ByteView)
    case unterminatedQuote(ByteView)
    case textAfterQuote(ByteView)
    case whitespace
    case duplicate(ByteView)
    case tooMany
}

/// An attribute list (rfc8216bis-22 section 4.2), parsed in the order of HLS-1: commas inside quotes and equals signs
/// inside values are data. When a name repeats, the last value counts.
struct AttributeList {
    /// The attributes in order, repeated names included.
    private(set) var attributes: [PlaylistAttribute] = []
    /// The syntax errors in order.
    private(set) var problems: [AttributeProblem] = []
    private let text: ByteView
    private var index = 0

    /// Parses the text after the colon of a tag; syntax errors are added to `problems`.
    init(_ text: ByteView) {
        self.text = text
        while index < text.count {
            guard attributes.count < PlaylistLimits.attributes, problems.count < PlaylistLimits.attributes else {
                problems.append(.tooMany)
                break
            }
            skipBlanks()
            guard index < text.count else { break }
            readAttribute()
        }
    }

    /// The last attribute named `name`.
    subscript(name: StaticString) -> PlaylistAttribute? {
        attributes.last { $0.name == name }
    }

    /// Replaces each value for which `replacement` returns one; nil keeps the value.
    mutating func replaceValues(_ replacement: (PlaylistAttribute) -> ByteView?) {
        for index in attributes.indices {
            if let value = replacement(attributes[index]) { attributes[index].value = value }
        }
    }

    private mutating func readAttribute() {
        let start = index
        while index < text.count, text[index] != UInt8(ascii: "="), text[index] != UInt8(ascii: ",") { index += 1 }
        let written = text.slice(start, index)
        let name = written.trimmed
        guard text[index] == UInt8(ascii: "="), index < text.count else {
            problems.append(.noEquals(name))
            index += 1
            return
        }
        if name.count != written.count { problems.append(.whitespace) }
        if name.isEmpty || !name.bytes.allSatisfy(\.isNameByte) { problems.append(.badName(name)) }
        index += 1
        skipBlanks()
        let isQuoted = text[index] == UInt8(ascii: "\"")
        let value = isQuoted ? quotedValue() : plainValue()
        if attributes.contains(where: { $0.name.equals(name.bytes) }) { problems.append(.duplicate(name)) }
        attributes.append(PlaylistAttribute(name: name, value: value, isQuoted: isQuoted))
    }

    private mutating func quotedValue() -> ByteView {
        let start = index + 1
        guard let end = text.firstIndex(of: UInt8(ascii: "\""), from: start) else {
            let rest = text.dropFirst(start)
            problems.append(.unterminatedQuote(rest))
            index = text.count
            return rest
        }
        index = end + 1
        skipBlanks()
        if index < text.count, text[index] != UInt8(ascii: ",") {
            let comma = text.firstIndex(of: UInt8(ascii: ","), from: index) ?? text.count
            problems.append(.textAfterQuote(text.slice(index, comma)))
            index = comma
        }
        index += 1
        return text.slice(start, end)
    }

    private mutating func plainValue() -> ByteView {
        let end = text.firstIndex(of: UInt8(ascii: ","), from: index) ?? text.count
        let value = text.slice(index, end)
        index = end + 1
        let trimmed = value.trimmed
        if trimmed.count != value.count { problems.append(.whitespace) }
        return trimmed
    }

    private mutating func skipBlanks() {
        guard text[index].isBlank else { return }
        problems.append(.whitespace)
        while text[index].isBlank { index += 1 }
    }
}

extension UInt8 {
    /// A-Z, 0-9 and the hyphen: the characters of attribute names.
    fileprivate var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
