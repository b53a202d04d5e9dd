import HLS
import Ports
import TestSupport
import Testing

@testable import Session

@Suite struct PlaylistDetailTests {
    /// A session that receives these texts as its playlist, for less than the time after which it would follow another variant (HLS-31).
    private func answered(_ texts: [String]) throws -> MonitorHarness {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            guard request.url.path.hasSuffix("high.m3u8") else { return nil }
            return FakeOrigin.text(
                texts[min(count, texts.count - 1)], type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try MonitorHarness(origin)
        session.start()
        session.run(for: .seconds(12))
        return session
    }

    private func playlist(first: Int, segments: Int, duration: String = "4.000") -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for number in first..<first + segments { text += "#EXTINF:\(duration),\nseg\(number).ts\n" }
        return text
    }

    @Test("a snapshot before the first playlist has none, and one after has its text and its segments")
    func first() throws {
        var session = try MonitorHarness(MainPathTests.twoBreaks)
        #expect(session.snapshot().playlistDetail == nil)
        session.start()
        session.run(for: .seconds(1))
        let detail = try #require(session.snapshot().playlistDetail)
        #expect(detail.text.number == 1)
        #expect(detail.playlist?.segments.count == 8)
        #expect(detail.text.firstSequence == detail.playlist?.segments.first?.sequence)
        #expect(String(decoding: detail.text.bytes, as: UTF8.self).hasPrefix("#EXTM3U\n"))
        #expect(detail.text.url.hasSuffix("high.m3u8"))
    }

    @Test("every accepted reload counts, with its own findings")
    func reloads() throws {
        var session = try answered([
            playlist(first: 10, segments: 5), playlist(first: 11, segments: 5, duration: "9.000"),
        ])
        let detail = try #require(session.snapshot().playlistDetail)
        #expect(detail.text.number > 1)
        #expect(detail.text.firstSequence == 11)
        #expect(detail.text.findings.contains { $0.rule == "target-duration-exceeded" && $0.line == 5 })
        let sources = session.snapshot().findings.filter { $0.finding.rule == "target-duration-exceeded" }.map(\.source)
        #expect(sources == [.playlist])
    }

    @Test("an answer that repeats the one before is not parsed again; at another address, or with another text, it is")
    func repeatedText() throws {
        var part = PlaylistPart(MonitorConfiguration(mediaURL: try WebURL("http://o.test/l.m3u8")), seed: 1)
        let text = playlist(first: 10, segments: 5, duration: "9.000")
        func read(_ text: String, at url: String) -> ParsedPlaylist {
            part.read(
                HTTPExchange(
                    hops: [.init(url: url, status: 200, fields: [])], body: Array(text.utf8),
                    timings: .init(total: 1_000)), isStrict: false)
        }
        func storage(_ parsed: ParsedPlaylist) -> UnsafePointer<MediaSegment>? {
            parsed.media?.segments.withUnsafeBufferPointer { $0.baseAddress }
        }
        let first = read(text, at: "http://o.test/l.m3u8")
        let again = read(text, at: "http://o.test/l.m3u8")
        #expect(storage(again) == storage(first))
        #expect(again == first)
        let moved = read(text, at: "http://p.test/l.m3u8")
        #expect(storage(moved) != storage(first))
        #expect(moved == PlaylistParser.parse(Array(text.utf8), uri: "http://p.test/l.m3u8"))
        let next = playlist(first: 11, segments: 5)
        #expect(
            read(next, at: "http://p.test/l.m3u8")
                == PlaylistParser.parse(Array(next.utf8), uri: "http://p.test/l.m3u8"))
    }

    @Test("an old copy from a cache does not replace the text of the segments")
    func oldCopy() throws {
        var session = try answered([playlist(first: 10, segments: 6), playlist(first: 10, segments: 5)])
        let detail = try #require(session.snapshot().playlistDetail)
        #expect(detail.text.number == 1)
        #expect(detail.playlist?.segments.last?.sequence == 15)
    }

    @Test("an invalid playlist does not replace the last valid one")
    func refused() throws {
        var session = try answered([playlist(first: 10, segments: 6), "<html>"])
        #expect(session.snapshot().playlistDetail?.text.number == 1)
        #expect(session.snapshot().playlistDetail?.playlist?.segments.count == 6)
    }
}
