/// Writes a grid as an SVG picture: `--dump --format svg`, export, documentation. The same grid gives the same bytes.
///
/// Every cell has its place by number, so a viewer's font cannot shift columns; all text is XML-escaped (TERM-25).
package struct SVGWriter: Sendable {
    /// Colours behind and of plain text, for palettes that leave both to the terminal.
    package struct Paper: Sendable, Equatable {
        let background, foreground: RGB

        /// Light text on a dark ground.
        package static let dark = Paper(background: RGB(16, 20, 28), foreground: RGB(214, 219, 229))
        /// Dark text on a light ground.
        package static let light = Paper(background: RGB(253, 252, 248), foreground: RGB(36, 41, 51))
    }

    /// Pixels of one cell; text of 14 pixels advances by 8.4 in the usual monospace fonts.
    private static let cellTenths = 84
    private static let rowHeight = 18
    private static let baseline = 13
    private static let margin = 10

    private let palette: Palette
    private let paper: Paper

    /// A writer for one palette.
    package init(palette: Palette, paper: Paper = .dark) {
        self.palette = palette
        self.paper = paper
    }

    /// The whole picture. `title` is what a screen reader announces.
    package func text(of grid: Grid, title: SafeText = "adtop") -> String {
        let width = Self.margin * 2 + (grid.size.columns * Self.cellTenths + 9) / 10
        let height = Self.margin * 2 + grid.size.rows * Self.rowHeight
        var output = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img">
            <title>\(Self.escaped(title.string))</title>
            <rect width="\(width)" height="\(height)" rx="6" fill="\(Self.hex(paper.background))"/>
            <g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" \
            xml:space="preserve">

            """
        for y in 0..<grid.size.rows { appendRow(y, of: grid, to: &output) }
        return output + "</g>\n</svg>\n"
    }

    private func appendRow(_ y: Int, of grid: Grid, to output: inout String) {
        var spans = ""
        for run in grid.styleRuns(in: CellRun(row: y, columns: 0..<grid.size.columns)) {
            let style = palette.style(of: grid[Point(x: run.columns.lowerBound, y: y)])
            let (fill, ground) = colors(of: style)
            if let ground {
                output += "<rect x=\"\(x(run.columns.lowerBound))\" y=\"\(Self.margin + y * Self.rowHeight)\" "
                output += "width=\"\(Self.decimal(run.columns.count * Self.cellTenths))\" "
                output += "height=\"\(Self.rowHeight)\" fill=\"\(Self.hex(ground))\"/>\n"
            }
            appendSpans(of: run, grid, attributes: " fill=\"\(Self.hex(fill))\"" + attributes(of: style), to: &spans)
        }
        guard !spans.isEmpty else { return }
        output += "<text y=\"\(Self.margin + y * Self.rowHeight + Self.baseline)\">\(spans)</text>\n"
    }

    /// One span per stretch of ASCII; every other glyph has a span of its own, because fallback fonts have their own advance.
    private func appendSpans(of run: CellRun, _ grid: Grid, attributes: String, to spans: inout String) {
        var column = run.columns.lowerBound
        while column < run.columns.upperBound {
            let start = column
            repeat {
                column += 1
            } while column < run.columns.upperBound && !isAlone(grid, run.row, column)
                && !isAlone(grid, run.row, start)
            while column < run.columns.upperBound, grid[Point(x: column, y: run.row)].isContinuation { column += 1 }
            let text = grid.text(of: CellRun(row: run.row, columns: start..<column))
            guard text.utf8.contains(where: { $0 != 0x20 }) else { continue }
            spans += "<tspan x=\"\(x(start))\"\(attributes)>\(Self.escaped(text))</tspan>"
        }
    }

    private func isAlone(_ grid: Grid, _ row: Int, _ column: Int) -> Bool {
        !(grid[Point(x: column, y: row)].glyph.scalar?.isASCII ?? false)
    }

    /// Glyph colour and, when it differs from the paper, the colour behind it.
    private func colors(of style: Style) -> (fill: RGB, ground: RGB?) {
        let front = TerminalColors.rgb(style.foreground) ?? paper.foreground
        let back = TerminalColors.rgb(style.background) ?? paper.background
        let reversed = style.attributes.contains(.reverse)
        let (fill, ground) = reversed ? (back, front) : (front, back)
        return (fill, ground == paper.background ? nil : ground)
    }

    private func attributes(of style: Style) -> String {
        var text = ""
        if style.attributes.contains(.bold) { text += " font-weight=\"bold\"" }
        if style.attributes.contains(.dim) { text += " opacity=\"0.65\"" }
        if style.attributes.contains(.italic) { text += " font-style=\"italic\"" }
        if style.attributes.contains(.underline) { text += " text-decoration=\"underline\"" }
        return text
    }

    private func x(_ column: Int) -> String { Self.decimal(Self.margin * 10 + column * Self.cellTenths) }

    /// A number of tenths with one decimal, without the C library's locale.
    private static func decimal(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }

    private static func hex(_ color: RGB) -> String {
        "#" + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
