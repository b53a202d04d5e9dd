package import Rules
package import Screen

/// An entry of docs/rules as text, for the help overlay and for `adtop explain`.
package enum RulePage {
    /// The lines of an entry, wrapped to that many columns.
    package static func lines(_ entry: RuleEntry, width: Int, _ glyphs: Glyphs) -> [StyledLine] {
        var fields = FieldLines(width: width, wraps: true, glyphs)
        for line in StyledLine.of("\(entry.id): \(entry.title)", .paneTitle).wrapped(columns: width) {
            fields.add(line)
        }
        fields.add(.of(entry.field, .textMuted))
        for paragraph in entry.text {
            fields.blank()
            for line in StyledLine.of(paragraph, .text).wrapped(columns: width) { fields.add(line) }
        }
        fields.blank()
        if let reason = entry.reason { fields.field("effect", reason) }
        if let remedy = entry.remedy { fields.field("to do", remedy) }
        fields.field("source", entry.source, .textMuted)
        return fields.lines
    }

    /// The same lines without colours, without blanks at their ends.
    package static func text(_ entry: RuleEntry, width: Int) -> [String] {
        lines(entry, width: width, .unicode).map { line in
            var text = line.string
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}
