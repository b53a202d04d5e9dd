import AdTracking
import Ports
import Testing
import VAST

/// Decided ads in the engine: macros, skips, errors.
@Suite struct TrackerFailuresTests {
    static func viewer(_ text: String, length: Duration? = nil, mode: ReportingMode = .fire) -> AdViewer {
        var viewer = AdViewer(mode: mode)
        viewer.place([adBreak(text, length: length)], by: .vast)
        return viewer
    }

    static func adBreak(_ text: String, length: Duration? = nil) -> AdBreak {
        let layout = Answer.layout(text, length: length)
        let ads =
            layout.places.map { DecidedAd.ad($0, breakStart: .ms(10_000), values: MacroValues()) }
            + layout.losses.map { DecidedAd.ad($0, at: .ms(10_000) + layout.end, values: MacroValues()) }
        return AdBreak(name: "v", start: .ms(10_000), duration: layout.end, ads: ads)
    }

    static func sent(_ viewer: AdViewer) -> [String] {
        viewer.requests.map { String($0.dropFirst("https://t.example/".count)) }
    }

    static let usual = [
        "impression", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete",
    ]

    @Test func aPodIsReportedInOrder() {
        var viewer = Self.viewer(
            Answer.vast(Answer.ad("a", seconds: 20, sequence: 1), Answer.ad("b", seconds: 10, sequence: 2)))
        viewer.play(5_000, 60_000)
        #expect(
            Self.sent(viewer) == ["a", "b"].flatMap { ad in Self.usual.map { "\(ad)/\($0)" } })
    }

    @Test func theJournalKnowsBeaconsByTheirTemplates() throws {
        let text = DecidedAdTests.linear(
            tracking: "<Tracking event=\"start\">https://t.example/s?c=[CACHEBUSTING]&amp;p=[ADPLAYHEAD]</Tracking>")
        var first = Self.viewer(text)
        first.play(5_000, 15_000)
        let request = try #require(first.requests.last)
        #expect(request.hasSuffix("&p=00%3A00%3A00.000"))
        #expect(!request.contains("["))
        #expect(
            Set(first.journal.values.map(\.record.key.url)) == [
                "https://t.example/i", "https://t.example/s?c=[CACHEBUSTING]&p=[ADPLAYHEAD]",
            ])
        // Another process with other random numbers does not send it again.
        var second = AdViewer()
        second.tracker.restored(first.restorable)
        second.place([Self.adBreak(text)], by: .vast)
        second.play(5_000, 15_000)
        #expect(second.requests.isEmpty)
    }

    @Test func aRetryRepeatsTheSameRequest() throws {
        var viewer = Self.viewer(
            DecidedAdTests.linear(tracking: "<Tracking event=\"start\">https://t.example/s?c=[CACHEBUSTING]</Tracking>")
        )
        viewer.respond = { $0.contains("/s?") ? .failure(.connect) : .answer(204) }
        viewer.play(5_000, 11_000)
        viewer.respond = { _ in .answer(204) }
        viewer.wait(30_000)
        let tries = viewer.requests.filter { $0.contains("/s?") }
        #expect(tries.count == 2)
        #expect(Set(tries).count == 1)
    }

    @Test func anErrorIsReportedOnceWithItsCode() throws {
        var viewer = Self.viewer(
            Answer.vast(Answer.ad("a", seconds: 20, sequence: 1), Answer.ad("b", seconds: 20, sequence: 2)),
            length: .seconds(30))
        let lost = try #require(viewer.tracker.book.breaks.first?.ads.last)
        #expect(viewer.state(.error, of: "b") == .idle)
        viewer.run(viewer.tracker.failed(lost.id, code: 206, at: viewer.now))
        viewer.run(viewer.tracker.failed(lost.id, code: 403, at: viewer.now))
        #expect(Self.sent(viewer) == ["b/error?c=206"])
        #expect(viewer.state(.error, of: "b") == .done)
        viewer.play(5_000, 60_000)
        #expect(Self.sent(viewer).filter { $0.contains("error") } == ["b/error?c=206"])
    }

    @Test func observingSendsNoErrorEither() throws {
        var viewer = Self.viewer(Answer.vast(Answer.ad("a", seconds: 20)), length: .seconds(5), mode: .observe)
        let lost = try #require(viewer.tracker.book.breaks.first?.ads.first)
        viewer.run(viewer.tracker.failed(lost.id, code: 206, at: viewer.now))
        #expect(viewer.requests.isEmpty)
        #expect(viewer.state(.error, of: "a") == .observed)
    }

    @Test func aSkipCountsFromItsOffsetOn() {
        var viewer = Self.viewer(Answer.vast(Answer.ad("a", seconds: 20, linear: " skipoffset=\"00:00:05\"")))
        viewer.play(5_000, 14_000)
        #expect(viewer.act(.skip, at: 14_000) == .noEvent)
        viewer.play(14_000, 15_000)
        #expect(viewer.act(.skip, at: 15_000) != .noEvent)
        #expect(Self.sent(viewer).last == "a/skip")
    }

    @Test func withoutAnOffsetNothingIsSkipped() {
        var viewer = Self.viewer(Answer.vast(Answer.ad("a", seconds: 20)))
        viewer.play(5_000, 14_000)
        #expect(viewer.act(.skip, at: 14_000) == .noEvent)
        #expect(viewer.act(.mute, at: 14_000) != .noEvent)
    }

    @Test func anAdThatIsCutOffReportsNothingBeyond() {
        var layout = Answer.layout(Answer.vast(Answer.ad("a", seconds: 20)), length: nil)
        layout.cut(at: .seconds(12))
        var viewer = AdViewer()
        viewer.place(
            [
                AdBreak(
                    name: "v", start: .ms(10_000), duration: layout.end,
                    ads: layout.places.map { DecidedAd.ad($0, breakStart: .ms(10_000), values: MacroValues()) })
            ], by: .vast)
        viewer.play(5_000, 60_000)
        #expect(Self.sent(viewer).last == "a/midpoint")
        #expect(viewer.reason(.complete) == .adCut)
    }
}
