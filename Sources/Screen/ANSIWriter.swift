/// Writes a grid with SGR sequences: `--dump --format ansi`.
///
/// Never moves the cursor; every line starts and ends plain (TERM-25).
package enum ANSIWriter {
    /// All rows, each with a line end; trailing blanks without a background go.
    package static func text(of grid: Grid, palette: Palette) -> String {
        var output = ""
        for y in 0..<grid.size.rows {
            var styled = false
            for run in grid.styleRuns(in: CellRun(row: y, columns: 0..<visibleEnd(of: grid, row: y, palette))) {
                let sequence = sgr(palette.style(of: grid[Point(x: run.columns.lowerBound, y: y)]))
                if styled || !sequence.isEmpty { output += "\u{1B}[0\(sequence)m" }
                styled = !sequence.isEmpty
                output += grid.text(of: run)
            }
            output += styled ? "\u{1B}[0m\n" : "\n"
        }
        return output
    }

    /// The parameters of a style after a reset, each led by a semicolon; empty for the plain style.
    package static func sgr(_ style: Style) -> String {
        var text = ""
        let attributes: [(Attributes, String)] = [
            (.bold, ";1"), (.dim, ";2"), (.italic, ";3"), (.underline, ";4"), (.reverse, ";7"),
        ]
        for (attribute, code) in attributes where style.attributes.contains(attribute) { text += code }
        return text + parameters(style.foreground, base: 30) + parameters(style.background, base: 40)
    }

    /// `base` is 30 for the foreground and 40 for the background.
    private static func parameters(_ color: Color, base: Int) -> String {
        switch color {
        case .terminal: ""
        case .ansi(let color): ";\((color.isBright ? base + 60 : base) + Int(color.plain.rawValue))"
        case .indexed(let index): ";\(base + 8);5;\(index)"
        case .rgb(let rgb): ";\(base + 8);2;\(rgb.red);\(rgb.green);\(rgb.blue)"
        }
    }

    private static func visibleEnd(of grid: Grid, row: Int, _ palette: Palette) -> Int {
        let cells = grid.row(row)
        let last = cells.lastIndex { cell in
            guard cell.glyph == .space else { return true }
            let style = palette.style(of: cell)
            return style.background != .terminal || !style.attributes.isDisjoint(with: [.reverse, .underline])
        }
        return last.map { $0 - cells.startIndex + 1 } ?? 0
    }
}
