import Ports
import Screen
import Testing

/// Applies runs to a picture of the terminal, as a backend would.
private struct Applied: ScreenBackend {
    var size: Size
    var cells: [[String]]
    var styles: [[UInt16]]
    var frames = 0
    var forgets = 0

    init(size: Size) {
        self.size = size
        cells = Array(repeating: Array(repeating: "?", count: size.columns), count: size.rows)
        styles = Array(repeating: Array(repeating: .max, count: size.columns), count: size.rows)
    }

    mutating func begin(size: Size) {
        frames += 1
        if size != self.size {
            let count = frames
            self = Applied(size: size)
            frames = count
        }
    }

    mutating func paint(_ run: CellRun, of grid: Grid) {
        let row = grid.row(run.row)
        for x in run.columns {
            let cell = row[row.startIndex + x]
            var text = String.UnicodeScalarView()
            grid.append(cell, to: &text)
            cells[run.row][x] = String(text) + (cell.isWide ? "w" : "")
            styles[run.row][x] = cell.styleKey
        }
    }

    mutating func end(cursor: Point?) {}
    mutating func invalidate() { forgets += 1 }
    mutating func close() {}

    /// Whether the painted cells equal the grid.
    func shows(_ grid: Grid) -> Bool {
        var other = Applied(size: grid.size)
        for y in 0..<grid.size.rows where grid.size.columns > 0 {
            other.paint(CellRun(row: y, columns: 0..<grid.size.columns), of: grid)
        }
        return cells == other.cells && styles == other.styles
    }
}

@Suite struct GridDiffTests {
    private func grid(_ text: String, columns: Int = 12, role: Role = .text) -> Grid {
        var grid = Grid(size: Size(columns: columns, rows: 1))
        grid.put(SafeText(outside: text), at: Point(x: 0, y: 0), role: role)
        return grid
    }

    @Test func equalGridsHaveNoRuns() {
        #expect(GridDiff.runs(from: grid("abc"), to: grid("abc")) == [])
        #expect(grid("e\u{301}") == grid("e\u{301}"))
        #expect(grid("abc") != grid("abd"))
        #expect(grid("abc") != grid("abc", role: .header))
        #expect(grid("abc") != grid("abc", columns: 13))
    }

    @Test func withoutAFormerGridEveryRowIsPainted() {
        #expect(
            GridDiff.runs(from: nil, to: Grid(size: Size(columns: 3, rows: 2)))
                == [CellRun(row: 0, columns: 0..<3), CellRun(row: 1, columns: 0..<3)])
        #expect(GridDiff.runs(from: nil, to: Grid(size: .zero)) == [])
        #expect(GridDiff.runs(from: nil, to: Grid(size: Size(columns: 0, rows: 5))) == [])
    }

    @Test func onlyChangesAndSmallGapsArePainted() {
        #expect(
            GridDiff.runs(from: grid("abcdefghijkl"), to: grid("aXcdefghijkl")) == [CellRun(row: 0, columns: 1..<2)])
        #expect(
            GridDiff.runs(from: grid("abcdefghijkl"), to: grid("aXcdeXghijkl")) == [CellRun(row: 0, columns: 1..<6)])
        #expect(
            GridDiff.runs(from: grid("abcdefghijkl"), to: grid("aXcdefXhijkl"))
                == [CellRun(row: 0, columns: 1..<2), CellRun(row: 0, columns: 6..<7)])
    }

    @Test func wideGlyphsArePaintedWhole() {
        #expect(GridDiff.runs(from: grid("a你b"), to: grid("a好b")) == [CellRun(row: 0, columns: 1..<3)])
        #expect(GridDiff.runs(from: grid("你"), to: grid("x")) == [CellRun(row: 0, columns: 0..<2)])
    }

    @Test func marksAreComparedByContentNotByTheirPlaceInTheTable() {
        var one = grid("n\u{303}")
        one.put(SafeText(outside: "e\u{301}"), at: Point(x: 0, y: 0))
        #expect(one == grid("e\u{301}"))
        #expect(GridDiff.runs(from: one, to: grid("e\u{302}")) == [CellRun(row: 0, columns: 0..<1)])
    }

    @Test func theDifferenceAppliedGivesTheNewGrid() {
        let seed: UInt64 = 0xD1FF
        var random = SplitMix64(seed: seed)
        let texts = SafetyVector.all.map { SafeText(outside: $0.input) }
        var painter = FramePainter()
        var backend = Applied(size: .zero)
        var size = Size(columns: 30, rows: 5)
        for round in 0..<500 {
            if round % 50 == 49 {
                size = Size(
                    columns: Int.random(in: 0...40, using: &random), rows: Int.random(in: 0...6, using: &random))
            }
            var grid = Grid(size: size)
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let point = Point(x: Int.random(in: -3...38, using: &random), y: Int.random(in: 0...5, using: &random))
                let text = texts[Int.random(in: 0..<texts.count, using: &random)]
                grid.put(text, at: point, role: Role.allCases[Int.random(in: 0..<Role.allCases.count, using: &random)])
            }
            painter.paint(grid, on: &backend)
            #expect(backend.shows(grid), "seed \(seed), round \(round)")
        }
    }

    @Test func anUnchangedFrameSendsNothingUntilTheScreenIsForgotten() {
        var painter = FramePainter()
        var backend = Applied(size: Size(columns: 12, rows: 1))
        #expect(painter.paint(grid("abc"), on: &backend) == 1)
        #expect(painter.paint(grid("abc"), on: &backend) == 0)
        #expect(backend.frames == 1)
        painter.paint(grid("abc"), cursor: Point(x: 1, y: 0), on: &backend)
        #expect(backend.frames == 2)
        painter.invalidate(&backend)
        #expect(backend.forgets == 1)
        #expect(painter.paint(grid("abc"), cursor: Point(x: 1, y: 0), on: &backend) == 1)
    }
}
