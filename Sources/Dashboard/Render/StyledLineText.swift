import Screen

extension StyledLine {
    /// Adds run-time text, ours or a stranger's, through the sanitiser.
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
    func wrapped(columns width: Int) -> [StyledLine] {
        guard width > 1, columns > width else { return [self] }
        var rows: [StyledLine] = []
        var row = StyledLine()
        for segment in segments {
            var rest = segment.text
            while !rest.isEmpty {
                let piece = rest.prefix(columns: width - row.columns)
                if piece.isEmpty || row.columns == width {
                    rows.append(row)
                    row = StyledLine()
                    continue
                }
                row.append(piece, segment.role)
                rest = rest.suffix(columns: rest.columns - piece.columns)
            }
        }
        return rows + [row]
    }
}

extension Glyphs {
    /// One blank cell.
    static let blank = Cell.blank.glyph
}
