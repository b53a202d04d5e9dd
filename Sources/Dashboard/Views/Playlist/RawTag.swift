import Ports

/// A line of a playlist as it may be exported.
enum RawTag {
    /// The line with the secrets of its addresses masked: the line itself when it is a URI, else the text between
    /// quotes.
    static func redacted(_ line: String) -> String {
        guard line.utf8.first == UInt8(ascii: "#") else { return Redaction.url(line) }
        // The name of the tag would hide the scheme of an address that follows it directly.
        let name = line[..<(line.utf8.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex)]
        let parts = line[name.endIndex...].split(ascii: "\"")
        let masked = parts.enumerated().map { index, part in
            index % 2 == 1 ? Redaction.url(String(part)) : bare(part)
        }
        return String(name) + masked.joined(separator: "\"")
    }

    /// The text outside quotes, from its colon or comma on.
    private static func bare(_ text: Substring) -> String {
        let start = text.utf8.firstIndex { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ",") } ?? text.endIndex
        return String(text[..<start]) + Redaction.text(String(text[start...]))
    }
}
