import Screen
import Testing

@Suite struct WriterTests {
    private let palette = Palette(depth: .truecolor) { role in
        switch role {
        case .stateFailed: Style(foreground: .ansi(.red), attributes: .bold)
        case .stateDone: Style(foreground: .indexed(149))
        case .header: Style(foreground: .rgb(RGB(1, 2, 3)), background: .ansi(.brightBlue))
        case .selection: Style(attributes: .reverse)
        default: .plain
        }
    }

    private func sample() -> Grid {
        var grid = Grid(size: Size(columns: 8, rows: 2))
        grid.put("ok", at: Point(x: 0, y: 0), role: .stateDone)
        grid.put(" a<&", at: Point(x: 2, y: 0))
        grid.put(SafeText(outside: "✗你"), at: Point(x: 1, y: 1), role: .stateFailed)
        return grid
    }

    @Test func plainTextLosesTrailingBlanksAndGoldensDoNot() {
        #expect(TextWriter.text(of: sample()) == "ok a<&\n ✗你\n")
        #expect(TextWriter.golden(of: sample()) == "ok a<&  |\n ✗你    |\n")
        #expect(TextWriter.text(of: Grid(size: .zero)) == "")
        #expect(TextWriter.rows(of: Grid(size: Size(columns: 2, rows: 1))) == [""])
    }

    @Test func styleRunsNameRolesAndColumns() {
        #expect(TextWriter.styleRuns(of: sample()) == "0: 0-1 state.done\n1: 1-3 state.failed\n")
    }

    @Test func aPartOfThePictureCountsFromItsCorner() {
        let part = Rect(x: 1, y: 1, width: 4, height: 9)
        #expect(TextWriter.golden(of: sample(), in: part) == "✗你 |\n")
        #expect(TextWriter.styleRuns(of: sample(), in: part) == "0: 0-2 state.failed\n")
        #expect(TextWriter.golden(of: sample(), in: Rect(x: 9, y: 0, width: 2, height: 2)) == "")
        #expect(
            TextWriter.golden(of: sample(), in: Rect(x: -3, y: -3, width: 40, height: 40)) == "ok a<&  |\n ✗你    |\n")
        #expect(TextWriter.styleRuns(of: sample(), in: .zero) == "")
    }

    @Test func ansiResetsAtEveryLineEndAndNeverMoves() {
        #expect(
            ANSIWriter.text(of: sample(), palette: palette)
                == "\u{1B}[0;38;5;149mok\u{1B}[0m a<&\n \u{1B}[0;1;31m✗你\u{1B}[0m\n")
        var marked = sample()
        marked.mark(Rect(x: 0, y: 0, width: 8, height: 1), .selection)
        let lines = ANSIWriter.text(of: marked, palette: palette).split(separator: "\n")
        #expect(lines[0] == "\u{1B}[0;7;38;5;149mok\u{1B}[0;7m a<&  \u{1B}[0m")
    }

    @Test func sgrCoversEveryKindOfColour() {
        #expect(ANSIWriter.sgr(.plain) == "")
        #expect(ANSIWriter.sgr(palette.style(.header)) == ";38;2;1;2;3;104")
        #expect(ANSIWriter.sgr(Style(foreground: .ansi(.brightBlack), background: .indexed(16))) == ";90;48;5;16")
        let all: Attributes = [.bold, .dim, .italic, .underline, .reverse]
        #expect(ANSIWriter.sgr(Style(attributes: all)) == ";1;2;3;4;7")
    }

    @Test func svgEscapesTextAndPinsColumns() {
        let svg = SVGWriter(palette: palette).text(of: sample(), title: "a<b")
        #expect(svg.contains("<title>a&lt;b</title>"))
        #expect(svg.contains("<tspan x=\"37\" textLength=\"27\" fill=\"#d6dbe5\">a&lt;&amp;</tspan>"))
        #expect(!svg.contains("a<&"))
        #expect(svg.contains("<tspan x=\"19\" fill=\"#cd0000\" font-weight=\"bold\">✗</tspan>"))
        #expect(svg.contains("<tspan x=\"28\" fill=\"#cd0000\" font-weight=\"bold\">你</tspan>"))
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"92\" height=\"56\""))
        #expect(svg == SVGWriter(palette: palette).text(of: sample(), title: "a<b"))
    }

    @Test func svgPaintsBackgroundsAndReversal() {
        var grid = Grid(size: Size(columns: 2, rows: 1))
        grid.put("h", at: Point(x: 0, y: 0), role: .header)
        grid.put("s", at: Point(x: 1, y: 0), role: .selection)
        let svg = SVGWriter(palette: palette, paper: .light).text(of: grid)
        #expect(svg.contains("<rect x=\"10\" y=\"10\" width=\"9\" height=\"18\" fill=\"#5c5cff\"/>"))
        #expect(svg.contains("fill=\"#242933\"/>"))
        #expect(svg.contains("fill=\"#fdfcf8\">s</tspan>"))
    }

    /// Lines meet at the edges of their cells, in pixels; a run of them is one shape.
    @Test func svgDrawsLinesAndBlocksWithoutGaps() {
        var grid = Grid(size: Size(columns: 4, rows: 2))
        grid.put(SafeText(outside: "┌──┐"), at: Point(x: 0, y: 0))
        grid.put(SafeText(outside: "│▒▒█"), at: Point(x: 0, y: 1))
        let svg = SVGWriter(palette: palette).text(of: grid)
        #expect(
            svg.contains(
                "d=\"M14 18h5v1h-5zM14 18h1v10h-1zM19 18h18v1h-18zM37 18h5v1h-5zM41 18h1v10h-1z\"/>"))
        #expect(svg.contains("fill-opacity=\"0.50\" d=\"M19 28h18v18h-18z\"/>"))
        #expect(svg.contains("d=\"M14 28h1v18h-1z\"/>") && svg.contains("d=\"M37 28h9v18h-9z\"/>"))
        #expect(!svg.contains("<text"))
    }
}
