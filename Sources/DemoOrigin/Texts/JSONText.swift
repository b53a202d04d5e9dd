/// JSON as the origin writes it: members keep their order, and a number keeps its text.
///
/// It is not `Codable`, because the origin must write documents that no encoder would write, and start without
/// Foundation.
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
    /// A value that is already written as JSON.
    case written([UInt8])

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

    /// A number of seconds.
    static func seconds(milliseconds: Int) -> JSONText { .number(SecondsText.text(milliseconds: milliseconds)) }

    /// The JSON text, without white space.
    package var text: String { String(decoding: utf8, as: UTF8.self) }

    /// Its bytes.
    package var utf8: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .bool(let value): output += (value ? "true" : "false").utf8
        case .number(let text): output += text.utf8
        case .string(let value): Self.write(value, to: &output)
        case .written(let text): output += text
        case .array(let items):
            output.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                item.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// RFC 8259 section 7: quote, backslash and the controls below U+0020 must be escaped, nothing else.
    private static func write(_ string: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): output += "\\\"".utf8
            case UInt8(ascii: "\\"): output += "\\\\".utf8
            case UInt8(ascii: "\n"): output += "\\n".utf8
            case UInt8(ascii: "\r"): output += "\\r".utf8
            case UInt8(ascii: "\t"): output += "\\t".utf8
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                output += "\\u".utf8
                output += String(repeating: "0", count: 4 - hex.count).utf8
                output += hex.utf8
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
