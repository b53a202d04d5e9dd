import Ports
import Screen
import Testing

@Suite struct GridTests {
    private func grid(_ columns: Int, _ rows: Int = 1) -> Grid {
        Grid(size: Size(columns: columns, rows: rows))
    }

    @Test func aCellIsEightBytes() {
        #expect(MemoryLayout<Cell>.stride == 8)
    }

    @Test func textIsClippedOnEverySide() {
        var grid = grid(4, 2)
        #expect(grid.put("abcdef", at: Point(x: 2, y: 0)) == 2)
        #expect(grid.put("abcdef", at: Point(x: -2, y: 1)) == 6)
        #expect(grid.put("x", at: Point(x: 0, y: 2)) == 0)
        #expect(grid.put("x", at: Point(x: 0, y: -1)) == 0)
        #expect(grid.put("x", at: Point(x: 4, y: 0)) == 0)
        #expect(grid.put("x", at: Point(x: .min, y: .max)) == 0)
        #expect(TextWriter.rows(of: grid) == ["  ab", "cdef"])
    }

    @Test func maxColumnsLimits() {
        var grid = grid(6)
        #expect(grid.put("abcdef", at: Point(x: 1, y: 0), maxColumns: 3) == 3)
        #expect(grid.put("z", at: Point(x: 0, y: 0), maxColumns: -1) == 0)
        #expect(TextWriter.rows(of: grid) == [" abc"])
    }

    @Test func aWideGlyphAtTheRightEdgeBecomesABlank() {
        var grid = grid(3)
        grid.put("xxx", at: Point(x: 0, y: 0))
        #expect(grid.put(SafeText(outside: "a你你"), at: Point(x: 0, y: 0)) == 3)
        #expect(TextWriter.rows(of: grid) == ["a你"])
        var other = self.grid(2)
        other.put(SafeText(outside: "a你"), at: Point(x: 0, y: 0))
        #expect(TextWriter.golden(of: other) == "a |\n")
    }

    @Test func aWideGlyphCutAtTheLeftEdgeBecomesABlank() {
        var grid = grid(3)
        #expect(grid.put(SafeText(outside: "你b"), at: Point(x: -1, y: 0)) == 3)
        #expect(TextWriter.golden(of: grid) == " b |\n")
    }

    @Test func aWideGlyphCutByMaxColumnsBecomesABlank() {
        var grid = grid(6)
        grid.put("......", at: Point(x: 0, y: 0))
        grid.put(SafeText(outside: "a你"), at: Point(x: 0, y: 0), maxColumns: 2)
        #expect(TextWriter.rows(of: grid) == ["a ...."])
    }

    @Test func overwritingEitherHalfBlanksTheOther() {
        var right = grid(4)
        right.put(SafeText(outside: "你"), at: Point(x: 1, y: 0))
        right.put("x", at: Point(x: 2, y: 0))
        #expect(TextWriter.golden(of: right) == "  x |\n")
        var left = grid(4)
        left.put(SafeText(outside: "你"), at: Point(x: 1, y: 0))
        left.put("x", at: Point(x: 1, y: 0))
        #expect(TextWriter.golden(of: left) == " x  |\n")
        var shifted = grid(5)
        shifted.put(SafeText(outside: "你你"), at: Point(x: 0, y: 0))
        shifted.put(SafeText(outside: "好"), at: Point(x: 1, y: 0))
        #expect(TextWriter.golden(of: shifted) == " 好  |\n")
        var filled = grid(5)
        filled.put(SafeText(outside: "你你"), at: Point(x: 0, y: 0))
        filled.fill(Rect(x: 1, y: 0, width: 2, height: 1), with: Glyphs.ascii.track)
        #expect(TextWriter.golden(of: filled) == " --  |\n")
    }

    @Test func escapesHaveTheirOwnRole() {
        var grid = grid(8)
        grid.put(SafeText(outside: "a\u{7}b"), at: Point(x: 0, y: 0), role: .logInfo)
        #expect(TextWriter.styleRuns(of: grid) == "0: 0-0 log.info\n0: 1-2 text.escaped\n0: 3-3 log.info\n")
    }

