/// Text for the clipboard, quoted so that pasting it into a shell never runs outside text.
package enum CopyText {
    /// A URL with everything outside U+0021–U+007E percent-encoded: a line end pasted into a shell would run a command.
    package static func url(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
            }
        }
        return result
    }

    /// The request as a curl command, the URL in single quotes for any POSIX shell.
    package static func curl(_ text: String) -> String {
        // A URL that starts with a dash would be read as an option, and curl expands [] and {} unless globbing is off.
        "curl --globoff --include --url " + quoted(url(text))
    }

    /// Single-quoted; a quote inside ends the quotes, is escaped, and starts them again.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
