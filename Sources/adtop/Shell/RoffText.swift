/// Text in the macros of man(7), the language of manual pages.
///
/// A line of roff that begins with a dot or an apostrophe is a request, a backslash begins an escape, and formatters turn `-`, `'`,
/// `` ` ``, `^` and `~` into typographic characters, which cannot be pasted into a shell.
enum RoffText {
    /// Columns of a line of source.
    private static let columns = 78

    /// One line that shows exactly this text, wherever it is put: control characters become spaces, and characters outside ASCII
    /// become `\[uXXXX]`.
    static func escaped(_ text: some StringProtocol) -> String {
        var line = ""
        for scalar in text.unicodeScalars { line += escaped(scalar) }
        return line.hasPrefix(".") ? "\\&" + line : line
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\": "\\e"
        case "-": "\\-"
        case "'": "\\(aq"
        case "`": "\\(ga"
        case "^": "\\(ha"
        case "~": "\\(ti"
        case "\"": "\\(dq"
        case " "..."~": String(scalar)
        case _ where scalar.properties.generalCategory == .control: " "
        case _ where scalar.value < 0x80: " "
        default: "\\[u\(hexadecimal(scalar.value))]"
        }
    }

    /// A line with spaces in place of other blanks and of control characters.
    private static func printable(_ text: some StringProtocol) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isPrintable($0) ? $0 : " " }))
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory != .control && !scalar.properties.isWhitespace
    }

    /// A line that keeps its form, without blanks at its end.
    private static func example(_ line: String) -> String {
        let end = line.lastIndex { $0 != " " } ?? line.startIndex
        return escaped(line[...end])
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }

    /// A text in bold.
    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// A request with one argument, which may have spaces and quotes.
    static func request(_ name: String, _ argument: String) -> String { ".\(name) \"\(escaped(argument))\"" }

    /// The words of a text in lines of limited length. A formatter fills them.
    static func filled(_ text: some StringProtocol) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in printable(text).split(separator: " ").map({ escaped($0) }) {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            // A dot within a line is no request.
            line += line.isEmpty ? word : " " + (word.hasPrefix("\\&") ? String(word.dropFirst(2)) : word)
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Paragraphs, divided by empty lines, are filled. Indented lines, which are examples, keep their form.
    static func paragraphs(_ text: String) -> [String] {
        var lines: [String] = []
        var isExample = false
        var needsParagraph = false
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            guard line.contains(where: { !$0.isWhitespace }) else {
                needsParagraph = !lines.isEmpty
                continue
            }
            if line.hasPrefix("  ") != isExample {
                isExample.toggle()
                if needsParagraph, isExample { lines.append(".PP") }
                lines.append(isExample ? ".EX" : ".EE")
                if needsParagraph, !isExample { lines.append(".PP") }
            } else if needsParagraph {
                lines.append(isExample ? "\\&" : ".PP")
            }
            needsParagraph = false
            lines += isExample ? [example(printable(line))] : filled(line)
        }
        return isExample ? lines + [".EE"] : lines
    }

    /// An entry of a list: what it is about in bold, and its text.
    static func entry(_ subject: String, _ text: String) -> [String] {
        [".TP", request("B", subject)] + (text.isEmpty ? ["\\&"] : filled(text))
    }
}
