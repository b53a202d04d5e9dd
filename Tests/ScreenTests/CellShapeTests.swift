import Testing

@testable import Screen

@Suite struct CellShapeTests {
    private static func rects(_ glyph: Unicode.Scalar) -> [Rect] { CellShape(glyph)?.rects ?? [] }

    /// What leaves a cell to the right enters the next one at the same height, and downwards at the same place.
    @Test(arguments: ["─│┌┐└┘├┤┬┴┼", "━┃┏┓┗┛┣┫┳┻╋"]) func linesMeetAtTheEdges(glyphs: String) throws {
        let (right, down) = (try #require(glyphs.unicodeScalars.first), glyphs.unicodeScalars.dropFirst().first)
        let across = try #require(Self.rects(right).first)
        let upright = try #require(down.flatMap { Self.rects($0).first })
        #expect(across.width == CellShape.width && upright.height == CellShape.height)
        for glyph in glyphs.unicodeScalars {
            for rect in Self.rects(glyph) {
                #expect(rect.x >= 0 && rect.maxX <= CellShape.width && rect.y >= 0 && rect.maxY <= CellShape.height)
                let isAcross = rect.y == across.y && rect.height == across.height
                #expect(isAcross || (rect.x == upright.x && rect.width == upright.width), "\(glyph)")
                #expect(isAcross ? rect.x == 0 || rect.maxX == CellShape.width : true, "\(glyph)")
            }
        }
    }

    @Test func blocksFillTheirShare() {
        #expect(Self.rects("█") == [Rect(x: 0, y: 0, width: 9, height: 18)])
        #expect(Self.rects("▄") == [Rect(x: 0, y: 9, width: 9, height: 9)])
        #expect(Self.rects("▁").first?.maxY == 18 && Self.rects("▁").first?.height == 2)
        #expect(Self.rects("▌") == [Rect(x: 0, y: 0, width: 4, height: 18)])
        #expect("░▒▓█".unicodeScalars.map { CellShape($0)?.opacityQuarters } == [1, 2, 3, 4])
        #expect(CellShape("A") == nil && CellShape("✓") == nil)
    }
}
