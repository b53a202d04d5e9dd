import AdTracking
import Ports
import Testing

/// Breaks from sources other than metadata documents, and the clocks of their times.
@Suite struct PlacedBreakTests {
    static let pod = [AdBreak.test("p", 10_000, 20_000, [.full("x", 10_000, 20_000)])]
    static let document = [AdBreak.test("d", 60_000, 20_000, [.full("a", 60_000, 20_000)])]

    static func onTrack(_ track: AdTrack) -> [AdBreak] {
        pod.map { adBreak in
            var adBreak = adBreak
            adBreak.track = track
            return adBreak
        }
    }

    static func names(_ viewer: AdViewer) -> [String] { viewer.tracker.book.presentBreaks.map(\.name.text) }

    static func sent(_ viewer: AdViewer) -> [String] {
        viewer.requests.map { String($0.dropFirst("https://t.example/x/".count)) }
    }

    @Test func documentsLeavePlacedBreaksAlone() {
        var viewer = AdViewer()
        viewer.place(Self.pod, by: .vast)
        viewer.metadata(Self.document, range: 0...120_000)
        #expect(Self.names(viewer) == ["p", "d"])
        viewer.metadata([], range: 0...120_000)
        #expect(Self.names(viewer) == ["p"])
        #expect(viewer.tracker.book.breaks.map(\.source) == [.vast, .metadata])
        viewer.play(5_000, 40_000)
        #expect(
            Self.sent(viewer) == ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"])
    }

    /// The data range does not limit breaks that no document describes.
    @Test func placedAdsAreNeitherGrowingNorCutByTheDataRange() {
        var viewer = AdViewer()
        viewer.metadata([], range: 0...15_000)
        viewer.place(Self.pod, by: .vast)
        viewer.play(5_000, 40_000)
        #expect(Self.sent(viewer).last == "complete")
        #expect(viewer.tracker.dataRange(of: .vast) == nil)
    }

    @Test func theSameNameAgainUpdates() {
        var viewer = AdViewer()
        viewer.place(Self.pod, by: .vast)
        let id = viewer.tracker.book.breaks.first?.id
        viewer.place([.test("p", 200_000, 20_000, [.full("x", 200_000, 20_000)])], by: .vast)
        #expect(viewer.tracker.book.breaks.map(\.id) == [id].compactMap { $0 })
        #expect(viewer.tracker.book.breaks.first?.start == .ms(200_000))
        viewer.play(5_000, 40_000)
        #expect(viewer.requests.isEmpty)
    }

    @Test func placingAgainChangesNothing() {
        var viewer = AdViewer()
        viewer.place(Self.pod, by: .vast)
        let outcome = viewer.place(Self.pod, by: .vast)
        #expect(outcome.merge == MergeReport())
    }

    /// Sources do not affect each other's breaks of the same name.
    @Test func sourcesAreApart() {
        var viewer = AdViewer()
        viewer.place(Self.pod, by: .vast)
        viewer.place([.test("p", 30_000, 5_000)], by: .interstitial)
        #expect(viewer.tracker.book.breaks.map(\.start) == [.ms(10_000), .ms(30_000)])
        viewer.run(viewer.tracker.withdrawn(["p"], by: .interstitial, at: viewer.now))
        #expect(viewer.tracker.book.presentBreaks.map(\.source) == [.vast])
    }

    @Test func withdrawnBreaksAreNotReported() {
        var viewer = AdViewer()
        viewer.place(Self.pod, by: .vast)
        viewer.play(5_000, 16_000)
        viewer.run(viewer.tracker.withdrawn(["p"], by: .vast, at: viewer.now))
        viewer.play(16_000, 40_000)
        #expect(Self.sent(viewer) == ["impression", "start", "firstQuartile"])
        viewer.place(Self.pod, by: .vast)
        #expect(Self.sent(viewer).suffix(3) == ["midpoint", "thirdQuartile", "complete"])
        #expect(Set(viewer.requests).count == viewer.requests.count)
    }

