import Screen
import Testing

@testable import Dashboard

@Suite struct MatchMarksTests {
    @Test(
        "what is searched is marked in every script",
        arguments: [
            ("Midpoint midpoint", "MID", [0, 1, 2, 9, 10, 11]), ("ad 漢字テスト 1", "字テ", [5, 6, 7, 8]),
            ("ad 漢字 x", "字 X", [5, 6, 7, 8]), ("cafe\u{301} bar", "fe\u{301} b", [2, 3, 4, 5]),
            ("🎬 film 🎬", "🎬", [0, 1, 8, 9]), ("aaaa", "aaa", [0, 1, 2]), ("ab", "abc", []),
        ] as [(String, String, [Int])])
    func scripts(_ text: String, _ search: String, _ expected: [Int]) {
        var grid = Grid(size: Size(columns: 24, rows: 2))
        grid.put(SafeText(outside: text), at: Point(x: 0, y: 1))
        grid.markMatches(of: TextFilter(search), in: grid.bounds)
        let marked = (0..<24).filter { grid[Point(x: $0, y: 1)].mark == .match }
        #expect(marked == expected, "\(text)")
        #expect((0..<24).allSatisfy { grid[Point(x: $0, y: 0)].mark == .none })
    }
}
