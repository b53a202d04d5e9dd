import AdTracking
import Ports
import Testing

/// The reference library's numbered beacon tests (TRK-25: I27 to I39): one break 0–30000 with one ad.
@Suite struct ReferenceBeaconTests {
    private static func viewer(_ events: [TrackingEvent], retry: RetryPolicy = .standard) -> AdViewer {
        var viewer = AdViewer(retry: retry)
        viewer.metadata([.test("pod-1", 0, 30_000, [.test("ad-1", 0, 30_000, events)])])
        return viewer
    }

    @Test func i27UserPauseSendsItsURL() {
        var viewer = Self.viewer([.test(.pause, 0, 30_000, url: "https://t.example/pause")])
        #expect(viewer.act(.pause, at: 5_000) == .claimed(round: 1))
        #expect(viewer.requests == ["https://t.example/pause"])
        #expect(viewer.settlements == [UserSettlement(round: 1, wasReported: true)])
    }

    @Test func i28UserPauseWithoutBreak() {
        var viewer = AdViewer()
        #expect(viewer.act(.pause, at: 5_000) == .noAdOnAir)
        #expect(viewer.requests.isEmpty)
    }

    @Test func i29UserMuteSendsOnlyMute() {
        var viewer = Self.viewer([.test(.pause, 0, 30_000), .test(.mute, 0, 30_000)])
        #expect(viewer.act(.mute, at: 5_000) == .claimed(round: 1))
        #expect(viewer.requests == ["https://t.example/mute"])
    }

    @Test func i30EventInTheStepIsSent() {
        var viewer = Self.viewer([.test(.start, 5_000)])
        viewer.play(4_000, 5_500)
        #expect(viewer.requests == ["https://t.example/start"])
        #expect(viewer.state(.start) == .done)
    }

    @Test func i31EventAheadStaysIdle() {
        var viewer = Self.viewer([.test(.start, 10_000)])
        viewer.play(2_000, 3_000)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.state(.start) == .idle)
        #expect(viewer.reason(.start) == .notReached)
    }

    @Test func i32DoneIsNotSentAgain() {
        var viewer = Self.viewer([.test(.start, 5_000)])
        viewer.play(4_500, 5_500)
        #expect(viewer.requests.count == 1)
        viewer.seek(4_000)
        viewer.play(4_000, 6_000)
        #expect(viewer.requests.count == 1)
        #expect(viewer.state(.start) == .done)
    }

    @Test func i33BothEventsOfAMomentAreSent() {
        var viewer = Self.viewer([.test(.start, 0), .test(.impression, 0)])
        viewer.play(-1_000, 500)
        #expect(viewer.requests.sorted() == ["https://t.example/impression", "https://t.example/start"])
        #expect(viewer.state(.start) == .done)
        #expect(viewer.state(.impression) == .done)
    }

    @Test func i34UserEventsAreNotSentByTime() {
        var viewer = Self.viewer([.test(.pause, 5_000), .test(.mute, 5_000), .test(.start, 5_000)])
        viewer.play(4_000, 6_000)
        #expect(viewer.requests == ["https://t.example/start"])
        #expect(viewer.state(.pause) == .idle)
        #expect(viewer.reason(.pause) == .userClass)
        #expect(viewer.state(.mute) == .idle)
    }

    @Test func i35StepsSendTheirOwnQuartile() {
        var viewer = Self.viewer([
            .test(.firstQuartile, 7_500), .test(.midpoint, 15_000), .test(.thirdQuartile, 22_500),
        ])
        viewer.play(7_000, 8_000)
        #expect(viewer.requests == ["https://t.example/firstQuartile"])
        viewer.seek(14_500)
        viewer.play(14_500, 15_500)
        #expect(viewer.requests == ["https://t.example/firstQuartile", "https://t.example/midpoint"])
        #expect(viewer.state(.thirdQuartile) == .idle)
    }

    @Test func i36TwoAdsOneStartEach() {
        var viewer = AdViewer()
        viewer.metadata([
            .test(
                "pod-1", 0, 30_000,
                [
                    .test("ad-1", 0, 15_000, [.test(.start, 0, url: "https://t.example/1")]),
                    .test("ad-2", 15_000, 15_000, [.test(.start, 15_000, url: "https://t.example/2")]),
                ])
        ])
        viewer.play(-500, 500)
        #expect(viewer.requests == ["https://t.example/1"])
        viewer.seek(14_500)
        viewer.play(14_500, 15_500)
        #expect(viewer.requests == ["https://t.example/1", "https://t.example/2"])
    }

    /// The reference never retries; this test uses that policy, and `LedgerTests` cover the other.
    @Test func i37TransportErrorFails() {
        var viewer = Self.viewer([.test(.start, 5_000)], retry: .never)
        viewer.respond = { _ in .failure(.connect) }
        viewer.play(4_000, 6_000)
        #expect(viewer.requests.count == 1)
        #expect(viewer.state(.start) == .failed)
    }

    @Test func i38ServerErrorFails() {
        var viewer = Self.viewer([.test(.start, 5_000)], retry: .never)
        viewer.respond = { _ in .answer(500) }
        viewer.play(4_000, 6_000)
        #expect(viewer.requests.count == 1)
        #expect(viewer.state(.start) == .failed)
        #expect(viewer.event(.start).flatMap { viewer.tracker.ledger[$0]?.urls[0].state } == .rejected)
    }

    @Test func i39BreakAheadSendsNothing() {
        var viewer = AdViewer()
        viewer.metadata([.test("pod-1", 30_000, 30_000, [.test("ad-1", 30_000, 30_000, [.test(.start, 30_000)])])])
        viewer.play(0, 5_000)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.state(.start) == .idle)
    }
}
