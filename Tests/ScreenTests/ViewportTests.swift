import Screen
import Testing

@Suite struct ViewportTests {
    @Test func theOffsetIsClamped() {
        #expect(Viewport(count: 100, height: 10, offset: 95).offset == 90)
        #expect(Viewport(count: 5, height: 10, offset: 3).visible == 0..<5)
        #expect(Viewport(count: -1, height: -1, offset: -1).visible == 0..<0)
        let huge = Viewport(count: .max, height: .max, offset: .max)
        #expect(huge.visible.upperBound == huge.count)
        #expect(huge.visible.count == Size.limit)
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
        #expect(view.scrolled(by: .max).offset == 90)
        #expect(view.scrolled(by: .min).offset == 0)
    }
}
