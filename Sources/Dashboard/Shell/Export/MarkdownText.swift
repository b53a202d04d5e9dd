import Ports
import Screen

/// Text from outside in a Markdown document: nothing in it is markup, and its secrets are masked.
enum MarkdownText {
    /// Most characters of one text.
    private static let columns = 2_048
    private static let markup = "\\`*_{}[]<>|#&~$".unicodeScalars

    /// Text inside a sentence or a cell of a table.
    static func cell(_ text: String) -> String {
        SafeText(outside: text, columns: columns).string.replacingScalars {
            markup.contains($0) ? "\\\($0)" : nil
        }
    }

    /// A sentence that may hold URLs.
    static func prose(_ text: String) -> String { cell(Redaction.text(text)) }

    /// Text as code; backticks and bars are percent-encoded, as they are in URLs.
    static func code(_ text: String) -> String {
        let safe = SafeText(outside: text, columns: columns).string
        return "`" + safe.replacingScalars { $0 == "`" ? "%60" : $0 == "|" ? "%7C" : nil } + "`"
    }
}
