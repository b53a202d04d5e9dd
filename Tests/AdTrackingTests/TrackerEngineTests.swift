import AdTracking
import Ports
import Testing

/// When events are due, and why they are not sent (TRK-12, TRK-11, TRK-14, TRK-5).
@Suite struct TrackerEngineTests {
    static let whole = [AdBreak.test("b", 10_000, 30_000, [.full("a", 10_000, 30_000)])]
    static func sent(_ viewer: AdViewer) -> [String] {
        viewer.requests.map { String($0.dropFirst("https://t.example/a/".count)) }
    }

    @Test func joinerInsideTheAdGetsTheSpanAndWhatFollows() {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        viewer.play(20_000, 60_000)
        #expect(Self.sent(viewer) == ["impression", "midpoint", "thirdQuartile", "complete"])
        #expect(viewer.reason(.start) == .seekedOver)
    }

    @Test func joinerAtTheEndOfTheAdGetsNothing() {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        viewer.play(40_000, 60_000)
        #expect(viewer.requests.isEmpty)
    }

    @Test func firstInstantIsPlayed() {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        viewer.play(10_000, 10_000)
        #expect(Self.sent(viewer) == ["impression", "start"])
    }

    /// Dates step by a few milliseconds where ads are joined; the media within the step counts as played.
    @Test(arguments: [(Int64(39_990), Int64(40_013), true), (39_000, 40_000, true), (38_900, 40_001, false)])
    func smallDateStepsAreContinuous(_ end: Int64, _ next: Int64, _ isPlayed: Bool) {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        viewer.play(35_000, end)
        viewer.play(next, 50_000)
        #expect(Self.sent(viewer).contains("complete") == isPlayed)
    }

    /// An ad that is left one frame before its end counts as complete; an ad that is left earlier does not.
    @Test(arguments: [(Int64(39_960), true), (39_959, false)])
    func completeNeedsTheEnd(_ leave: Int64, _ isComplete: Bool) {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        viewer.play(35_000, leave)
        viewer.seek(90_000)
        viewer.play(90_000, 91_000)
        #expect(Self.sent(viewer).contains("complete") == isComplete)
    }

    /// Segments may add up to a little less than the ads: at the end of the stream nothing follows that would show it.
    @Test(arguments: [(Int64(39_960), true), (39_959, false)])
    func completeIsReachedAtTheEndOfTheStream(_ end: Int64, _ isComplete: Bool) {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        viewer.play(35_000, end)
        #expect(!Self.sent(viewer).contains("complete"))
        viewer.end()
        #expect(Self.sent(viewer).contains("complete") == isComplete)
        // The channel returns.
        viewer.play(end, 60_000)
        #expect(Self.sent(viewer).filter { $0 == "complete" } == ["complete"])
        #expect(viewer.tracker.played.range(near: .ms(35_000), within: .zero) == .ms(35_000)...(.ms(60_000)))
    }

