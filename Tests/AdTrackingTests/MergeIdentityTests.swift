import AdTracking
import Ports
import Testing

/// Identity of nodes when documents change (TRK-16, TRK-17, TRK-19).
@Suite struct MergeIdentityTests {
    @Test func movedStartSendsNothingAgain() {
        var viewer = AdViewer()
        viewer.metadata([.test("4711", 10_000, 30_000, [.full("a", 10_000, 30_000)])])
        viewer.play(0, 26_000)
        let sent = viewer.requests
        #expect(sent.count == 4)
        let outcome = viewer.metadata([.test("4711", 16_000, 30_000, [.full("a", 16_000, 30_000)])])
        #expect(outcome.merge.changes.first?.kind == .moved(from: .ms(10_000), to: .ms(16_000)))
        viewer.play(26_000, 50_000)
        #expect(Set(viewer.requests).count == viewer.requests.count)
        #expect(viewer.requests.count == 6)
        #expect(viewer.tracker.book.breaks.map(\.start) == [.ms(16_000)])
    }

    /// A document that lists only what is due at the end does not put that above what is known (PRV-10); what the viewer does has no time.
    @Test(arguments: [false, true]) func eventsOfAnAdAreInOrderWhateverADocumentLists(isPage: Bool) {
        var book = BreakBook(session: "s")
        let first = [
            TrackingEvent.test(.impression, 0), .test(.start, 0), .test(.midpoint, 15_000), .test(.complete, 30_000),
            .test(.mute, 0, 30_000),
        ]
        for events in [first, [.test(.breakEnd, 30_000)], [.test(.start, 0), .test(.firstQuartile, 7_500)]] {
            var document = DecodedMetadata.test([.test("b", 0, 30_000, [.test("a", 0, 30_000, events)])])
            document.keepsUnlisted = isPage
            _ = book.merge(document, playhead: nil, keep: .seconds(60))
        }
        let types = book.breaks.flatMap(\.ads).flatMap(\.events).map(\.event.type)
        #expect(types == [.impression, .start, .firstQuartile, .midpoint, .complete, .breakEnd, .mute])
    }

    /// A start that moved far makes another break, even with the same name; the old break becomes a tombstone.
    @Test func farStartIsAnotherBreak() {
        var book = BreakBook(session: "s")
        _ = book.merge(.test([.test("x", 10_000, 5_000)], range: 0...90_000), playhead: nil, keep: .seconds(60))
        _ = book.merge(.test([.test("x", 60_000, 5_000)], range: 0...90_000), playhead: nil, keep: .seconds(60))
        #expect(book.breaks.map(\.presence) == [.vanished, .present])
        #expect(book.presentBreaks.map(\.start) == [.ms(60_000)])
    }

    @Test func nodesWithoutIDAreNamedByStart() {
        var book = BreakBook(session: "s")
        _ = book.merge(
            .test([.test(nil, 10_000, 5_000), .test(nil, 10_000, 5_000), .test(nil, 20_000, 5_000)]), playhead: nil,
            keep: .seconds(60))
        #expect(book.breaks.map(\.name.text) == ["10000:0", "10000:1", "20000:0"])
    }

    /// A journal would cut the names off at a NUL, and what it restores would be other events (TRK-16).
    @Test func namesHaveNoNUL() throws {
        var book = BreakBook(session: "s")
        for _ in 0..<2 {
            var ad = Ad.test("x", 10_000, 5_000, [.test(.unknown, 10_000, rawName: "e\0f")])
            ad.name = "a\0b"
            _ = book.merge(.test([.test("c\0d", 10_000, 5_000, [ad])]), playhead: nil, keep: .seconds(60))
        }
        let adBreak = try #require(book.breaks.first)
        let known = try #require(adBreak.ads.first)
        #expect(book.breaks.count == 1 && adBreak.ads.count == 1 && known.events.count == 1)
        #expect(adBreak.name.text == "c\u{FFFD}d" && known.name.text == "a\u{FFFD}b")
        #expect(known.events.first?.key.type == "e\u{FFFD}f")
    }

    /// The first node leaves the list; the others keep their identities.
    @Test func nodesWithoutIDSurviveTheWindow() {
        var viewer = AdViewer()
        let breaks = [Int64(0), 40_000, 80_000].map { AdBreak.test(nil, $0, 15_000, [.full("a\($0)", $0, 15_000)]) }
        viewer.metadata(breaks, range: 0...100_000)
        viewer.play(-1_000, 60_000)
        #expect(viewer.requests.count == 12)
        viewer.metadata(Array(breaks.dropFirst()), range: 30_000...130_000)
        #expect(viewer.tracker.book.breaks.map(\.id) == [BreakID(1), BreakID(2), BreakID(3)])
        #expect(viewer.tracker.book.breaks.map(\.presence) == [.outsideRange, .present, .present])
        viewer.seek(-1_000)
        viewer.play(-1_000, 60_000)
        #expect(viewer.requests.count == 12)
    }

    /// Without ids, only a common URL shows that a node moved.
    @Test(arguments: [(true, 1), (false, 2)])
    func movedNodesWithoutID(_ sharesURL: Bool, _ count: Int) {
        var book = BreakBook(session: "s")
        for (start, ad) in [(Int64(10_000), "a"), (13_000, sharesURL ? "a" : "z")] {
            _ = book.merge(
                .test([.test(nil, start, 15_000, [.full(ad, start, 15_000)])], range: 0...90_000), playhead: nil,
                keep: .seconds(60))
        }
        #expect(book.breaks.count == count)
    }

