import AdTracking
import Ports
import TestSupport
import Testing

/// The numbered additions (TRK-26: X1 to X13).
@Suite struct AdditionTests {
    /// The correct results of table 1.3: only the last component is replaced, never host or query.
    @Test(arguments: [
        ("https://h/variant/v1/hls/index.m3u8?sessid=A", "https://h/variant/v1/hls/metadata?sessid=A"),
        ("https://h/variant/v1/dash/manifest.mpd?sessid=A", "https://h/variant/v1/dash/metadata?sessid=A"),
        ("https://h/a/live?sessid=A", "https://h/a/metadata?sessid=A"),
        ("https://h/a/index.v2.m3u8?sessid=A", "https://h/a/metadata?sessid=A"),
        ("https://h/a/index.m3u8?u=http://x/y&sessid=A", "https://h/a/metadata?u=http://x/y&sessid=A"),
        ("https://h/a/index.m3u8?file=x.mp4&sessid=A", "https://h/a/metadata?file=x.mp4&sessid=A"),
        ("https://h/a/b/", "https://h/a/metadata"),
        ("https://h/index.m3u8", "https://h/metadata"),
    ])
    func x1MetadataURL(_ manifest: String, _ metadata: String) throws {
        #expect(try MetadataURL.derive(from: WebURL(manifest)).get().text == metadata)
    }

    @Test(arguments: ["https://h", "https://h/", "https://h?sessid=A", "https://h//"])
    func x1NothingToReplace(_ manifest: String) throws {
        #expect(throws: MetadataURL.Problem.noPath) { try MetadataURL.derive(from: WebURL(manifest)).get() }
    }

