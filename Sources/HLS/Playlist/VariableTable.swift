/// The variables defined by EXT-X-DEFINE so far (rfc8216bis-22 sections 4.3 and 4.4.2.3).
struct VariableTable {
    private(set) var definitions: [String: String] = [:]

    /// Defines a variable; false when the name is already defined.
    mutating func define(_ name: String, as value: String) -> Bool {
        guard definitions[name] == nil else { return false }
        definitions[name] = value
        return true
    }

    /// The result of replacing the references of one text.
    enum Substitution: Equatable {
        /// The text has no reference.
        case unchanged
        case replaced(String)
        case undefined(name: String)
        /// `PlaylistLimits.replacedBytes` is reached: variables whose values contain variables can multiply without
        /// limit.
        case tooLong
    }

    /// Total bytes of all results.
    private var replacedBytes = 0

    /// Replaces every `{$name}`; values are not substituted again. Text that only resembles a reference is kept.
    mutating func substitute(_ text: ByteView) -> Substitution {
        guard var open = nextReference(in: text, from: 0) else { return .unchanged }
        var result: [UInt8] = []
        var copied = 0
        while true {
            let name = text.slice(open.start + 2, open.end)
            guard let value = definitions[name.string] else { return .undefined(name: name.excerpt) }
            result.append(contentsOf: text.slice(copied, open.start).bytes)
            result.append(contentsOf: value.utf8)
            guard result.count <= PlaylistLimits.replacedBytes - replacedBytes else { return .tooLong }
            copied = open.end + 1
            guard let next = nextReference(in: text, from: copied) else { break }
            open = next
        }
        result.append(contentsOf: text.dropFirst(copied).bytes)
        replacedBytes += result.count
        return .replaced(String(decoding: result, as: UTF8.self))
    }

    /// Positions of the opening and the closing brace of the next reference.
    private func nextReference(in text: ByteView, from start: Int) -> (start: Int, end: Int)? {
        var index = start
        while let brace = text.firstIndex(of: UInt8(ascii: "{"), from: index) {
            index = brace + 1
            guard text[index] == UInt8(ascii: "$") else { continue }
            index += 1
            while text[index].isVariableNameByte { index += 1 }
            if index > brace + 2, text[index] == UInt8(ascii: "}") { return (brace, index) }
        }
        return nil
    }

    /// Whether the text is a variable name.
    static func isName(_ text: ByteView) -> Bool {
        !text.isEmpty && text.bytes.allSatisfy(\.isVariableNameByte)
    }
}

extension UInt8 {
    fileprivate var isVariableNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
