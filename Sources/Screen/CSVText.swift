/// Comma-separated values (RFC 4180) that are safe to print on a terminal and to open in a spreadsheet.
package enum CSVText {
    /// One line of fields, line end included.
    package static func line(_ fields: [String]) -> String {
        fields.map(field).joined(separator: ",") + "\r\n"
    }

    /// The field, sanitised as on screen and quoted if needed. A field that a spreadsheet would run as a formula, also after
    /// blanks, gets a leading apostrophe.
    package static func field(_ raw: String) -> String {
        var text = SafeText(outside: raw, columns: .max).string
        let first = text.unicodeScalars.first { $0 != " " }
        if let first, "=+-@".unicodeScalars.contains(first) { text = "'" + text }
        guard text.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) else { return text }
        return "\"" + text.replacing(ascii: "\"", with: "\"\"") + "\""
    }
}
