import AdTracking
import HLS
import Ports
import TestSupport
import Testing

@testable import Session

@Suite struct SnapshotTests {
    /// A running clock needs no new snapshot: the old one shows later moments correctly.
    @Test func thePlayheadMovesOnByItself() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.start()
        session.run(for: .milliseconds(4_700))
        let early = session.snapshot()
        let later = session.now.advanced(by: .milliseconds(1_234))
        #expect(early.playhead.isAdvancing)
        #expect(early.playhead(at: later).date == early.playhead.date.map { $0 + .milliseconds(1_234) })
        #expect(early.playhead(at: later).latency == early.playhead.latency)
        #expect(early.playhead(at: later).drift == early.playhead.drift)
        session.run(for: .milliseconds(1_234))
        #expect(session.snapshot().playhead.stream == early.playhead(at: later).stream)
        #expect(session.snapshot().playhead.behindEdge.map { $0 >= early.playhead(at: later).behindEdge! } == true)
    }

    @Test func thePlayheadStopsAtTheEdgeAndLatencyGrows() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.start()
        session.run(for: .seconds(2))
        let snapshot = session.snapshot()
        let view = snapshot.playhead(at: session.now.advanced(by: .seconds(100)))
        #expect(view.stream == snapshot.playhead.limitStream)
        #expect(view.behindEdge == .zero)
        #expect(view.latency.map { $0 > .seconds(90) } == true)
    }

    @Test func aPausedPlayheadStays() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        session.start()
        session.run(for: .seconds(2))
        session.submit(.playerCommanded(.pause))
        let snapshot = session.snapshot()
        let view = snapshot.playhead(at: session.now.advanced(by: .seconds(5)))
        #expect(view.date == snapshot.playhead.date)
        #expect(view.latency == snapshot.playhead.latency.map { $0 + .seconds(5) })
    }

    @Test func timeToTheNextBreakCountsDown() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, _, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            return FakeOrigin.text(
                stream.document(stream.breaks, from: 0, to: 600_000), type: "application/json", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(2))
        let snapshot = session.snapshot()
        let wait = try #require(snapshot.timeToNextBreak)
        #expect(snapshot.timeToNextBreak(at: session.now.advanced(by: .seconds(3))) == wait - .seconds(3))
        #expect(snapshot.coverageAhead.map { $0 > .seconds(500) } == true)
        session.run(for: wait + .seconds(1))
        #expect(session.snapshot().breaks[0].isOnAir)
        #expect(session.snapshot().breaks[0].ads[0].isOnAir)
        #expect(session.snapshot().timeToNextBreak.map { $0 > .seconds(50) } == true)
        var stopped = session
        stopped.submit(.stopped)
        let last = stopped.snapshot()
        #expect(last.playsNoMore && last.timeToNextBreak == nil)
        session.run(for: .seconds(40))
        #expect(session.snapshot().breaks[0].hasEnded)
        #expect(!session.snapshot().breaks[0].isOnAir)
    }

    /// Values that are reused must equal newly built ones: while breaks begin and end, markers come with and without a
    /// break in the metadata, and interstitials play.
    @Test(arguments: ["breaks", "markers", "interstitials"]) func cachedBreaksAreTheTruth(stream: String) throws {
        var session = try MonitorHarness(Self.origin(with: stream))
        session.start()
        var hasMarkers = false
        for _ in 0..<100 {
            session.run(for: .milliseconds(2_100))
            var fresh = session.state
            fresh.views = BreakViews()
            let (kept, new) = (session.snapshot(), fresh.snapshot(at: session.now))
            #expect(kept.breaks == new.breaks)
            #expect(kept.counters == new.counters)
            #expect(kept.nextBreakStart == new.nextBreakStart)
            hasMarkers = hasMarkers || kept.breaks.contains { !$0.evidence.isEmpty && !$0.isCuesOnly }
        }
        #expect(hasMarkers == (stream == "markers"))
    }

    /// The same wherever the viewer goes: a change of the playhead concerns what was reached, a pause every idle event.
    @Test(arguments: ["breaks", "interstitials"]) func cachedBreaksAreTheTruthAfterEachCommand(stream: String) throws {
        var session = try MonitorHarness(Self.origin(with: stream))
        session.start()
        let commands: [PlayerCommand] = [
            .seek(.by(.seconds(-25))), .pause, .seek(.by(.seconds(20))), .play, .setRate(4), .seek(.live), .setRate(1),
        ]
        for turn in 0..<70 {
            session.run(for: .milliseconds(1_700))
            session.submit(.playerCommanded(commands[turn % commands.count]))
            // Two commands between two pictures, too.
            if turn % 5 == 4 { session.submit(.playerCommanded(commands[(turn + 3) % commands.count])) }
            var fresh = session.state
            fresh.views = BreakViews()
            #expect(session.snapshot().breaks == fresh.snapshot(at: session.now).breaks, "turn \(turn)")
        }
    }

    private static func origin(with stream: String) -> FakeOrigin {
        if stream == "interstitials" {
            return .playing([
                FakeInterstitial(id: "p", start: 75_000, assets: [7_000, 5_500]),
                FakeInterstitial(id: "q", start: 100_000, assets: [6_000], attributes: ",X-RESUME-OFFSET=0"),
            ])
        }
        var origin = MainPathTests.twoBreaks
        guard stream == "markers" else { return origin }
        origin.tags = [("m1", 80_000, 25), ("m3", 115_000, 10), ("m2", 140_000, 20)].map { id, start, seconds in
            let date = (FakeOrigin.start + .milliseconds(start)).iso8601
            return #"#EXT-X-DATERANGE:ID="\#(id)",START-DATE="\#(date)",DURATION=\#(seconds),SCTE35-OUT=0xFC302000"#
        }
        return origin
    }

    @Test func markerBreaksShowWhereMetadataHasNone() throws {
        var origin = FakeOrigin(hasSession: false)
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("high.m3u8") else { return nil }
            let text = stream.playlist(at: now)
                .replacing("#EXTINF:4.000,\nseg15.ts", with: "#EXT-X-CUE-OUT:8\n#EXTINF:4.000,\nseg15.ts")
                .replacing("#EXTINF:4.000,\nseg17.ts", with: "#EXT-X-CUE-IN\n#EXTINF:4.000,\nseg17.ts")
            return FakeOrigin.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 81_000)
        let marker = try #require(session.snapshot().breaks.first)
        #expect(marker.source == "marker")
        #expect(marker.label == "M1")
        #expect(marker.start == FakeOrigin.start + .seconds(60))
        #expect(marker.duration == .seconds(8))
        #expect(marker.ads.isEmpty)
    }
}
