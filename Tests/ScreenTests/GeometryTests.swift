import Screen
import Testing

@Suite struct GeometryTests {
    private let rect = Rect(x: 2, y: 3, width: 10, height: 6)

    @Test func splitsShareTheRectangleWithoutOverlap() {
        #expect(rect.splitTop(2).top == Rect(x: 2, y: 3, width: 10, height: 2))
        #expect(rect.splitTop(2).rest == Rect(x: 2, y: 5, width: 10, height: 4))
        #expect(rect.splitBottom(2).bottom == Rect(x: 2, y: 7, width: 10, height: 2))
        #expect(rect.splitLeft(4).rest == Rect(x: 6, y: 3, width: 6, height: 6))
        #expect(rect.splitRight(4).right == Rect(x: 8, y: 3, width: 4, height: 6))
        #expect(rect.splitTop(99).rest.isEmpty)
        #expect(rect.splitTop(-1).top.isEmpty)
    }

    @Test func insetsAndIntersectionsNeverGoNegative() {
        #expect(rect.inset(columns: 1, rows: 1) == Rect(x: 3, y: 4, width: 8, height: 4))
        #expect(rect.inset(columns: 9, rows: 0).isEmpty)
        #expect(rect.intersection(Rect(x: 0, y: 0, width: 4, height: 4)) == Rect(x: 2, y: 3, width: 2, height: 1))
        #expect(rect.intersection(Rect(x: 50, y: 0, width: 4, height: 4)).isEmpty)
        #expect(rect.centered(columns: 4, rows: 2) == Rect(x: 5, y: 5, width: 4, height: 2))
        #expect(rect.centered(columns: 40, rows: 20) == rect)
        #expect(rect.row(5) == Rect(x: 2, y: 8, width: 10, height: 1))
        #expect(rect.row(6).isEmpty)
    }

    @Test func extremeValuesAreClamped() {
        let huge = Rect(x: .min, y: .max, width: .max, height: .min)
        #expect(huge.maxX == 0)
        #expect(huge.isEmpty)
        #expect(Size(columns: .max, rows: .min) == Size(columns: Size.limit, rows: 0))
        #expect(rect.contains(Point(x: 11, y: 8)))
        #expect(!rect.contains(Point(x: 12, y: 8)))
        #expect(!rect.contains(Point(x: .max, y: .min)))
    }
}
