/// JSON as the origin writes it: members keep their order, and a number is the text it was given.
///
/// Deliberately not `Codable`: the origin must be able to write what no encoder would, and start without Foundation.
package indirect enum JSONText: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, verbatim.
    case number(String)
    /// A string; escaped when written.
    case string(String)
    /// An array.
    case array([JSONText])
    /// An object.
    case object([Member])

    /// One member of an object.
    package struct Member: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// Its value.
        package var value: JSONText

        /// A member.
        package init(_ name: String, _ value: JSONText) {
            self.name = name
            self.value = value
        }
    }

    /// A whole number.
    package static func integer(_ value: Int) -> JSONText { .number(String(value)) }

    /// The JSON text, without white space.
    package var text: String {
        var output = ""
        write(to: &output)
        return output
    }

    private func write(to output: inout String) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .number(let text): output += text
        case .string(let value): Self.write(value, to: &output)
        case .array(let items):
            output += "["
            for (index, item) in items.enumerated() {
                if index > 0 { output += "," }
                item.write(to: &output)
            }
            output += "]"
        case .object(let members):
            output += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { output += "," }
                Self.write(member.name, to: &output)
                output += ":"
                member.value.write(to: &output)
            }
            output += "}"
        }
    }

    /// RFC 8259 section 7: quote, backslash and the controls below U+0020 must be escaped, nothing else.
    private static func write(_ string: String, to output: inout String) {
        output += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case "\u{00}"..."\u{1F}":
                let hex = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }
}
