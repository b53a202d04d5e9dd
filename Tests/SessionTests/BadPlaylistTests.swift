import Foundation
import Ports
import Session
import TestSupport
import Testing

/// A session whose media playlist becomes invalid for a while: the last valid data stays, the rule is reported, and the
/// session recovers without intervention.
@Suite struct BadPlaylistTests {
    /// Whether a request is for the media playlist of any variant.
    private static func isMedia(_ request: HTTPRequest) -> Bool {
        ["high.m3u8", "low.m3u8"].contains { request.url.path.hasSuffix($0) }
    }

    /// A session that receives `text` as its media playlist from 80 to 120 s.
    private static func session(getting bytes: [UInt8]) throws -> MonitorHarness {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            let time = (now.wall - FakeOrigin.start).inMilliseconds
            guard isMedia(request), (80_000...120_000).contains(time) else { return nil }
            var reply = FakeOrigin.text("", type: "application/vnd.apple.mpegurl", of: request)
            reply.exchange.body = bytes
            reply.exchange.bodyBytes = bytes.count
            return reply
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 115_000)
        return session
    }

    private static func recovers(_ session: inout MonitorHarness) -> Bool {
        session.run(untilEdge: 170_000)
        let snapshot = session.snapshot()
        return snapshot.session.playlistHealth.state == .good && snapshot.playhead.state == .playing
            && Set(session.urls).count == session.urls.count
    }

    /// Vectors that must be rejected, and vectors that break rules on purpose.
    private static let names = ConformanceFolder.names(in: "hls/playlists").filter { name in
        let marks = [
            "errors", "violations", "invalid", "missing", "undefined", "mixed", "no-extm3u", "mismatch", "bom",
        ]
        return name.hasSuffix(".m3u8") && marks.contains { name.contains($0) }
    }

    @Test(.enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)))
    func thereAreEnoughVectors() {
        #expect(Self.names.count >= 14, "\(Self.names)")
    }

    @Test(
        .enabled(if: ConformanceFolder.url != nil, Comment(rawValue: ConformanceFolder.absenceReason)),
        arguments: names)
    func aVectorInTheMiddleOfASession(_ name: String) throws {
        let folder = try #require(ConformanceFolder.url).appendingPathComponent("hls/playlists")
        let golden = try JSONReader.read(
            Array(Data(contentsOf: folder.appendingPathComponent(name.dropLast(5) + ".expected.json"))))
        var session = try Self.session(getting: Array(try Data(contentsOf: folder.appendingPathComponent(name))))
        let snapshot = session.snapshot()
        if let fatal = golden["fatal"]?.arrayValue?.first?.stringValue {
            #expect(snapshot.session.playlistHealth.problem?.hasPrefix("not a playlist: ") == true)
            #expect(snapshot.findings.contains { $0.finding.rule == fatal })
            #expect(snapshot.playlist.segmentCount == 8, "the last valid one stays")
        }
        if golden["endlist"] == true {
            #expect(snapshot.playlist.hasEnded, "the playlist announces its end")
        } else {
            #expect(Self.recovers(&session))
        }
    }

    @Test func anEndlessLine() throws {
        var session = try Self.session(getting: [UInt8](repeating: UInt8(ascii: "#"), count: 3_000_000))
        #expect(session.snapshot().session.playlistHealth.problem?.hasPrefix("not a playlist: ") == true)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "limit-reached" })
        #expect(Self.recovers(&session))
    }

    @Test func onlyZeroBytes() throws {
        var session = try Self.session(getting: [UInt8](repeating: 0, count: 4_096))
        #expect(session.snapshot().findings.contains { $0.finding.rule == "no-extm3u" })
        #expect(session.snapshot().playlist.segmentCount == 8)
        #expect(Self.recovers(&session))
    }

    @Test func anOversizedPlaylistNamesTheLimit() throws {
        let text = "#EXTM3U\n" + String(repeating: "#EXTINF:4,\nsegment.ts\n", count: 400_000)
        var session = try Self.session(getting: Array(text.utf8))
        #expect(
            session.snapshot().session.playlistHealth.problem
                == "not a playlist: \(text.utf8.count) bytes; the limit is \(Limits.playlistBytes)")
        #expect(Self.recovers(&session))
    }

    @Test func linesThatEndWithCarriageReturnAlone() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("high.m3u8") else { return nil }
            return FakeOrigin.text(
                stream.playlist(at: now).replacing("\n", with: "\r"), type: "application/vnd.apple.mpegurl",
                of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 240_000)
        #expect(session.snapshot().findings.contains { $0.finding.rule == "bare-carriage-return" })
        #expect(session.snapshot().playlist.segmentCount == 8)
        #expect(session.urls.sorted() == stream.plan)
    }

    /// A server that answers every request with the multivariant playlist gets requests at the pace of failures.
    @Test(arguments: [0, 80_000] as [Int64]) func aMultivariantPlaylistForAVariantIsAFailure(from start: Int64) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, now, _ in
            guard Self.isMedia(request), now.wall >= FakeOrigin.start + .milliseconds(start) else { return nil }
            let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5000000\nhigh.m3u8\n"
            return FakeOrigin.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(untilEdge: 140_000)
        let health = session.snapshot().session.playlistHealth
        #expect(health.problem == "received a multivariant playlist instead of a media playlist")
        #expect(session.requested.count { $0.contains("high.m3u8") || $0.contains("low.m3u8") } < 40)
    }
}