    /// Damaged answers remove an id, change it, or move an ad or its break far away: that makes another node, and no
    /// beacon is sent again.
    @Test(arguments: [nil, "b", "c"] as [String?], [nil, "a", "x"] as [String?])
    func damageSendsNothingAgain(_ breakName: String?, _ adName: String?) {
        let ad = Ad.full("a", 10_000, 30_000)
        for moved in [Int64(0), 40_000, 1_000_000] {
            var damaged = ad
            damaged.name = adName
            damaged.start = ad.start + .milliseconds(moved)
            var viewer = AdViewer()
            viewer.metadata([.test("b", 10_000, 30_000, [ad])])
            viewer.play(0, 26_000)
            #expect(viewer.requests.count == 4)
            viewer.metadata([.test(breakName, 10_000 + moved, 30_000, [damaged])])
            viewer.play(26_000, 35_000)
            viewer.metadata([.test("b", 10_000, 30_000, [ad])])
            viewer.play(35_000, 50_000)
            #expect(viewer.requests.count == 6)
            #expect(Set(viewer.requests).count == 6)
        }
    }

    @Test func repeatedCreativeIsTwoAds() {
        var ads = [Ad.full("a", 0, 6_000), .full("a", 6_000, 6_000)]
        for index in ads[1].events.indices { ads[1].events[index].urls = ads[0].events[index].urls }
        var viewer = AdViewer()
        viewer.metadata([.test("b", 0, 12_000, ads)])
        viewer.play(-1_000, 13_000)
        #expect(viewer.requests.count == 12)
        viewer.metadata([.test("b", 0, 12_000, ads)])
        #expect(viewer.requests.count == 12)
    }

    @Test func laterURLIsSentAndChangedCacheBusterIsNot() {
        func breaks(_ urls: [String]) -> [AdBreak] {
            var event = TrackingEvent.test(.start, 5_000)
            event.urls = urls
            return [.test("b", 0, 15_000, [.test("a", 0, 15_000, [event])])]
        }
        var viewer = AdViewer()
        viewer.metadata(breaks(["https://t.example/1?cb=1"]))
        viewer.play(0, 6_000)
        viewer.metadata(breaks(["https://t.example/1?cb=2"]))
        #expect(viewer.requests == ["https://t.example/1?cb=1"])
        let outcome = viewer.metadata(breaks(["https://t.example/1?cb=3", "https://t.example/2"]))
        #expect(viewer.requests == ["https://t.example/1?cb=1", "https://t.example/2"])
        #expect(
            outcome.merge.changes.map(\.kind) == [
                .urlAdded("https://t.example/2"),
                .urlReplaced(from: "https://t.example/1?cb=2", to: "https://t.example/1?cb=3"),
            ])
    }

    @Test func vanishedBreakIsHeldBackAndReturns() {
        let breaks = [AdBreak.test("b", 10_000, 15_000, [.full("a", 10_000, 15_000)])]
        var viewer = AdViewer()
        viewer.metadata(breaks, range: 0...60_000)
        viewer.metadata([], range: 0...64_000)
        #expect(viewer.tracker.book.presentBreaks.isEmpty)
        viewer.play(0, 30_000)
        #expect(viewer.requests.isEmpty)
        viewer.metadata(breaks, range: 0...68_000)
        #expect(viewer.requests.count == 6)
    }

    @Test func changesOfAFirstDocumentAreBreaksAndAds() {
        var book = BreakBook(session: "s")
        let report = book.merge(
            .test([.test("b", 0, 15_000, [.full("a", 0, 15_000)])]), playhead: nil, keep: .seconds(60))
        #expect(report.changes.map(\.subject) == ["break b", "ad a"])
        #expect(report.changes.map(\.kind) == [.added, .added])
        #expect(report.touched == [BreakID(1)])
        #expect(book.nodeCount == 2 + 14)
    }

    @Test func nodesAreLimited() {
        var book = BreakBook(session: "s")
        let events = (0..<1_000).map { TrackingEvent.test(.start, $0) }
        let breaks = (0..<100).map { AdBreak.test("\($0)", $0 * 1_000, 1_000, [.test("a", $0 * 1_000, 1_000, events)]) }
        let report = book.merge(.test(breaks), playhead: nil, keep: .seconds(60))
        #expect(book.breaks.count == 49)
        #expect(book.nodeCount == 49 * 1_002)
        #expect(report.refusedNodes == 51 * 1_002)
        let again = book.merge(.test(breaks), playhead: nil, keep: .seconds(60))
        #expect(again.refusedNodes == 51 * 1_002, "the same document has as little room")
    }

    @Test func theSameDocumentLetsBreaksExpire() {
        var book = BreakBook(session: "s")
        let document = DecodedMetadata.test([.test("b", 70_000, 5_000)], range: 60_000...90_000)
        _ = book.merge(.test([.test("a", 10_000, 5_000)], range: 0...60_000), playhead: nil, keep: .seconds(60))
        _ = book.merge(document, playhead: nil, keep: .seconds(60))
        let report = book.merge(document, playhead: .ms(76_000), keep: .seconds(60))
        #expect(report.changes.map(\.kind) == [.expired])
        #expect(book.breaks.map(\.name.text) == ["b"])
    }

    @Test func namelessFloodStaysQuick() {
        var book = BreakBook(session: "s")
        let breaks = (0..<20_000).map { _ in AdBreak.test(nil, 5_000, 1_000) }
        for _ in 0..<2 { _ = book.merge(.test(breaks), playhead: nil, keep: .seconds(60)) }
        #expect(book.breaks.count == 20_000)
        #expect(book.breaks.last?.name.text == "5000:19999")
    }
}