    @Test func retentionDropsThemWithTheirTime() {
        var viewer = AdViewer()
        viewer.place(Self.pod, by: .vast)
        viewer.play(29_000, 31_000)
        viewer.seek(7_229_999)
        viewer.metadata([])
        #expect(viewer.tracker.book.breaks.count == 1)
        viewer.seek(7_230_001)
        viewer.metadata([])
        #expect(viewer.tracker.book.breaks.isEmpty)
        #expect(viewer.tracker.book.nodeCount == 0)
        // The break is removed, yet its beacons are not sent again.
        let before = viewer.requests
        viewer.place(Self.pod, by: .vast)
        viewer.play(29_000, 31_000)
        #expect(viewer.requests == before)
    }

    @Test func theJournalKnowsThemAfterARestart() {
        var first = AdViewer()
        first.place(Self.pod, by: .vast)
        first.play(5_000, 21_000)
        var second = AdViewer()
        second.tracker.restored(first.restorable)
        second.place(Self.pod, by: .vast)
        second.play(5_000, 40_000)
        #expect(Self.sent(second) == ["thirdQuartile", "complete"])
        #expect(second.state(.start) == .done)
    }

    // MARK: Tracks

    /// No poll can list it again, and idle is only what can still be sent.
    @Test func anInterstitialThatIsWithdrawnIsNotIdle() {
        var viewer = AdViewer()
        viewer.place(Self.onTrack(.interstitial("i")), by: .interstitial)
        viewer.run(viewer.tracker.withdrawn(["p"], by: .interstitial, at: viewer.now))
        #expect(viewer.state(.midpoint) == .skipped && viewer.reason(.midpoint) == .noMetadataInTime)
        #expect(viewer.event(.midpoint).flatMap { viewer.tracker.status(of: $0) }?.isWithdrawn == true)
        viewer.place(Self.onTrack(.interstitial("i")), by: .interstitial)
        #expect(viewer.state(.midpoint) == .idle && viewer.reason(.midpoint) == .notReached)
    }

    /// The stream shows the dates of an interstitial but not its ads.
    @Test func playingTheStreamReportsNothingOfAnInterstitial() {
        var viewer = AdViewer()
        viewer.place(Self.onTrack(.interstitial("i")), by: .interstitial)
        viewer.play(5_000, 40_000)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.reason(.midpoint) == .notReached)
        viewer.play(10_000, 30_000, on: .interstitial("i"))
        #expect(
            Self.sent(viewer) == ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"])
    }

    @Test func playingAnInterstitialReportsNothingOfTheStream() {
        var viewer = AdViewer()
        viewer.place(Self.pod, by: .vast)
        viewer.place([.test("q", 0, 1, [])], by: .interstitial)
        viewer.play(5_000, 40_000, on: .interstitial("i"))
        #expect(viewer.requests.isEmpty)
        #expect(viewer.tracker.position == nil)
    }

    @Test func leavingAnInterstitialSkipsTheRest() {
        var viewer = AdViewer()
        let track = AdTrack.interstitial("i")
        viewer.place(Self.onTrack(track), by: .interstitial)
        viewer.play(10_000, 16_000, on: track)
        viewer.run(viewer.tracker.left([track], at: viewer.now))
        #expect(Self.sent(viewer) == ["impression", "start", "firstQuartile"])
        #expect(viewer.reason(.midpoint) == .interstitialNotPlaying)
        // It is played again from its beginning: only the events not reached before are sent.
        viewer.play(10_000, 30_000, on: track)
        #expect(Self.sent(viewer).suffix(3) == ["midpoint", "thirdQuartile", "complete"])
        #expect(Set(viewer.requests).count == viewer.requests.count)
    }

    @Test func theAdOnAirIsThatOfTheTrack() {
        var viewer = AdViewer()
        let track = AdTrack.interstitial("i")
        viewer.place(Self.onTrack(track), by: .interstitial)
        #expect(viewer.tracker.adOnAir(at: .ms(12_000)) == nil)
        #expect(viewer.tracker.adOnAir(at: .ms(12_000), on: track)?.ad.name.text == "x")
        #expect(viewer.act(.mute, at: 12_000) == .noAdOnAir)
        #expect(viewer.tracker.nextDue(after: .ms(0)) == nil)
        #expect(viewer.tracker.nextDue(after: .ms(0), on: track) == .ms(10_000))
    }
}
