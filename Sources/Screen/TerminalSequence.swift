/// The few sequences that carry text to the terminal outside the grid (TERM-27).
package enum TerminalSequence {
    /// Most base64 bytes of a clipboard write: what widely used terminals accept.
    package static let clipboardLimit = 74_994

    /// Writes the clipboard with OSC 52; nil when the text is too long. The text itself goes as base64 only.
    package static func clipboard(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= clipboardLimit / 4 * 3 else { return nil }
        return Array("\u{1B}]52;c;".utf8) + base64(Array(text.utf8)) + [0x07]
    }

    /// A word for a POSIX shell: single-quoted whatever it holds, for "copy as curl".
    package static func shellQuoted(_ text: String) -> String {
        "'" + text.replacing(ascii: "'", with: "'\\''") + "'"
    }

    private static func base64(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var value = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            value <<= UInt32(8 * (3 - group.count))
            for digit in 0..<4 {
                let used = digit <= group.count
                output.append(used ? alphabet[Int(value >> UInt32(18 - 6 * digit) & 63)] : UInt8(ascii: "="))
            }
        }
        return output
    }
}
