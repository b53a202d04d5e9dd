/// Writes a grid as an SVG picture: `--dump --format svg`, export, documentation. The same grid gives the same bytes.
///
/// Every cell has its place in whole pixels, so a viewer's font cannot shift columns and neighbours leave no seam. Lines and
/// blocks are drawn as shapes, because those of a font do not fill a row. All text is XML-escaped (TERM-25).
package struct SVGWriter: Sendable {
    /// Colours behind and of plain text, for palettes that leave both to the terminal.
    package struct Paper: Sendable, Equatable {
        let background, foreground: RGB

        /// Light text on a dark ground.
        package static let dark = Paper(background: RGB(16, 20, 28), foreground: RGB(214, 219, 229))
        /// Dark text on a light ground.
        package static let light = Paper(background: RGB(253, 252, 248), foreground: RGB(36, 41, 51))
    }

    /// Text of 15 pixels advances by 9 in the usual monospace fonts.
    private static let cellWidth = CellShape.width
    private static let rowHeight = CellShape.height
    private static let baseline = 14
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
        let width = Self.margin * 2 + grid.size.columns * Self.cellWidth
        let height = Self.margin * 2 + grid.size.rows * Self.rowHeight
        var output = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img">
            <title>\(MarkupEscape.text(title.string))</title>
            <rect width="\(width)" height="\(height)" rx="6" fill="\(Self.hex(paper.background))"/>
            <g font-family="ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="15" \
            shape-rendering="crispEdges">

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
                output += "width=\"\(run.columns.count * Self.cellWidth)\" "
                output += "height=\"\(Self.rowHeight)\" fill=\"\(Self.hex(ground))\"/>\n"
            }
            let look = " fill=\"\(Self.hex(fill))\"" + attributes(of: style)
            appendShapes(of: run, grid, attributes: look, to: &output)
            appendSpans(of: run, grid, attributes: look, to: &spans)
        }
        guard !spans.isEmpty else { return }
        output += "<text y=\"\(Self.margin + y * Self.rowHeight + Self.baseline)\">\(spans)</text>\n"
    }

    private func shape(_ grid: Grid, _ row: Int, _ column: Int) -> CellShape? {
        grid[Point(x: column, y: row)].glyph.scalar.flatMap(CellShape.init)
    }

    /// One path per stretch of the same opacity; alike neighbours are one shape if they reach from side to side.
    private func appendShapes(of run: CellRun, _ grid: Grid, attributes: String, to output: inout String) {
        var column = run.columns.lowerBound
        var (path, opacity) = ("", 4)
        func close() {
            guard !path.isEmpty else { return }
            let share = opacity < 4 ? " fill-opacity=\"0.\(opacity * 25)\"" : ""
            output += "<path\(attributes)\(share) d=\"\(path)\"/>\n"
            path = ""
        }
        while column < run.columns.upperBound {
            let start = column
            column += 1
            guard let shape = shape(grid, run.row, start) else { continue }
            let isWide = shape.rects.count == 1 && shape.rects.allSatisfy { $0.width == Self.cellWidth }
            while isWide, column < run.columns.upperBound, self.shape(grid, run.row, column) == shape { column += 1 }
            if opacity != shape.opacityQuarters { close() }
            opacity = shape.opacityQuarters
            for rect in shape.rects {
                let width = rect.width + (column - start - 1) * Self.cellWidth
                path += "M\(x(start) + rect.x) \(Self.margin + run.row * Self.rowHeight + rect.y)"
                path += "h\(width)v\(rect.height)h-\(width)z"
            }
        }
        close()
    }

    /// One span per words of ASCII, of a set length, because not every font advances by a cell; every other glyph has a span of
    /// its own, because fallback fonts have their own advance. Two blanks end a span: browsers collapse them.
    private func appendSpans(of run: CellRun, _ grid: Grid, attributes: String, to spans: inout String) {
        var column = run.columns.lowerBound
        while column < run.columns.upperBound {
            let start = column
            column = isAlone(grid, run.row, start) ? start + 1 : endOfWords(in: run, grid, from: start)
            while column < run.columns.upperBound, grid[Point(x: column, y: run.row)].isContinuation { column += 1 }
            guard !isBlank(grid, run.row, start), shape(grid, run.row, start) == nil else { continue }
            let text = grid.text(of: CellRun(row: run.row, columns: start..<column))
            let isPlain = column - start > 1 && !isAlone(grid, run.row, start)
            let length = isPlain ? " textLength=\"\((column - start) * Self.cellWidth)\"" : ""
            spans += "<tspan x=\"\(x(start))\"\(length)\(attributes)>\(MarkupEscape.text(text))</tspan>"
        }
    }

    /// Where the ASCII from a column on ends, or its words do; a blank at the start is a stretch of its own.
    private func endOfWords(in run: CellRun, _ grid: Grid, from start: Int) -> Int {
        guard !isBlank(grid, run.row, start) else { return start + 1 }
        var (column, end) = (start, start)
        while column < run.columns.upperBound, !isAlone(grid, run.row, column), column - end < 2 {
            column += 1
            if !isBlank(grid, run.row, column - 1) { end = column }
        }
        return end
    }

    private func isBlank(_ grid: Grid, _ row: Int, _ column: Int) -> Bool {
        grid[Point(x: column, y: row)].glyph.scalar == " "
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

    private func x(_ column: Int) -> Int { Self.margin + column * Self.cellWidth }

    private static func hex(_ color: RGB) -> String {
        "#" + [color.red, color.green, color.blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