    @Test func x2OneBadAdAmongGoodOnes() throws {
        let text = #"""
            {"dataRange":{"start":0,"end":90000},"adBreaks":[{"id":"b","startTime":0,"duration":45000,"ads":[
            {"id":"1","startTime":0,"duration":15000,"trackingEvents":[{"event":"start","startTime":0,"duration":0,
             "signalingUrls":["https://t.example/1"]}]},
            {"id":{"no":"id"},"startTime":"soon","duration":[],"trackingEvents":"none"},
            {"id":"3","startTime":30000,"duration":15000,"trackingEvents":[{"event":"start","startTime":30000,"duration":0,
             "signalingUrls":["https://t.example/3"]}]}]}]}
            """#
        var viewer = AdViewer()
        let document = try HarmonicMetadata.decode(Array(text.utf8))
        viewer.metadata(document)
        viewer.play(-1_000, 40_000)
        #expect(viewer.requests == ["https://t.example/1", "https://t.example/3"])
        #expect(document.findings.contains { $0.rule == "L03" && $0.path == "adBreaks[0].ads[1].trackingEvents" })
    }

    /// The same event is evaluated twice, by time and by the late path, while its first request is still in flight.
    @Test func x3OneRequestPerURLUnderConcurrency() {
        let breaks = [AdBreak.test("b", 0, 15_000, [.test("a", 0, 15_000, [.test(.start, 5_000)])])]
        var viewer = AdViewer()
        viewer.respond = { _ in nil }
        viewer.metadata(breaks)
        viewer.play(0, 6_000)
        #expect(viewer.state(.start) == .connecting)
        viewer.metadata(breaks)
        viewer.metadata([.test("b", 0, 15_000, [.test("a", 0, 14_000, [.test(.start, 5_000)])])])
        viewer.seek(4_000)
        viewer.play(4_000, 6_000)
        #expect(viewer.requests == ["https://t.example/start"])
    }

    /// One of two trackers may or may not have counted: nothing has failed, and not all is known to be done.
    @Test func anUnknownOutcomeBesideADoneOneIsUnknown() {
        var event = TrackingEvent.test(.start, 5_000)
        event.urls = ["https://t.example/1", "https://t.example/2"]
        var viewer = AdViewer(retry: .never)
        viewer.respond = { $0.hasSuffix("1") ? .failure(.timeout) : .answer(204) }
        viewer.metadata([.test("b", 0, 15_000, [.test("a", 0, 15_000, [event])])])
        viewer.play(0, 6_000)
        #expect(viewer.requests == ["https://t.example/1", "https://t.example/2"])
        #expect(viewer.state(.start) == .unknown)
    }

    @Test func x4FirstURLFailsSecondIsSent() {
        var event = TrackingEvent.test(.start, 5_000)
        event.urls = ["https://t.example/1", "https://t.example/2"]
        var viewer = AdViewer(retry: .never)
        viewer.respond = { $0.hasSuffix("1") ? .failure(.connect) : .answer(204) }
        viewer.metadata([.test("b", 0, 15_000, [.test("a", 0, 15_000, [event])])])
        viewer.play(0, 6_000)
        #expect(viewer.requests == ["https://t.example/1", "https://t.example/2"])
        #expect(viewer.state(.start) == .partial)
    }

    /// A journal after a crash: one claim without an outcome, and one with an outcome.
    @Test func x5CrashBetweenSendAndAnswer() {
        let breaks = [
            AdBreak.test("b", 0, 15_000, [.test("a", 0, 15_000, [.test(.start, 5_000), .test(.midpoint, 7_500)])])
        ]
        var first = AdViewer()
        first.respond = { $0.hasSuffix("start") ? .answer(204) : nil }
        first.metadata(breaks)
        first.play(0, 8_000)
        #expect(first.requests.count == 2)

        var second = AdViewer()
        second.tracker.restored(first.restorable)
        second.metadata(breaks)
        #expect(second.state(.midpoint) == .unknown)
        #expect(second.state(.start) == .done)
        second.play(0, 14_000)
        #expect(second.requests.isEmpty)

        // A person may request it.
        let midpoint = second.event(.midpoint)
        if let midpoint { second.run(second.tracker.retryAsked(midpoint, url: nil, at: second.now)) }
        #expect(second.requests == ["https://t.example/midpoint"])
        #expect(second.state(.midpoint) == .done)
    }

    /// The same after a restart, with the ad listed a little later than before.
    @Test func x5RestartWithMovedStarts() {
        var first = AdViewer()
        first.metadata([.test("b", 0, 15_000, [.full("a", 0, 15_000)])])
        first.play(0, 16_000)
        var second = AdViewer()
        second.tracker.restored(first.restorable)
        second.metadata([.test("b", 6_000, 15_000, [.full("a", 6_000, 15_000)])])
        second.play(0, 30_000)
        #expect(second.requests.isEmpty)
    }

    /// The first answer after a restart is damaged, the next is intact: no beacon is sent again under either name, and
    /// unsent beacons are sent once.
    @Test(arguments: [nil, "b"] as [String?], [nil, "x"] as [String?])
    func x5RestartWithDamagedNames(_ breakName: String?, _ adName: String?) {
        func breaks(_ breakName: String?, _ adName: String?) -> [AdBreak] {
            var ad = Ad.full("a", 0, 15_000)
            ad.name = adName
            return [.test(breakName, 0, 15_000, [ad])]
        }
        var first = AdViewer()
        first.metadata(breaks("b", "a"))
        first.play(0, 8_000)
        var second = AdViewer()
        second.tracker.restored(first.restorable)
        second.metadata(breaks(breakName, adName))
        second.play(0, 9_000)
        #expect(second.requests.isEmpty)
        second.metadata(breaks("b", "a"))
        second.play(9_000, 16_000)
        #expect(first.requests.count + second.requests.count == 6)
        #expect(Set(first.requests).isDisjoint(with: second.requests))
    }

    @Test func x5OtherSessionsDoNotCount() {
        var first = AdViewer(session: "one")
        first.metadata([.test("b", 0, 15_000, [.full("a", 0, 15_000)])])
        first.play(0, 16_000)
        var second = AdViewer(session: "two")
        second.tracker.restored(first.restorable)
        second.metadata([.test("b", 0, 15_000, [.full("a", 0, 15_000)])])
        second.play(0, 16_000)
        #expect(second.requests.count == first.requests.count)
    }

    @Test func x6AdVanishesAndReturns() {
        let other = Ad.full("other", 15_000, 15_000)
        let both = [AdBreak.test("b", 0, 30_000, [.full("a", 0, 15_000), other])]
        var viewer = AdViewer()
        viewer.metadata(both)
        viewer.play(0, 15_000)
        let sent = viewer.requests.count
        viewer.metadata([.test("b", 0, 30_000, [other])])
        #expect(viewer.tracker.book.breaks[0].presentAds.map(\.name.text) == ["other"])
        viewer.metadata(both)
        viewer.seek(0)
        viewer.play(0, 14_000)
        #expect(viewer.requests.count == sent)
        #expect(viewer.state(.start, of: "a") == .done)
    }

    /// Events of a tombstone are not sent; when the ad returns, the events that were played are sent.
    @Test func x6NothingIsSentOfATombstone() {
        let both = [AdBreak.test("b", 0, 30_000, [.full("a", 0, 15_000), .full("other", 15_000, 15_000)])]
        var viewer = AdViewer()
        viewer.metadata(both, range: 0...60_000)
        viewer.metadata([.test("b", 0, 30_000, [.full("other", 15_000, 15_000)])], range: 0...60_000)
        viewer.play(-1_000, 10_000)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.reason(.start, of: "a") == .noMetadataInTime)
        viewer.metadata(both, range: 0...60_000)
        #expect(
            viewer.requests.sorted()
                == ["a/firstQuartile", "a/impression", "a/midpoint", "a/start"].map {
                    "https://t.example/\($0)"
                })
        #expect(!viewer.claimed.map(\.isLatePath).contains(false))
    }

    @Test func x7BreakStillServedAfterRetention() {
        let breaks = [AdBreak.test("b", 0, 15_000, [.full("a", 0, 15_000)])]
        var viewer = AdViewer()
        viewer.metadata(breaks)
        viewer.play(-1_000, 16_000)
        let sent = viewer.requests.count
        #expect(sent == 6)
        viewer.play(16_000, 9_000_000)
        viewer.metadata(breaks)
        // The ad is absent for one poll, so it is removed; an old document that lists it again must not revive it.
        viewer.metadata([])
        #expect(viewer.tracker.book.breaks.isEmpty)
        viewer.metadata(breaks)
        viewer.seek(0)
        viewer.play(0, 16_000)
        #expect(viewer.requests.count == sent)
        #expect(viewer.state(.start) == .done)
    }

    @Test func x9DoubleSpeedSendsAllOnce() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 0, 30_000, [.full("a", 0, 30_000)])])
        for step in Int64(0)..<80 { viewer.play(step * 500 - 1_000, step * 500 - 500, rate: 2) }
        #expect(viewer.requests.count == 6)
        #expect(Set(viewer.requests).count == 6)
        #expect(
            viewer.claimed.map(\.event)
                == [.impression, .start, .firstQuartile, .midpoint, .thirdQuartile, .complete]
                .compactMap { viewer.event($0) })
    }

    @Test func x10SeekOverAnAdSendsNothing() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 30_000, [.full("a", 10_000, 30_000)])])
        viewer.play(0, 9_990)
        viewer.seek(41_000)
        viewer.play(41_000, 60_000)
        viewer.metadata([.test("b", 10_000, 30_000, [.full("a", 10_000, 30_001)])])
        #expect(viewer.requests.isEmpty)
        #expect(viewer.state(.start) == .skipped)
        #expect(viewer.reason(.start) == .seekedOver)
        #expect(viewer.reason(.complete) == .seekedOver)
    }

    @Test func x10ScrubbingSendsNothing() {
        var viewer = AdViewer()
        viewer.metadata([.test("b", 10_000, 30_000, [.full("a", 10_000, 30_000)])])
        viewer.play(0, 60_000, rate: 8)
        #expect(viewer.requests.isEmpty)
        #expect(viewer.reason(.midpoint) == .rateGate)
    }

    /// Paging: the next page lists nothing new. (TRK-26 X11 is covered by the tests of reading.)
    @Test func x12EmptyPageLosesNothing() {
        let breaks = [AdBreak.test("b", 0, 15_000, [.full("a", 0, 15_000)])]
        var viewer = AdViewer()
        viewer.metadata(breaks)
        viewer.play(-1_000, 5_000)
        viewer.metadata([])
        #expect(viewer.tracker.book.presentBreaks.map(\.name.text) == ["b"])
        viewer.play(5_000, 16_000)
        #expect(viewer.requests.count == 6)
        #expect(viewer.state(.complete) == .done)
    }

    @Test func x13ClickThroughIsNeverRequested() {
        var ad = Ad.full("a", 0, 15_000)
        ad.clickThrough = "https://adv.example/landing"
        ad.clickTracking = "https://t.example/click"
        ad.events += [
            .test(.clickThrough, 0, url: "https://adv.example/landing"), .test(.clickTracking, 0, 15_000),
            .test(.clickAbstractType, 5_000),
        ]
        var viewer = AdViewer()
        viewer.metadata([.test("b", 0, 15_000, [ad])])
        viewer.play(-1_000, 16_000)
        for action in UserAction.allCases { _ = viewer.act(action, at: 5_000) }
        if let click = viewer.event(.clickThrough) {
            viewer.run(viewer.tracker.retryAsked(click, url: nil, at: viewer.now))
        }
        #expect(!viewer.requests.contains { $0.contains("landing") || $0.contains("click") })
        #expect(viewer.requests.count == 6 + 8)
        #expect(viewer.reason(.clickThrough) == .clickClass)
        #expect(viewer.state(.clickThrough) == .skipped)
    }
}
