import AdTracking
import Ports
import Testing

/// L62 is reported when a beacon can be sent no more, and never for one that is sent (TRK-11, TRK-14).
@Suite struct BreakVerdictsTests {
    private static let ads = [Ad.full("1", 10_000, 15_000), .full("2", 25_000, 15_000)]
    private static let whole = AdBreak.test("b", 10_000, 30_000, ads)
    /// The second ad is missing.
    private static let partial = AdBreak.test("b", 10_000, 30_000, [ads[0]])

    /// A viewer who saw the whole break; its second ad vanished from metadata before it was reached.
    private static func viewer(_ verdicts: inout BreakVerdicts) throws -> AdViewer {
        var viewer = AdViewer()
        viewer.metadata([whole], range: 0...60_000)
        viewer.play(0, 20_000)
        viewer.metadata([partial], range: 0...60_000)
        viewer.play(20_000, 45_000)
        let id = try #require(viewer.tracker.book.breaks.first?.id)
        #expect(verdicts.ended(id, in: viewer.tracker) == [])
        return viewer
    }

    @Test func anAdThatReturnsIsNoFinding() throws {
        var verdicts = BreakVerdicts()
        var viewer = try Self.viewer(&verdicts)
        viewer.metadata([Self.partial], range: 0...65_000)
        #expect(verdicts.documentArrived(in: viewer.tracker) == [])
        viewer.metadata([Self.whole], range: 0...69_000)
        #expect(verdicts.documentArrived(in: viewer.tracker) == [])
        #expect(viewer.requests.count == 12)
        viewer.metadata([], range: 50_000...110_000)
        #expect(verdicts.documentArrived(in: viewer.tracker) == [])
        #expect(verdicts.sessionEnded(in: viewer.tracker) == [])
    }

    @Test func anAdThatStaysAwayIsAFindingOnceItCannotReturn() throws {
        var verdicts = BreakVerdicts()
        var viewer = try Self.viewer(&verdicts)
        viewer.metadata([Self.partial], range: 30_000...90_000)
        #expect(verdicts.documentArrived(in: viewer.tracker) == [])
        viewer.metadata([], range: 50_000...110_000)
        let findings = verdicts.documentArrived(in: viewer.tracker)
        #expect(findings.map(\.rule) == Array(repeating: "L62", count: 6))
        #expect(findings.first?.message == "impression of ad 2 was not sent: withdrawn")
        #expect(verdicts.documentArrived(in: viewer.tracker) == [])
        #expect(verdicts.sessionEnded(in: viewer.tracker) == [])
    }

    /// Nothing is sent after the end of the session, so what waits is judged.
    @Test func theEndOfTheSessionIsFinal() throws {
        var verdicts = BreakVerdicts()
        let viewer = try Self.viewer(&verdicts)
        #expect(verdicts.sessionEnded(in: viewer.tracker).count == 6)
        #expect(verdicts.sessionEnded(in: viewer.tracker) == [])
    }

    /// What lists no URL has its own finding, and nothing of it was due.
    @Test func anEventWithoutAURLIsNoFinding() throws {
        let event = TrackingEvent(type: .start, rawName: "start", start: .ms(10_000), duration: .zero, urls: [])
        var (viewer, verdicts) = (AdViewer(), BreakVerdicts())
        viewer.metadata([.test("b", 10_000, 15_000, [.test("1", 10_000, 15_000, [event])])], range: 0...60_000)
        #expect(viewer.state(.start) == .skipped && viewer.reason(.start) == nil)
        viewer.play(0, 30_000)
        #expect(viewer.state(.start) == .skipped && viewer.reason(.start) == nil)
        let id = try #require(viewer.tracker.book.breaks.first?.id)
        #expect(verdicts.ended(id, in: viewer.tracker) + verdicts.sessionEnded(in: viewer.tracker) == [])
    }

    /// Documents without a range: beacons may be sent as long as breaks are kept.
    @Test func withoutARangeRetentionIsFinal() throws {
        var verdicts = BreakVerdicts()
        var viewer = AdViewer(keep: .seconds(600))
        viewer.metadata([.test("b", 10_000, 30_000, [.clipped("1", 10_000, 30_000, at: 20_000)])], range: 0...20_000)
        viewer.play(0, 45_000)
        let id = try #require(viewer.tracker.book.breaks.first?.id)
        #expect(verdicts.ended(id, in: viewer.tracker) == [])
        viewer.play(45_000, 500_000)
        #expect(verdicts.documentArrived(in: viewer.tracker) == [])
        viewer.play(500_000, 645_000)
        #expect(verdicts.documentArrived(in: viewer.tracker).count == 3)
    }
}
