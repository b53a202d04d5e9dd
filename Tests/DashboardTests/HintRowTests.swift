import Screen
import Testing

@testable import Dashboard

/// Text of which parts can be clicked.
@Suite struct HintRowTests {
    private static let retry = HintPress.action(.retry)
    private static let yes = HintPress.key(KeyPress(.char("y")))

    /// `state  r retry  y`, with wide letters before the hints.
    private var row: HintRow {
        var row = HintRow(StyledLine("広告"))
        row.space(2)
        row.append(StyledLine("r retry"), Self.retry)
        row.pad(to: 15)
        row.append(StyledLine("y"), Self.yes)
        return row
    }

    private func presses(_ row: HintRow, in rect: Rect) -> [HintPress?] {
        (rect.x - 1...rect.maxX).map { row.press(at: Point(x: $0, y: rect.y), in: rect) }
    }

    @Test("a part answers in its own cells and nowhere else")
    func cells() {
        let rect = Rect(x: 3, y: 5, width: 20, height: 2)
        let found = presses(row, in: rect)
        #expect(found.count == 22)
        #expect(found.indices.filter { found[$0] == Self.retry } == Array(7...13))
        #expect(found.indices.filter { found[$0] == Self.yes } == [16])
        #expect(row.press(at: Point(x: 10, y: 6), in: rect) == nil, "another row")
        #expect(row.press(at: Point(x: 10, y: 4), in: rect) == nil)
    }

    @Test("what is cut cannot be clicked, nor the ellipsis")
    func cut() {
        let rect = Rect(x: 0, y: 0, width: 10, height: 1)
        var grid = Grid(size: Size(columns: 10, rows: 1))
        row.draw(in: rect, Glyphs.unicode, on: &grid)
        #expect(TextWriter.rows(of: grid) == ["広告  r r…"])
        let found = presses(row, in: rect)
        #expect(found.indices.filter { found[$0] != nil } == Array(7...9))
        #expect(presses(row, in: .zero).allSatisfy { $0 == nil })
    }

    @Test("where hints are shown whole, those that do not fit are left out")
    func whole() {
        #expect(row.whole(in: 16) == row && row.whole(in: 15).line.string == "広告  r retry")
        let narrow = row.whole(in: 13)
        #expect(narrow.line.string == "広告  r retry" && narrow.parts.map(\.press) == [Self.retry])
        #expect(row.whole(in: 12) == row, "none fits: the row is cut as others are")
    }

    @Test("rows are joined, and each of several keys is a part by itself")
    func joined() {
        var both = HintRow(StyledLine("ab"))
        both.append(row)
        #expect(both.parts.map(\.columns) == [8..<15, 17..<18])
        #expect(both.line.string == "ab" + row.line.string && both.columns == 18)
        var keys = HintRow()
        keys.append(StyledLine("{ } break"), [.action(.previousBreak), .action(.nextBreak)], keys: ["{", "}"])
        #expect(keys.parts.map(\.columns) == [0..<2, 2..<9])
        #expect(keys.parts.map(\.press) == [.action(.previousBreak), .action(.nextBreak)])
    }
}
