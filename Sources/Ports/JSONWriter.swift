extension JSONValue {
    /// The document as text: one line, or indented by two spaces per level.
    ///
    /// Characters that terminals and scripts may misinterpret are escaped: controls, DEL, C1, line separators and
    /// bidirectional controls (TERM-26).
    package func text(indented: Bool = false) -> String {
        var writer = JSONWriter(isIndented: indented)
        writer.write(self, level: 0)
        return writer.output
    }
}

private struct JSONWriter {
    let isIndented: Bool
    var output = ""

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: output += "null"
        case .bool(let flag): output += flag ? "true" : "false"
        case .integer(let number): output += String(number)
        case .double(let number): output += number.isFinite ? Self.text(of: number) : "null"
        case .number(let text): output += text
        case .string(let text): write(text)
        case .array(let values):
            writeList("[", "]", count: values.count, level: level) { writer, index in
                writer.write(values[index], level: level + 1)
            }
        case .object(let object):
            writeList("{", "}", count: object.members.count, level: level) { writer, index in
                writer.write(object.members[index].name)
                writer.output += writer.isIndented ? ": " : ":"
                writer.write(object.members[index].value, level: level + 1)
            }
        }
    }

    private mutating func writeList(
        _ open: String, _ close: String, count: Int, level: Int, element: (inout JSONWriter, Int) -> Void
    ) {
        output += open
        for index in 0..<count {
            if index > 0 { output += "," }
            newLine(level + 1)
            element(&self, index)
        }
        if count > 0 { newLine(level) }
        output += close
    }

    private mutating func newLine(_ level: Int) {
        guard isIndented else { return }
        output += "\n" + String(repeating: "  ", count: level)
    }

    private mutating func write(_ text: String) {
        output += "\""
        if text.utf8.allSatisfy(Self.isPlain) { output += text } else { writeEscaped(text) }
        output += "\""
    }

    /// Whether JSON has a byte of UTF-8 as it is, alone as well. Nearly all texts have no other one.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func writeEscaped(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case "\n": output += "\\n"
            case "\r": output += "\\r"
            case "\t": output += "\\t"
            case _ where Self.mustEscape(scalar):
                for unit in String(scalar).utf16 {
                    output += "\\u\(unit.upperHexadecimal)"
                }
            default: output.unicodeScalars.append(scalar)
            }
        }
    }

    private static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE007F:
            true
        default:
            false
        }
    }

    /// Whole numbers are written without the `.0` that Swift prints.
    private static func text(of number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        return "\(number)"
    }
}
