import Ports
import Testing

@testable import AdTracking

/// What a server lists under another name with each poll is removed from the book.
@Suite struct RenamedNodesTests {
    private static let range = DataRange(start: .ms(0), end: .ms(600_000))

    private static func ad(_ name: String, _ start: Int64) -> Ad {
        .test(name, start, 5_000, [.test(.start, start), .test(.complete, start + 5_000)])
    }

    /// A book of three breaks with two ads each, after a document that lists only `listed`, with its report.
    private static func book(listing listed: [AdBreak]) -> (book: BreakBook, report: MergeReport) {
        var book = BreakBook(session: "s")
        let first = (0..<3).map { number -> AdBreak in
            let start = Int64(number) * 20_000 + 10_000
            return .test("b\(number)", start, 10_000, [ad("x", start), ad("y", start + 5_000)])
        }
        _ = book.merge(DecodedMetadata(dataRange: range, breaks: first), playhead: nil, keep: .seconds(7_200))
        let report = book.merge(
            DecodedMetadata(dataRange: range, breaks: listed), playhead: nil, keep: .seconds(7_200))
        return (book, report)
    }

    private static let second = AdBreak.test("b1", 30_000, 10_000, [ad("x", 30_000), ad("y", 35_000)])
    private static let third = AdBreak.test("b2", 50_000, 10_000, [ad("x", 50_000), ad("y", 55_000)])

    /// Each break is found under its id, and the count of nodes is that of what is there.
    private static func expectSound(_ book: BreakBook, _ location: SourceLocation = #_sourceLocation) {
        for adBreak in book.breaks { #expect(book[adBreak.id] == adBreak, sourceLocation: location) }
        let nodes = book.breaks.reduce(0) { $0 + $1.ads.reduce(1) { $0 + 1 + $1.events.count } }
        #expect(book.nodeCount == nodes, sourceLocation: location)
    }

    @Test func aVanishedBreakThatLosesItsLastAdIsRemoved() throws {
        var (book, report) = Self.book(listing: [Self.second, Self.third])
        let gone = try #require(book.breaks.first)
        let last = try #require(book.breaks.last)
        #expect(gone.presence == .vanished)
        let removed = book.removeRenamed(report) { _ in true }
        #expect(removed == gone.ads.flatMap(\.events).map(\.id))
        #expect(book.breaks.map(\.name.text) == ["b1", "b2"])
        #expect(book[gone.id] == nil)
        #expect(book[last.id]?.name.text == "b2")
        Self.expectSound(book)
    }

    @Test func aVanishedAdOfAListedBreakIsRemovedAlone() throws {
        let shorter = AdBreak.test("b1", 30_000, 10_000, [Self.ad("y", 35_000)])
        let first = AdBreak.test("b0", 10_000, 10_000, [Self.ad("x", 10_000), Self.ad("y", 15_000)])
        var (book, report) = Self.book(listing: [first, shorter, Self.third])
        let removed = book.removeRenamed(report) { _ in true }
        #expect(removed.count == 2)
        #expect(book.breaks.map(\.name.text) == ["b0", "b1", "b2"])
        #expect(book.breaks.map { $0.ads.map(\.name.text) } == [["x", "y"], ["y"], ["x", "y"]])
        Self.expectSound(book)
    }

    /// One event that was not renamed keeps its ad, and the ad keeps its break.
    @Test func whatIsNotRenamedWholeStays() throws {
        var (book, report) = Self.book(listing: [Self.second, Self.third])
        let before = book.breaks
        let kept = try #require(book.breaks.first?.ads.last?.events.last?.id)
        let removed = book.removeRenamed(report) { $0 != kept }
        #expect(removed.count == 2)
        #expect(book.breaks.map(\.id) == before.map(\.id))
        #expect(book.breaks.first?.presence == .vanished)
        #expect(book.breaks.first?.ads.map(\.name.text) == ["y"])
        Self.expectSound(book)
        #expect(book.removeRenamed(report) { _ in false } == [])
    }

    /// Ads without events are no evidence of anything and stay, as does what the document did not touch.
    @Test func nothingElseIsRemoved() {
        var (book, _) = Self.book(listing: [Self.second, Self.third])
        let before = book.breaks
        #expect(book.removeRenamed(MergeReport()) { _ in true } == [])
        #expect(book.breaks == before)
        var silent = BreakBook(session: "s")
        _ = silent.merge(
            DecodedMetadata(dataRange: Self.range, breaks: [.test("b", 10_000, 5_000, [.test("a", 10_000, 5_000)])]),
            playhead: nil, keep: .seconds(7_200))
        let report = silent.merge(
            DecodedMetadata(dataRange: Self.range, breaks: []), playhead: nil, keep: .seconds(7_200))
        #expect(silent.removeRenamed(report) { _ in true } == [])
        #expect(silent.breaks.map(\.presence) == [.vanished])
    }

    /// Through the tracker: with other names in each document, only the names under which something was claimed stay.
    @Test func whatHasAClaimStays() {
        var viewer = AdViewer()
        func breaks(_ poll: Int) -> [AdBreak] {
            (0..<3).map { number in
                let start = Int64(number) * 20_000 + 10_000
                let ads = [Ad.full("x\(number)", start, 5_000), Ad.full("y\(number)", start + 5_000, 5_000)]
                return .test(
                    "b\(number)-\(poll)", start, 10_000,
                    ads.enumerated().map { place, ad in
                        var ad = ad
                        ad.name = "\(place)-\(poll)"
                        return ad
                    })
            }
        }
        var at: Int64 = 0
        for poll in 0..<30 {
            viewer.metadata(breaks(poll), range: 0...600_000)
            viewer.play(at, at + 2_000)
            at += 2_000
            Self.expectSound(viewer.tracker.book)
            let old = viewer.tracker.book.breaks.filter { !$0.name.text.hasSuffix("-\(poll)") }
            for ad in old.flatMap(\.ads) {
                let states = ad.events.compactMap { viewer.tracker.ledger[$0.id]?.urls.first?.state }
                #expect(states.contains(.acknowledged), "poll \(poll): \(ad.name.text) has \(states)")
            }
        }
        #expect(viewer.requests.count == 36 && Set(viewer.requests).count == 36)
        #expect(viewer.tracker.book.breaks.count < 30)
    }
}
