import AdTracking
import HLS
import Ports
import Session
import TestSupport
import Testing

/// Answers that are nearly what was asked for: a wrong encoding, a wrong type, a manifest of another kind.
@Suite struct OddAnswerTests {
    private static let playlistType = "application/vnd.apple.mpegurl"
    private static let mpd = "<?xml version=\"1.0\"?>\n<!-- live -->\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"/>"

    private static func reply(_ bytes: [UInt8], type: String, to request: HTTPRequest) -> FakeOrigin.Reply {
        var reply = FakeOrigin.text("", type: type, of: request)
        (reply.exchange.body, reply.exchange.bodyBytes) = (bytes, bytes.count)
        return reply
    }

    /// Two breaks; each playlist has a title with one byte that is not UTF-8.
    private static var latinTitles: FakeOrigin {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("high.m3u8") else { return nil }
            let text = stream.playlist(at: now).replacing("4.000,", with: "4.000,caf~").utf8.map { byte -> UInt8 in
                byte == UInt8(ascii: "~") ? 0xE9 : byte
            }
            return Self.reply(text, type: playlistType, to: request)
        }
        return origin
    }

    /// A cache answers 304 to every second request, though none was conditional: nothing has changed, and nothing is wrong.
    @Test(arguments: ["/metadata", "high.m3u8"]) func notModifiedIsNotAProblem(_ path: String) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            guard request.url.path.hasSuffix(path), count % 2 == 1 else { return nil }
            return FakeOrigin.status(304, request)
        }
        var session = try MonitorHarness.ran(origin)
        let snapshot = session.snapshot()
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(!snapshot.findings.contains { ["L01", "http-error"].contains($0.finding.rule) })
        #expect(snapshot.session.metadataHealth.problem == nil && snapshot.session.playlistHealth.problem == nil)
        #expect(!session.log.contains { $0.hasPrefix("error") })
    }

    /// A service has nothing new.
    @Test func noContentIsNotAProblem() throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, count in
            guard request.url.path.hasSuffix("/metadata"), count % 2 == 1 else { return nil }
            return FakeOrigin.status(204, request)
        }
        var session = try MonitorHarness.ran(origin)
        let snapshot = session.snapshot()
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        #expect(!snapshot.findings.contains { $0.finding.rule == "L01" })
        #expect(snapshot.session.metadataHealth.problem == nil)
    }

    /// Before the first document it is no answer.
    @Test(arguments: [204, 304]) func notModifiedIsNoFirstAnswer(_ status: Int) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            return FakeOrigin.status(status, request)
        }
        var session = try MonitorHarness.ran(origin, until: 100_000)
        #expect(session.snapshot().session.metadataHealth.problem != nil && session.urls.isEmpty)
    }

    @Test func aTitleThatIsNotUTF8IsAFindingAndTheStreamIsFollowed() throws {
        var session = try MonitorHarness.ran(Self.latinTitles)
        let snapshot = session.snapshot()
        #expect(snapshot.session.phase == .running && snapshot.session.playlistHealth.problem == nil)
        #expect(session.urls.sorted() == MainPathTests.twoBreaks.plan)
        let finding = try #require(snapshot.findings.first { $0.finding.rule == "not-utf8" })
        #expect(finding.finding.severity == .error && finding.finding.section == "rfc8216bis-22 4.1")
        #expect(snapshot.playlistDetail?.playlist?.segments.first?.title == "caf\u{FFFD}")
    }

    /// What earlier versions recorded of such a stream replays as it was.
    @Test func anEarlierRecordingRejectsIt() throws {
        var session = try MonitorHarness.ran(Self.latinTitles, until: 75_000) { $0.following.isLenient = false }
        #expect(
            session.snapshot().session.playlistHealth.problem
                == "not a playlist: the line contains bytes that are not UTF-8")
    }

    /// The playlist of an interstitial's asset is read as that of the stream is.
    @Test(arguments: [true, false]) func anAssetIsReadAsTheStreamIs(_ isLenient: Bool) throws {
        let asset = FakeInterstitial(id: "u", start: 80_000, assets: [])
        var origin = FakeOrigin()
        origin.tags = [
            asset.tag.replacing(
                "X-ASSET-LIST=\"\(asset.listURL)\"", with: "X-ASSET-URI=\"\(FakeOrigin.base)/asset/media.m3u8\"")
        ]
        origin.override = { request, _, _ in
            guard request.url.path == "/asset/media.m3u8" else { return nil }
            let text = Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,caf~\na.ts\n#EXT-X-ENDLIST\n".utf8)
            return Self.reply(
                text.map { $0 == UInt8(ascii: "~") ? 0xE9 : $0 }, type: Self.playlistType, to: request)
        }
        let session = try MonitorHarness.ran(origin, until: 130_000) { $0.following.isLenient = isLenient }
        #expect(session.log.contains { $0.contains("the asset is not a playlist") } == !isLenient)
    }

    @Test func metadataThatIsNotUTF8IsAFindingAndIsRead() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata") else { return nil }
            let text = Array(
                stream.metadata(at: now).replacing("{\"dataRange\"", with: "{\"title\":\"x\",\"dataRange\"").utf8)
            return Self.reply(text.map { $0 == UInt8(ascii: "x") ? 0xE9 : $0 }, type: "application/json", to: request)
        }
        var session = try MonitorHarness.ran(origin)
        #expect(session.urls.sorted() == stream.plan)
        #expect(
            session.snapshot().findings.first { $0.finding.rule == "metadata-not-utf8" }?.finding.message
                == "metadata has bytes that are not UTF-8, the first at line 1, column 11; each was read as U+FFFD")
    }

    /// UTF-16 cannot be read: the sentence says so, and what was known remains.
    @Test func metadataInUTF16KeepsWhatWasKnown() throws {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            guard request.url.path.hasSuffix("/metadata"), now.wall > FakeOrigin.start + .seconds(82) else {
                return nil
            }
            let wide = stream.metadata(at: now).utf8.flatMap { [UInt8]([$0, 0]) }
            return Self.reply([0xFF, 0xFE] + wide, type: "application/json", to: request)
        }
        var session = try MonitorHarness.ran(origin, until: 120_000)
        let snapshot = session.snapshot()
        #expect(snapshot.session.metadataHealth.problem?.hasSuffix("is UTF-16 instead of UTF-8") == true)
        #expect(snapshot.breaks.map(\.name) == ["b1"])
        #expect(session.urls.sorted() == stream.plan.filter { !$0.contains("a3") })
    }

    // MARK: Content types

    private static func origin(of types: [String: String]) -> FakeOrigin {
        var origin = MainPathTests.twoBreaks
        let stream = origin
        origin.override = { request, now, _ in
            let name = String(request.url.path.split(separator: "/").last ?? "")
            guard let type = types[name], request.url.query?.contains("initSession") != true else { return nil }
            var plain = stream
            plain.override = nil
            return Self.reply(plain.reply(to: request, at: now, count: 0).exchange.body, type: type, to: request)
        }
        return origin
    }

    @Test func aWrongTypeIsReportedOncePerAddress() throws {
        var session = try MonitorHarness.ran(
            Self.origin(of: ["index.m3u8": "text/plain; charset=utf-8", "high.m3u8": "Video/MP2T"]), until: 120_000)
        let findings = session.snapshot().findings.filter { $0.finding.rule == "playlist-content-type" }
        #expect(findings.map(\.count) == [1, 1], "not with each reload")
        #expect(findings.allSatisfy { $0.finding.severity == .warning })
        #expect(
            Set(findings.map(\.finding.message)) == [
                "the playlist is served as 'text/plain': players that check the type reject it",
                "the playlist is served as 'video/mp2t': players that check the type reject it",
            ])
        #expect(
            Set(findings.compactMap(\.finding.path)) == [
                "\(FakeOrigin.base)/s/index.m3u8", "\(FakeOrigin.base)/s/high.m3u8",
            ])
    }

    @Test(arguments: [
        ("application/vnd.apple.mpegurl", "/a", Severity?.none), ("Audio/MpegURL ; charset=utf-8", "/a.txt", nil),
        ("application/x-mpegURL", "/a.M3U8?x=1", nil), ("", "/a.m3u8", nil), ("application/x-mpegURL", "/a", .error),
        ("", "/a?x=.m3u8", .error), ("text/html", "/a.m3u", .warning),
        ("application/octet-stream", "/a.m3u8", .warning),
    ])
    func typesAndPaths(_ type: String, _ path: String, _ severity: Severity?) {
        let fields = type.isEmpty ? [] : [HTTPField("Content-Type", type)]
        let exchange = HTTPExchange(hops: [.init(url: "https://h\(path)", status: 200, fields: fields)])
        #expect(PlaylistContentType.finding(exchange)?.severity == severity)
    }

    // MARK: DASH

    @Test(arguments: [
        (mpd, "application/dash+xml", "/live/index"), (mpd, "text/plain", "/live/index"),
        ("\u{FEFF}  <dash:MPD a='1'>", "text/xml", "/live/index"), ("<x/>", "text/xml", "/live/index.mpd"),
        ("?", "application/dash+xml; profiles=live", "/live/index"),
    ])
    func aDASHManifestIsNamedFirst(_ body: String, _ type: String, _ path: String) throws {
        var origin = MainPathTests.twoBreaks
        origin.override = { request, _, _ in
            request.method == .post ? FakeOrigin.status(405, request) : FakeOrigin.text(body, type: type, of: request)
        }
        var session = try MonitorHarness(origin) { $0.mediaURL = (try? WebURL(FakeOrigin.base + path)) ?? $0.mediaURL }
        session.start()
        session.run(for: .seconds(5))
        #expect(session.health().problem == "DASH manifest: adtop watches HLS")
        #expect(
            session.log.contains { $0.hasPrefix("error: session failed (DASH manifest: adtop watches HLS), next try") })
        // As a plain stream, and where a server names one.
        var plain = try MonitorHarness(origin) {
            $0.mediaURL = (try? WebURL(FakeOrigin.base + path)) ?? $0.mediaURL
            $0.provider = .none
        }
        plain.start()
        plain.run(for: .seconds(5))
        #expect(plain.snapshot().session.playlistHealth.problem == "DASH manifest: adtop watches HLS")
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n", "application/dash+xml"), ("<html><MPD></html>", "text/html"),
        ("see <MPD>", "text/plain"), ("", "text/xml"), ("<!-- <MPD> ", "text/xml"),
    ])
    func whatIsNoDASHManifest(_ body: String, _ type: String) {
        let fields = [HTTPField("Content-Type", type)]
        let hops = [HTTPExchange.Hop(url: "https://h/a", status: 200, fields: fields)]
        #expect(!DASHManifest.isOne(HTTPExchange(hops: hops, body: Array(body.utf8))))
        let missing = [HTTPExchange.Hop(url: "https://h/a.mpd", status: 404, fields: fields)]
        #expect(!DASHManifest.isOne(HTTPExchange(hops: missing, body: Array(Self.mpd.utf8))))
    }
}
