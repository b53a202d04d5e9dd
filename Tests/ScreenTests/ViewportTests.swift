import Screen
import Testing

@Suite struct ViewportTests {
    @Test func theOffsetIsClamped() {
        #expect(Viewport(count: 100, height: 10, offset: 95).offset == 90)
        #expect(Viewport(count: 5, height: 10, offset: 3).visible == 0..<5)
        #expect(Viewport(count: -1, height: -1, offset: -1).visible == 0..<0)
        let huge = Viewport(count: .max, height: .max, offset: .max)
        #expect(huge.isAtEnd)
        #expect(huge.visible.count == Size.limit)
        #expect(huge.thumb(length: .max) == 999..<1_000)
    }

    @Test func showingMovesAsLittleAsPossible() {
        let view = Viewport(count: 100, height: 10, offset: 20)
        #expect(view.showing(25) == view)
        #expect(view.showing(19).offset == 19)
        #expect(view.showing(30).offset == 21)
        #expect(view.showing(.max).offset == 90)
        #expect(view.showing(.min).offset == 0)
        #expect(Viewport(count: 3, height: 0, offset: 0).showing(2).visible.isEmpty)
    }

    @Test func scrollingStopsAtBothEnds() {
        let view = Viewport(count: 100, height: 10, offset: 20)
        #expect(view.scrolled(by: -5).offset == 15)
        #expect(view.scrolled(by: .max).isAtEnd)
        #expect(view.scrolled(by: .min).offset == 0)
        #expect(!view.isAtEnd)
    }

    @Test func theThumbStaysInTheBarAndTouchesBothEnds() {
        #expect(Viewport(count: 10, height: 10, offset: 0).thumb(length: 10) == nil)
        #expect(Viewport(count: 100, height: 10, offset: 0).thumb(length: 10) == 0..<1)
        #expect(Viewport(count: 100, height: 10, offset: 90).thumb(length: 10) == 9..<10)
        #expect(Viewport(count: 20, height: 10, offset: 5).thumb(length: 8) == 2..<6)
    }
}
