import Ports
import Testing

@testable import AdTracking

/// What fills the book leaves it again.
@Suite struct BookRoomTests {
    private static func flood(_ count: Int, from start: Int64, ids: String) -> [AdBreak] {
        (0..<count).map { number in
            .test(
                "\(ids)\(number)", start + Int64(number) * 1_000, 500,
                [.test("a", start, 500, [.test(.start, start + Int64(number) * 1_000)])])
        }
    }

    /// Breaks dated in the far future never lie behind the viewer; without room the session would have no new break.
    @Test func aBookFullOfTheFarFutureTakesNewBreaks() {
        var viewer = AdViewer()
        viewer.play(0, 1_000)
        viewer.metadata(Self.flood(BreakBook.nodeLimit / 3, from: 1_000_000_000_000, ids: "far"), range: 0...60_000)
        #expect(viewer.tracker.book.nodeCount > BreakBook.nodeLimit - 3)
        let outcome = viewer.metadata(
            [.test("b", 20_000, 20_000, [.full("x", 20_000, 20_000)])], range: 0...60_000)
        #expect(outcome.merge.refusedNodes == 0)
        #expect(viewer.tracker.book.nodeCount <= BreakBook.nodeLimit)
        viewer.play(1_000, 50_000)
        #expect(viewer.requests.count == 6)
    }

    /// The furthest leave first; what was sent of those that leave is not sent again when they come back.
    @Test func whatWasSentOfThemIsNotSentAgain() {
        var viewer = AdViewer()
        let own = [AdBreak.test("b", 20_000, 20_000, [.full("x", 20_000, 20_000)])]
        viewer.metadata(own, range: 0...60_000)
        viewer.play(0, 50_000)
        let sent = viewer.requests
        for flood in ["one", "two"] {
            viewer.metadata(Self.flood(BreakBook.nodeLimit / 3, from: 100_000, ids: flood), range: 0...50_000)
        }
        viewer.metadata(own, range: 0...60_000)
        #expect(viewer.tracker.book.nodeCount <= BreakBook.nodeLimit)
        viewer.seek(0)
        viewer.play(0, 50_000)
        #expect(viewer.requests == sent && sent.count == 6)
    }

    /// One break whose ads are others with every poll.
    @Test func adsThatAreListedNoMoreMakeRoom() {
        var viewer = AdViewer()
        let far: Int64 = 1_000_000_000_000
        var refused = 0
        for poll in 0..<6 {
            let ads = (0..<BreakBook.nodeLimit / 8).map { number in
                Ad.test(
                    "\(poll)-\(number)", far + Int64(number), 500,
                    [.test(.start, far + Int64(number), url: "https://t.example/\(poll)/\(number)")])
            }
            refused += viewer.metadata([.test("b", far, 500_000, ads)], range: 0...(2 * far)).merge.refusedNodes
        }
        // The break itself is a node, so the last ad of a full book finds no place until the next poll.
        #expect(refused == 2)
        #expect(viewer.tracker.book.nodeCount <= BreakBook.nodeLimit)
    }
}