    @Test func marksLeaveGlyphsAndRolesAndCoverBothHalves() {
        var grid = grid(6)
        grid.put(SafeText(outside: "✗你"), at: Point(x: 0, y: 0), role: .stateFailed)
        grid.mark(Rect(x: 0, y: 0, width: 2, height: 1), .selection)
        #expect(TextWriter.rows(of: grid) == ["✗你"])
        #expect(TextWriter.styleRuns(of: grid) == "0: 0-2 state.failed+selection\n")
        grid.mark(grid.bounds, .none)
        grid.restyle(Rect(x: 2, y: 0, width: 1, height: 1), role: .match)
        #expect(TextWriter.styleRuns(of: grid) == "0: 0-0 state.failed\n0: 1-2 match\n")
    }

    @Test func linesPutTheirSegmentsOneAfterTheOther() {
        var line = StyledLine("ab", .header)
        line.append(SafeText(outside: "你"), .paneTitle)
        line.append("c", .text)
        var grid = grid(8)
        #expect(grid.put(line, at: Point(x: 1, y: 0)) == 5)
        #expect(TextWriter.rows(of: grid) == [" ab你c"])
        #expect(TextWriter.styleRuns(of: grid) == "0: 1-2 header\n0: 3-4 pane.title\n")
        #expect(grid.put(line, at: Point(x: 0, y: 0), maxColumns: 3) == 3)
    }

    @Test func framesOfAnySize() {
        var grid = grid(5, 3)
        grid.frame(grid.bounds, Glyphs.unicode.heavy, role: .paneFocus)
        #expect(TextWriter.rows(of: grid) == ["┏━━━┓", "┃   ┃", "┗━━━┛"])
        grid.frame(grid.bounds, Glyphs.ascii.light)
        #expect(TextWriter.rows(of: grid) == ["+---+", "|   |", "+---+"])
        grid.clear()
        grid.frame(Rect(x: 0, y: 1, width: 5, height: 1), Glyphs.unicode.light)
        grid.frame(Rect(x: 3, y: 0, width: 9, height: 9), Glyphs.unicode.light)
        #expect(TextWriter.rows(of: grid) == ["   ┌─", "───│─", "   │"])
    }

    @Test func everyDrawingIsSafeAtEverySize() {
        let seed: UInt64 = 0x5C12EE
        var random = SplitMix64(seed: seed)
        let texts: [SafeText] = SafetyVector.all.map { SafeText(outside: $0.input) } + ["plain", "", "─┃▓"]
        for _ in 0..<400 {
            let size = Size(
                columns: Int.random(in: 0...24, using: &random), rows: Int.random(in: 0...4, using: &random))
            var grid = Grid(size: size)
            for _ in 0..<24 { draw(on: &grid, texts, &random) }
            #expect(halves(of: grid) == [], "seed \(seed), size \(size)")
            for row in TextWriter.rows(of: grid, keepsTrailingBlanks: true) {
                #expect(
                    SafeText(outside: row).escapedColumns.allSatisfy { _ in row.contains("\u{FFFD}") }, "seed \(seed)")
                #expect(SafeText(outside: row).columns == size.columns, "seed \(seed), row \(row)")
            }
        }
    }

    private func draw(on grid: inout Grid, _ texts: [SafeText], _ random: inout SplitMix64) {
        let point = Point(x: Int.random(in: -6...26, using: &random), y: Int.random(in: -1...4, using: &random))
        let rect = Rect(
            x: point.x, y: point.y, width: Int.random(in: 0...9, using: &random),
            height: Int.random(in: 0...4, using: &random))
        switch Int.random(in: 0...5, using: &random) {
        case 0: grid.fill(rect, with: Glyphs.unicode.future, role: .spark)
        case 1: grid.frame(rect, Glyphs.unicode.light)
        case 2: grid.mark(rect, .selection)
        case 3: grid.restyle(rect, role: .match)
        default:
            let text = texts[Int.random(in: 0..<texts.count, using: &random)]
            grid.put(text, at: point, maxColumns: Int.random(in: 0...30, using: &random))
        }
    }

    /// Places with half of a wide glyph.
    private func halves(of grid: Grid) -> [Point] {
        var found: [Point] = []
        for y in 0..<grid.size.rows {
            for x in 0..<grid.size.columns {
                let cell = grid[Point(x: x, y: y)]
                let next = x + 1 < grid.size.columns && grid[Point(x: x + 1, y: y)].isContinuation
                let previous = x > 0 && grid[Point(x: x - 1, y: y)].isWide
                if cell.isWide != next || cell.isContinuation != previous { found.append(Point(x: x, y: y)) }
                if next, cell.styleKey != grid[Point(x: x + 1, y: y)].styleKey { found.append(Point(x: x, y: y)) }
            }
        }
        return found
    }
}
