import AdTracking
import Ports
import Testing

/// The reference library's numbered merge tests (TRK-25: I10 to I26). Where our rules keep nodes that the reference
/// drops, its list corresponds to the nodes that are present.
@Suite struct ReferenceMergeTests {
    private var book = BreakBook(session: "s")

    private mutating func merge(_ breaks: [AdBreak], at playhead: Int64 = 0, keep: Int64 = 60_000) {
        _ = book.merge(.test(breaks), playhead: .ms(playhead), keep: .milliseconds(keep))
    }

    private var names: [String] { book.presentBreaks.map(\.name.text) }
    private func ads(_ index: Int) -> [String] { book.presentBreaks[index].presentAds.map(\.name.text) }

    private static let pod = AdBreak.test(
        "pod-1", 0, 30_000, [.test("ad-1", 0, 15_000), .test("ad-2", 15_000, 15_000)])

    @Test mutating func i10NewBreak() {
        merge([Self.pod])
        #expect(names == ["pod-1"])
        #expect(ads(0) == ["ad-1", "ad-2"])
    }

    @Test mutating func i11AbsentBreakIsKept() {
        merge([.test("pod-1", 0, 30_000)])
        merge([])
        #expect(names == ["pod-1"])
    }

    @Test mutating func i12AbsentBreakExpires() {
        merge([.test("pod-1", 0, 30_000)])
        merge([], at: 50_000, keep: 10_000)
        #expect(book.breaks.isEmpty)
        #expect(book.nodeCount == 0)
    }

    @Test mutating func i13NothingStaysNothing() {
        merge([])
        #expect(book.breaks.isEmpty)
    }

    @Test mutating func i14BreakDurationIsRefreshed() {
        merge([.test("pod-1", 0, 30_000)])
        merge([.test("pod-1", 0, 45_000)])
        #expect(names == ["pod-1"])
        #expect(book.breaks[0].duration == .milliseconds(45_000))
    }

    @Test mutating func i15AdDurationIsRefreshed() {
        merge([.test("pod-1", 0, 30_000, [.test("ad-1", 0, 15_000)])])
        merge([.test("pod-1", 0, 30_000, [.test("ad-1", 0, 20_000)])])
        #expect(ads(0) == ["ad-1"])
        #expect(book.breaks[0].ads[0].ad.duration == .milliseconds(20_000))
    }

    @Test mutating func i16NewBreakBesideKnown() {
        merge([.test("pod-1", 0, 30_000)])
        merge([.test("pod-1", 0, 30_000), .test("pod-2", 60_000, 30_000)])
        #expect(names == ["pod-1", "pod-2"])
    }

    @Test mutating func i17NewAdBesideKnown() {
        merge([.test("pod-1", 0, 30_000, [.test("ad-1", 0, 15_000)])])
        merge([Self.pod])
        #expect(ads(0) == ["ad-1", "ad-2"])
    }

    @Test mutating func i18OldBreakExpiresCurrentStays() {
        merge([.test("old-pod", 0, 30_000), .test("current", 100_000, 30_000)])
        merge([.test("current", 100_000, 30_000)], at: 150_000, keep: 10_000)
        #expect(names == ["current"])
        #expect(book.breaks.count == 1)
    }

    @Test mutating func i19PresentBreakIsKept() {
        merge([.test("old-pod", 0, 30_000)])
        merge([.test("old-pod", 0, 30_000)], at: 35_000, keep: 60_000)
        #expect(names == ["old-pod"])
    }

    /// The reference forgets ad-2, and what it had sent of it; we keep a tombstone (TRK-17) that is not listed.
    @Test mutating func i20AbsentAdIsNotListed() {
        let three = [Ad.test("ad-1", 0, 10_000), .test("ad-2", 10_000, 10_000), .test("ad-3", 20_000, 10_000)]
        merge([.test("pod-1", 0, 30_000, three)])
        merge([.test("pod-1", 0, 30_000, [three[0], three[2]])])
        #expect(ads(0) == ["ad-1", "ad-3"])
        #expect(book.breaks[0].ads.map(\.presence) == [.present, .vanished, .present])
    }