    /// A break may be longer than its ads: what ends it is due at its end, on whichever of its ads it is listed (PRV-25).
    @Test(arguments: [EventType.breakEnd, .podEnd]) func theEndOfABreakBehindItsAdsIsDue(_ type: EventType) {
        let events: [(EventType, Int64)] = [(.start, 10_000), (.complete, 41_000), (type, 55_000)]
        let ad = Ad.test(
            "a", 10_000, 30_000, events.map { .test($0, $1, url: "https://t.example/a/\($0.rawValue)") })
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 45_000, [ad])])
        viewer.play(9_000, 54_999)
        #expect(Self.sent(viewer) == ["start"])
        viewer.play(54_999, 56_000)
        #expect(Self.sent(viewer) == ["start", type.rawValue])
        #expect(viewer.reason(.complete) == .adCut)
    }

    /// Ahead of its metadata an event waits for the next document, which shows whether the ad continued.
    @Test(arguments: [true, false])
    func growingEdgeHoldsBackWhatIsNotStitched(goesOn: Bool) {
        let clipped = [AdBreak.test("b", 10_000, 20_000, [.clipped("a", 10_000, 30_000, at: 30_000)])]
        var viewer = AdViewer()
        viewer.metadata(clipped, range: 0...30_000)
        viewer.play(9_000, 41_000)
        #expect(Self.sent(viewer) == ["impression", "start", "firstQuartile", "midpoint"])
        #expect(viewer.state(.complete) == .idle)
        #expect(viewer.reason(.complete) == .noMetadataInTime)
        viewer.metadata(goesOn ? Self.whole : clipped, range: 0...45_000)
        #expect(
            Self.sent(viewer).suffix(2) == (goesOn ? ["thirdQuartile", "complete"] : ["firstQuartile", "midpoint"]))
        #expect(viewer.state(.complete) == (goesOn ? .done : .skipped))
        #expect(viewer.reason(.complete) == (goesOn ? nil : .adCut))
    }

    /// Where documents have no data range, an ad is cut once one was read with enough of the stream behind the ad.
    @Test func anAdThatGrewWhenMetadataFailedIsNotCut() {
        var document = DecodedMetadata(
            breaks: [.test("b", 10_000, 4_000, [.clipped("a", 10_000, 30_000, at: 14_000)])])
        document.settledUntil = .ms(10_000)
        var viewer = AdViewer()
        viewer.metadata(document)
        viewer.play(9_000, 12_000)
        #expect(viewer.state(.complete) == .idle && viewer.reason(.complete) == .notReached)
        viewer.play(12_000, 60_000)
        for type in [EventType.midpoint, .thirdQuartile, .complete] {
            #expect(viewer.state(type) == .skipped && viewer.reason(type) == .noMetadataInTime, "\(type)")
        }
        document.settledUntil = .ms(14_000)
        viewer.metadata(document)
        for type in [EventType.midpoint, .thirdQuartile, .complete] {
            #expect(viewer.reason(type) == .adCut, "\(type)")
        }
        #expect(Self.sent(viewer) == ["impression", "start"])
    }

    /// The start of an ad that grows shakes, the end of the range does not: the ad is not cut.
    @Test(arguments: [Int64(-300), 0, 300]) func anAdThatGrowsAndShakesIsNotCut(shake: Int64) {
        var viewer = AdViewer()
        for end in stride(from: Int64(14_000), through: 46_000, by: 4_000) {
            let edge = min(end, 40_000)
            var ad = Ad.clipped("a", 10_000, 30_000, at: edge)
            ad.start = ad.start + .milliseconds(shake)
            viewer.metadata([.test("b", 10_000 + shake, edge - 10_000, [ad])], range: 0...end)
            viewer.play(end - 5_000, end - 1_000)
            #expect(viewer.reason(.complete) != .adCut, "range until \(end)")
        }
        #expect(Self.sent(viewer).last == "complete")
    }

    @Test func playedEventsAreSentWhenMetadataIsLate() {
        var viewer = AdViewer()
        viewer.play(0, 26_200)
        viewer.metadata(Self.whole)
        #expect(Self.sent(viewer) == ["impression", "start", "firstQuartile", "midpoint"])
        #expect(viewer.claimed.map(\.late.inMilliseconds) == [16_200, 16_200, 8_700, 1_200])
        #expect(viewer.claimed.map(\.isLatePath) == [true, true, true, true])
        viewer.metadata(Self.whole)
        #expect(viewer.requests.count == 4)
    }

    /// Arming sends what becomes due from then on: what was played before reads `observed`, whenever it is listed (TRK-11).
    @Test(arguments: [AdTrack.primary, .interstitial("i")]) func whatWasPlayedBeforeArmingIsObserved(on track: AdTrack)
    {
        func place(_ breaks: [AdBreak], _ viewer: inout AdViewer) {
            let placed = breaks.map { adBreak in
                var adBreak = adBreak
                adBreak.track = track
                return adBreak
            }
            viewer.place(placed, by: .interstitial)
        }
        var viewer = AdViewer(mode: .observe)
        place([.test("b", 10_000, 30_000)], &viewer)
        viewer.play(0, 25_000, on: track)
        viewer.changeMode(to: .fire)
        viewer.play(25_000, 33_000, on: track)
        place(Self.whole, &viewer)
        #expect(Self.sent(viewer) == ["thirdQuartile"])
        #expect(viewer.unsent.count == 4)
        for type in [EventType.impression, .start, .firstQuartile, .midpoint] {
            #expect(viewer.state(type) == .observed, "\(type)")
        }
        #expect(viewer.reason(.midpoint) == .observeMode)
        viewer.play(33_000, 50_000, on: track)
        #expect(Self.sent(viewer) == ["thirdQuartile", "complete"])
    }

    /// Each stretch counts as it was played, however often the session was armed; one that is played again, as it was then.
    @Test func eachStretchHasTheModeInWhichItWasPlayed() {
        var viewer = AdViewer(mode: .observe)
        viewer.play(0, 12_000)
        viewer.changeMode(to: .fire)
        viewer.play(12_000, 20_000)
        viewer.changeMode(to: .observe)
        viewer.play(20_000, 34_000)
        viewer.seek(24_000)
        viewer.changeMode(to: .fire)
        viewer.play(24_000, 26_000)
        viewer.metadata(Self.whole)
        #expect(Self.sent(viewer) == ["firstQuartile", "midpoint"])
        #expect([.impression, .start, .thirdQuartile].map { viewer.state($0) } == [.observed, .observed, .observed])
    }

    @Test func tooLateIsExpired() {
        var policy = TrackingPolicy()
        policy.latestLate = .seconds(10)
        var viewer = AdViewer(policy: policy)
        viewer.play(0, 26_200)
        viewer.metadata(Self.whole)
        #expect(Self.sent(viewer) == ["firstQuartile", "midpoint"])
        #expect(viewer.reason(.start) == .expired)
    }

    /// The limit is how long breaks are kept; a policy can only shorten it.
    @Test(arguments: [(Int64(1_800), nil, false), (86_400, nil, true), (1_800, 7_200, false), (7_200, 1_800, false)])
    func theLateLimitIsRetention(keep: Int64, policy: Int64?, isSent: Bool) {
        var viewer = AdViewer(keep: .seconds(keep))
        if let policy {
            var tolerances = TrackingPolicy()
            tolerances.latestLate = .seconds(policy)
            viewer = AdViewer(policy: tolerances, keep: .seconds(keep))
        }
        viewer.play(0, 2_000_000)
        viewer.metadata(Self.whole, range: 0...2_000_000)
        #expect(Self.sent(viewer).contains("start") == isSent)
        #expect(viewer.reason(.start) == (isSent ? nil : .expired))
    }

    /// Whatever the order in metadata, impression leaves before start, and the end of an ad before the next one.
    @Test(arguments: [false, true]) func beaconsLeaveInTheOrderInWhichTheyAreDue(isLate: Bool) {
        let ads = [Ad.full("1", 10_000, 15_000), .full("2", 25_000, 15_000)].map { ad in
            var ad = ad
            ad.events.reverse()
            return ad
        }
        let document = [AdBreak.test("b", 10_000, 30_000, ads.reversed())]
        var viewer = AdViewer()
        if !isLate { viewer.metadata(document) }
        viewer.play(0, 50_000)
        if isLate { viewer.metadata(document) }
        let names = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]
        #expect(
            viewer.requests.map { String($0.dropFirst("https://t.example/".count)) }
                == names.map { "1/" + $0 } + names.map { "2/" + $0 })
    }

    @Test func pausedIsReported() {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        viewer.play(0, 12_000)
        let event = viewer.event(.midpoint)
        #expect(event.flatMap { viewer.tracker.status(of: $0, isPaused: true) } == EventStatus(.idle, .paused))
        #expect(event.flatMap { viewer.tracker.status(of: $0, isPaused: false) } == EventStatus(.idle, .notReached))
    }

    @Test func observeModeSaysWhatItWouldSend() {
        var viewer = AdViewer(mode: .observe)
        viewer.metadata(Self.whole)
        viewer.play(0, 50_000)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.claimed.count == 6)
        #expect(viewer.state(.midpoint) == .observed)
        #expect(viewer.reason(.midpoint) == .observeMode)
        #expect(viewer.act(.mute, at: 20_000) == .observed)
    }

    @Test func userActionBelongsToTheAdOnAir() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 0, 30_000, [.full("1", 0, 15_000), .full("2", 15_000, 15_000)])])
        for (time, url) in [(Int64(14_999), "1"), (15_000, "2"), (30_400, "2")] {
            viewer.requests = []
            _ = viewer.act(.mute, at: time)
            #expect(viewer.requests == ["https://t.example/\(url)/mute"], "\(time)")
        }
        #expect(viewer.act(.mute, at: 30_501) == .noAdOnAir)
        #expect(viewer.act(.mute, at: nil) == .noPlayhead)
    }

    @Test func userActionWithoutSuchAnEvent() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 0, 30_000, [.test("a", 0, 30_000, [.test(.mute, 0, url: "about:blank")])])])
        #expect(viewer.act(.pause, at: 5_000) == .noEvent)
        #expect(viewer.act(.mute, at: 5_000) == .refused(.badURL))
    }

    @Test func nextDueIsTheNextStart() {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        #expect(viewer.tracker.nextDue(after: .ms(0)) == .ms(10_000))
        #expect(viewer.tracker.nextDue(after: .ms(10_000)) == .ms(17_500))
        #expect(viewer.tracker.nextDue(after: .ms(40_000)) == nil)
    }

    /// Before anything was played, and after a jump, what lasts or begins at that place is due with the first instant of play.
    @Test(arguments: [
        (Int64(9_000), false), (9_959, false), (10_000, true), (20_000, true), (39_999, true), (40_001, true),
        (40_041, false),
    ])
    func whereAnEventLastsItIsDueWhenPlayBegins(_ place: Int64, _ isDue: Bool) {
        var viewer = AdViewer()
        viewer.metadata(Self.whole)
        #expect(viewer.tracker.isDue(whenPlayBeginsAt: .ms(place), rate: 1) == isDue)
        #expect(!viewer.tracker.isDue(whenPlayBeginsAt: .ms(place), rate: 8))
        #expect(!viewer.tracker.isDue(whenPlayBeginsAt: .ms(place), rate: 1, on: .interstitial("i")))
        viewer.play(0, 1_000)
        #expect(!viewer.tracker.isDue(whenPlayBeginsAt: .ms(place), rate: 1))
        viewer.seek(place)
        #expect(viewer.tracker.isDue(whenPlayBeginsAt: .ms(place), rate: 1) == isDue)
        viewer.play(place, place)
        #expect(!viewer.tracker.isDue(whenPlayBeginsAt: .ms(place), rate: 1))
    }
}
