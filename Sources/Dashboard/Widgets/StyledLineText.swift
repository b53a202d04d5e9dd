import Ports
import Screen

extension StyledLine {
    /// Adds run-time text, ours or from outside, through the sanitiser.
    mutating func add(_ text: String, _ role: Role = .text) {
        append(SafeText(outside: text), role)
    }

    /// A line of run-time text.
    static func of(_ text: String, _ role: Role = .text) -> StyledLine {
        StyledLine(SafeText(outside: text), role)
    }

    /// Adds blanks.
    mutating func space(_ count: Int = 1) {
        append(SafeText(Glyphs.blank, count: count))
    }

    /// As shown, without roles.
    var string: String { segments.map(\.text.string).joined() }

    /// Broken into rows of at most that many columns, roles kept; never an empty array.
    ///
    /// Rows break after a blank or before a `&` in their second half, where there is one: so a URL's parameters stay
    /// whole. Short parts with several blanks around them, such as a number and its unit, stay together, too.
    func wrapped(columns width: Int) -> [StyledLine] { rows(columns: width, keepsParts: true) }

    private func rows(columns width: Int, keepsParts: Bool) -> [StyledLine] {
        guard width > 1, columns > width else { return [self] }
        var rows: [StyledLine] = []
        var rest = self
        while rest.columns > width {
            var row = rest.prefix(columns: width)
            let column = StyledLine.breakColumn(of: rest, width: width, keepsParts: keepsParts)
            if let column { row = rest.prefix(columns: column) }
            guard row.columns > 0 else { break }
            rows.append(row)
            rest = rest.suffix(columns: rest.columns - row.columns)
            // Blanks between two words end the row, however many they are: the next row begins with a word.
            guard column != nil else { continue }
            let blanks = rest.prefix(columns: width).string.prefix { $0 == " " }.count
            rest = rest.suffix(columns: rest.columns - blanks)
        }
        if rest.columns > 0 { rows.append(rest) }
        return rows
    }

    /// At most that many columns: what does not fit ends after a word, with an ellipsis. A word that is longer is cut itself.
    func truncatedAtWord(to limit: Int, _ glyphs: Glyphs) -> StyledLine {
        guard columns > limit, limit > 2 else { return truncatedTail(to: limit, glyphs) }
        var line = rows(columns: limit - 1, keepsParts: false)[0]
        line.append(SafeText(glyphs.ellipsis), .textMuted)
        return line
    }

    /// Where a row may end: after a blank, or in an address before a parameter; nil where only the width limits it.
    private static func breakColumn(of line: StyledLine, width: Int, keepsParts: Bool) -> Int? {
        let text = Array(line.prefix(columns: width + width / 2 + 2).string.utf8)
        guard text.count > width, text[...width].allSatisfy({ $0 < 0x80 }) else {
            return breakColumn(ofAny: line, width)
        }
        let column = (width / 2...width).last { column in
            text[column] == UInt8(ascii: "&") || text[column - 1] == UInt8(ascii: " ")
        }
        return column.map { keepsParts ? startOfPart(in: text, at: $0, width: width) : $0 }
    }

    /// Where the part of a text begins that is broken at a column, if it has at most half a row: two blanks end a part.
    private static func startOfPart(in text: [UInt8], at column: Int, width: Int) -> Int {
        func isGap(_ index: Int) -> Bool {
            text[index] == UInt8(ascii: " ") && text[index - 1] == UInt8(ascii: " ")
        }
        guard column > 1, let start = (max(2, width / 2)...column).last(where: { isGap($0 - 1) }) else { return column }
        let end = (start + 1..<text.count).first(where: isGap).map { $0 - 1 } ?? text.count
        return end > column && end - start <= width / 2 ? start : column
    }

    /// The same for text whose columns are not its bytes; it is in words, so that only blanks matter.
    private static func breakColumn(ofAny line: StyledLine, _ width: Int) -> Int? {
        (width / 2...width).last { column in
            let row = line.prefix(columns: column)
            return row.columns == column && row.string.utf8.last == UInt8(ascii: " ")
        }
    }
}

extension Glyphs {
    /// One blank cell.
    static let blank = Cell.blank.glyph
}