    @Test mutating func i21BreaksAreSorted() {
        merge([.test("c", 90_000, 1_000), .test("a", 0, 1_000), .test("b", 60_000, 1_000)])
        #expect(book.breaks.map(\.start) == [.ms(0), .ms(60_000), .ms(90_000)])
    }

    @Test mutating func i22AdsAreSorted() throws {
        let text = #"""
            {"dataRange":{"start":0,"end":90000},"adBreaks":[{"id":"p","startTime":0,"duration":45000,"ads":[
            {"id":"c","startTime":30000,"duration":15000,"trackingEvents":[]},
            {"id":"a","startTime":0,"duration":15000,"trackingEvents":[]},
            {"id":"b","startTime":15000,"duration":15000,"trackingEvents":[]}]}]}
            """#
        _ = book.merge(try HarmonicMetadata.decode(Array(text.utf8)), playhead: .ms(0), keep: .seconds(60))
        #expect(ads(0) == ["a", "b", "c"])
    }

    @Test mutating func i23EventsKeepTheirOrder() {
        merge([.test("p", 0, 30_000, [.test("a", 0, 30_000, [.test(.start, 0), .test(.complete, 30_000)])])])
        #expect(book.breaks[0].ads[0].events.map(\.event.type) == [.start, .complete])
        var viewer = AdViewer()
        viewer.metadata([.test("p", 0, 30_000, [.test("a", 0, 30_000, [.test(.start, 0), .test(.complete, 30_000)])])])
        #expect(viewer.state(.start) == .idle)
        #expect(viewer.state(.complete) == .idle)
    }

    /// The reference drops unknown events; we show them (1.5 "unknown ones reported, not lost") and never send them.
    @Test func i24UnknownEventsAreNeverSent() {
        var viewer = AdViewer()
        viewer.metadata([
            .test(
                "p", 0, 30_000,
                [
                    .test(
                        "a", 0, 30_000,
                        [
                            .test(.start, 0), .test(.unknown, 10_000, rawName: "secondQuartile"),
                            .test(.complete, 30_000),
                        ])
                ])
        ])
        viewer.play(-1_000, 31_000)
        #expect(viewer.requests == ["https://t.example/start", "https://t.example/complete"])
        #expect(viewer.tracker.book.breaks[0].ads[0].events.count == 3)
        #expect(viewer.state(.unknown) == .skipped)
    }

    @Test mutating func i25ManyChangesAtOnce() {
        merge([
            .test("pod-1", 0, 30_000, [.test("ad-1", 0, 30_000)]),
            .test("pod-2", 60_000, 30_000, [.test("ad-2", 60_000, 15_000), .test("ad-3", 75_000, 15_000)]),
        ])
        merge(
            [
                .test("pod-1", 0, 35_000, [.test("ad-1", 0, 35_000)]),
                .test("pod-2", 60_000, 30_000, [.test("ad-2", 60_000, 30_000)]),
                .test("pod-3", 120_000, 30_000, [.test("ad-4", 120_000, 30_000)]),
            ], at: 50_000)
        #expect(names == ["pod-1", "pod-2", "pod-3"])
        #expect(book.breaks[0].duration == .milliseconds(35_000))
        #expect(book.breaks[0].ads[0].ad.duration == .milliseconds(35_000))
        #expect(ads(1) == ["ad-2"])
        #expect(book.breaks[1].ads[0].ad.duration == .milliseconds(30_000))
        #expect(ads(2) == ["ad-4"])
    }

    @Test mutating func i26OnlyRecentBreaksAreKept() {
        merge([.test("old-1", 0, 30_000), .test("old-2", 60_000, 30_000), .test("cur", 300_000, 30_000)])
        merge([.test("cur", 300_000, 30_000), .test("future", 400_000, 30_000)], at: 310_000)
        #expect(names == ["cur", "future"])
    }
}
