import AdTracking
import Ports
import Session
import TestSupport
import Testing

/// A session reads the timed metadata of segments for a provider whose ads it places (PRV-47).
@Suite struct MediaReadingTests {
    /// How segments are answered: their number, and how often they were requested before.
    private typealias Answer = @Sendable (HTTPRequest, Int64, Int) -> FakeOrigin.Reply?

    private static func origin(
        tags: [String] = [], metadata: String = metadata, _ answer: @escaping Answer = { _, _, _ in nil }
    ) -> FakeOrigin {
        var origin = FakeOrigin(tags: tags)
        origin.override = { request, _, count in
            let path = request.url.path
            if path.hasSuffix("/linear/v1/hls/event/K/stream") {
                return FakeOrigin.text(opening, type: "application/json", of: request)
            }
            if path.hasSuffix("/ids") { return FakeOrigin.text(metadata, type: "application/json", of: request) }
            if path.hasPrefix("/verify/") { return FakeOrigin.status(204, request) }
            guard let name = path.split(separator: "/").last, name.hasPrefix("seg") || name.hasPrefix("init") else {
                return nil
            }
            let number = Int64(name.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? -1
            return answer(request, number, count) ?? reply(to: request, tag(of: number))
        }
        return origin
    }

    private static func session(_ origin: FakeOrigin, mode: ReportingMode = .fire, until edge: Int64 = 120_000) throws
        -> MonitorHarness
    {
        var session = try MonitorHarness(origin) { configuration in
            guard let url = try? WebURL(FakeOrigin.base + "/linear/v1/hls/event/K/stream") else { return }
            configuration.mediaURL = url
            configuration.mode = mode
        }
        session.start()
        session.run(untilEdge: edge)
        return session
    }

    private static let opening =
        #"{"stream_id":"S:ATL","stream_manifest":"/s/index.m3u8?sessid=S1","media_verification_url":"/verify/","metadata_url":"/ids","polling_frequency":4}"#
    private static let metadata =
        #"{"tags":{"google_20":{"ad":"a","ad_break_id":"b","type":"start"},"google_22":{"ad":"a","ad_break_id":"b","type":"midpoint"}},"#
        + #""ads":{"a":{"duration":16}},"ad_breaks":{"b":{"duration":16,"ads":1}}}"#

    /// Segments 20 and 22 carry an id at their start, as packed audio does.
    private static func tag(of number: Int64) -> [UInt8] {
        guard [20, 22].contains(number) else { return [0xFF, 0xF1] }
        let content: [UInt8] = [3, 0] + Array("google_\(number)x".utf8)
        let frame = Array("TXXX".utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame + [0xFF, 0xF1]
    }

    private static func reply(to request: HTTPRequest, _ body: [UInt8], status: Int = 206) -> FakeOrigin.Reply {
        FakeOrigin.Reply(
            exchange: HTTPExchange(
                hops: [.init(url: request.url.text, status: status, fields: [HTTPField("Content-Type", "video/mp2t")])],
                body: body, timings: .init(total: 20_000)))
    }

    private static let verified = ["google_20x", "google_22x"].map { FakeOrigin.base + "/verify/" + $0 }

    private static func rules(_ session: inout MonitorHarness) -> [String] {
        session.snapshot().findings.filter { $0.finding.rule == "media-unread" }.map {
            "\($0.count)x \($0.finding.message)"
        }
    }

    @Test func idsAreVerifiedWhenTheyArePlayed() throws {
        var session = try Self.session(Self.origin())
        #expect(session.urls == Self.verified)
        // Segment 20 begins at 80 s.
        let first = try #require(session.receipts.first)
        let second = try #require(session.receipts.last)
        #expect((second.at.uptime - first.at.uptime - .seconds(8)).magnitude < .milliseconds(100))
        #expect(Self.rules(&session) == [])
    }

    /// Two at a time, each takes longer than two of them play: the playhead passes some before they are requested.
    @Test func segmentsThatAreLateAreReadToo() throws {
        let origin = Self.origin { request, number, _ in
            var reply = Self.reply(to: request, Self.tag(of: number))
            reply.delay = .milliseconds(9_500)
            return reply
        }
        let session = try Self.session(origin, until: 150_000)
        let numbers = session.requests(for: .segment).compactMap { Int($0.url.path.filter(\.isNumber)) }
        let first = try #require(numbers.first)
        #expect(numbers.count > 15 && numbers == Array(first..<first + numbers.count))
        #expect(session.urls == Self.verified)
    }

    /// A segment with the start of the second ad is requested twice, and the viewer has left the break before it is read.
    @Test(arguments: [2, 3]) func adsAreCountedOnceAllSegmentsAreRead(announced: Int) throws {
        let metadata =
            #"{"tags":{"google_20":{"ad":"a","ad_break_id":"b","type":"start"},"google_22":{"ad":"c","ad_break_id":"b","type":"start"}},"#
            + #""ads":{"a":{"duration":8},"c":{"duration":8}},"ad_breaks":{"b":{"duration":16,"ads":\#(announced)}}}"#
        let origin = Self.origin(metadata: metadata) { request, number, count in
            if number == 22, count < 1 { return FakeOrigin.status(503, request) }
            var reply = Self.reply(to: request, Self.tag(of: number))
            reply.delay = .milliseconds(9_500)
            return reply
        }
        var session = try Self.session(origin, until: 160_000)
        #expect(session.urls == Self.verified)
        let found = session.snapshot().findings.filter { $0.finding.rule == "P07" }.map(\.finding.message)
        #expect(found == (announced == 2 ? [] : ["2 of the 3 announced ads were seen in the media"]))
    }

    @Test func observingSendsNothing() throws {
        var session = try Self.session(Self.origin(), mode: .observe)
        #expect(session.urls == [])
        let states = session.snapshot().breaks.flatMap(\.ads).flatMap(\.events).map(\.state)
        #expect(states == [.observed, .observed])
    }

    /// The figures of docs/security.md.
    @Test func segmentsOfAPublicStreamCarryTheRuleOfFeeds() throws {
        let address = try WebURL("https://cdn.example/linear/v1/hls/event/K/stream")
        var session = try MonitorHarness(Self.origin()) { $0 = MonitorConfiguration(mediaURL: address) }
        session.start()
        session.run(untilEdge: 120_000)
        let requests = session.requests(for: .segment)
        #expect(!requests.isEmpty)
        for request in requests {
            #expect(request.addressRule == .publicOnly && request.trustedHost == "cdn.example")
            #expect(request.maximumBodyBytes == 8 << 20 && request.cutsLongBody)
            #expect(request.totalTimeout <= .seconds(10) && request.connectTimeout == .seconds(5))
        }
    }

    /// Each segment from the viewer on, once, and no more than the beginning.
    @Test func segmentsAreReadOnceByRange() throws {
        let session = try Self.session(Self.origin())
        let requests = session.requests(for: .segment)
        let paths = requests.map(\.url.path)
        #expect(paths.count > 10 && Set(paths).count == paths.count)
        #expect(
            requests.allSatisfy { $0.fields["range"] == "bytes=0-8388607" && $0.cutsLongBody && $0.audience == .stream }
        )
        // The viewer joined at 60 s, three segments behind the edge.
        #expect(!paths.contains { $0.hasSuffix("/seg10.ts") })
    }

    @Test func noOtherProviderReadsSegments() throws {
        let session = try MonitorHarness.ran()
        #expect(session.requests(for: .segment).isEmpty)
    }

    @Test func aFailedRequestIsRepeatedInTime() throws {
        let origin = Self.origin { request, number, count in
            number == 20 && count < 2 ? FakeOrigin.status(503, request) : nil
        }
        var session = try Self.session(origin)
        #expect(session.urls == Self.verified)
        #expect(session.requests(for: .segment).filter { $0.url.path.hasSuffix("seg20.ts") }.count == 3)
        #expect(Self.rules(&session) == [])
    }

    @Test func whatKeepsFailingIsReportedOnce() throws {
        let origin = Self.origin { request, _, _ in FakeOrigin.status(404, request) }
        var session = try Self.session(origin)
        #expect(session.urls == [])
        #expect(Self.rules(&session) == ["1x media ids in segments are not read: requests for them fail"])
        let counts = Dictionary(grouping: session.requests(for: .segment), by: \.url.path).values.map(\.count)
        #expect(counts.max() == 4)
    }

    @Test func longSegmentsAreReported() throws {
        let origin = Self.origin { request, number, _ in
            var reply = Self.reply(to: request, Self.tag(of: number))
            reply.exchange.hops[0].fields.append(HTTPField("Content-Range", "bytes 0-8388607/9000000"))
            return reply
        }
        var session = try Self.session(origin)
        #expect(session.urls == Self.verified)
        #expect(
            Self.rules(&session) == [
                "1x media ids in segments are not read: they are longer than 8 MiB, of which the rest is not read"
            ])
    }

    /// Segments that are parts of a resource: its beginning is none of those that follow, whichever was asked for.
    @Test(arguments: [200, 206]) func aServerThatIgnoresRangesIsReported(status: Int) throws {
        var origin = Self.origin { request, _, _ in
            var reply = Self.reply(to: request, Self.tag(of: 20), status: status)
            if status == 206 { reply.exchange.hops[0].fields.append(HTTPField("Content-Range", "bytes 0-999/90000")) }
            return reply
        }
        let (stream, former) = (FakeOrigin(), origin.override)
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("low.m3u8") || request.url.path.hasSuffix("high.m3u8") else {
                return former?(request, now, count)
            }
            let text = stream.playlist(at: now).replacing("#EXTINF", with: "#EXT-X-BYTERANGE:1000@5000\n#EXTINF")
            return FakeOrigin.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try Self.session(origin)
        #expect(session.requests(for: .segment).first?.fields["range"] == "bytes=5000-5999")
        #expect(session.urls == [])
        let reason = "their server ignores the byte range of a request"
        #expect(Self.rules(&session) == ["1x media ids in segments are not read: \(reason)"])
    }

    @Test func segmentsEncryptedAsAWholeAreNotRequested() throws {
        var session = try Self.session(Self.origin(tags: ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\""]))
        #expect(session.requests(for: .segment).isEmpty)
        #expect(
            Self.rules(&session) == ["1x media ids in segments are not read: they are encrypted as a whole (AES-128)"])
        let sample = try Self.session(Self.origin(tags: ["#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""]))
        #expect(sample.urls == Self.verified)
    }

    /// Segments whose request reports an ad, from number 20 on: those before are read, and their ids verified.
    @Test(arguments: ["/v1/segment/9f8e7d6c5b4a3928/cfg/s/0/", "https://content.uplynk.com/ping/ad/"])
    func segmentsWhoseRequestIsAReportAreNotRequested(folder: String) throws {
        var origin = Self.origin { request, number, _ in number == 18 ? Self.reply(to: request, Self.tag(of: 20)) : nil
        }
        let (stream, former) = (FakeOrigin(), origin.override)
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix("low.m3u8") || request.url.path.hasSuffix("high.m3u8") else {
                return former?(request, now, count)
            }
            let text = (20..<60).reduce(stream.playlist(at: now)) {
                $0.replacing("\nseg\($1).ts", with: "\n\(folder)\($1)")
            }
            return FakeOrigin.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try Self.session(origin)
        let requested = session.requests(for: .segment).map(\.url.text)
        #expect(requested.contains { $0.hasSuffix("/seg18.ts") })
        #expect(requested.allSatisfy { !$0.contains("/v1/segment/") && !$0.contains("/ping/ad/") }, "\(requested)")
        #expect(session.urls == [FakeOrigin.base + "/verify/google_20x"])
        let reason = "their request would report the ad to its service"
        #expect(Self.rules(&session) == ["1x media ids in segments are not read: \(reason)"])
    }

    /// An initialization section, too.
    @Test func aSectionWhoseRequestIsAReportIsNotRequested() throws {
        let map = "#EXT-X-MAP:URI=\"/v1/segment/9f8e7d6c5b4a3928/cfg/s/0/init.mp4\""
        var session = try Self.session(Self.origin(tags: [map]))
        #expect(session.requests(for: .segment).isEmpty)
        let reason = "their request would report the ad to its service"
        #expect(Self.rules(&session) == ["1x media ids in segments are not read: \(reason)"])
    }

    /// The edge does not follow an ordinary address to one of a report; the address is not tried again.
    @Test func aRedirectToAReportIsReportedOnce() throws {
        let failure = HTTPFailure(.redirectToReport, "x")
        let origin = Self.origin { request, number, _ in
            guard number == 20 else { return nil }
            let hop = HTTPExchange.Hop(url: request.url.text, status: 302, fields: [])
            return FakeOrigin.Reply(exchange: HTTPExchange(hops: [hop], failure: failure))
        }
        var session = try Self.session(origin)
        #expect(session.requests(for: .segment).filter { $0.url.path.hasSuffix("seg20.ts") }.count == 1)
        #expect(session.urls == [FakeOrigin.base + "/verify/google_22x"])
        let reason = "their request would report the ad to its service"
        #expect(Self.rules(&session) == ["1x media ids in segments are not read: \(reason)"])
    }

    /// A server may list any number of segments within the time that is read ahead: one input looks at some of them.
    @Test func moreShortSegmentsThanAreLookedAtWait() throws {
        let long = (0..<15).map { "#EXTINF:4,\nseg\($0).ts\n" }
        let short = (0..<2_000).map { "#EXTINF:0.005,\nseg\(100 + $0).ts\n" }
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        let text = head + (long + short).joined()
        var origin = Self.origin()
        let former = origin.override
        origin.override = { request, now, count in
            guard request.url.path.hasSuffix(".m3u8") else { return former?(request, now, count) }
            return FakeOrigin.text(text, type: "application/vnd.apple.mpegurl", of: request)
        }
        var session = try Self.session(origin)
        #expect(
            Self.rules(&session) == ["1x media ids in segments are not read: they are encrypted as a whole (AES-128)"])
        #expect(session.requests(for: .segment).isEmpty)
    }

    /// Event messages are at the beginning of fragmented MP4; the initialization section has the scale of their times.
    @Test func fragmentedMP4IsReadFromItsHead() throws {
        let origin = Self.origin(tags: ["#EXT-X-MAP:URI=\"init.mp4\""]) { request, number, _ in
            guard number >= 0 else { return Self.reply(to: request, Self.box("moov", [])) }
            guard [20, 22].contains(number) else { return Self.reply(to: request, Self.box("moof", [])) }
            let head: [UInt8] = [0, 0, 0, 0] + Array("urn:google:dai:2018".utf8) + [0, 0]
            let times: [UInt8] = [0, 0, 3, 0xE8, 0, 0, 1, 0xF4, 0, 0, 0, 0, 0, 0, 0, 1]
            return Self.reply(to: request, Self.box("emsg", head + times + Array("google_\(number)x".utf8)))
        }
        let session = try Self.session(origin)
        #expect(session.urls == Self.verified)
        let requests = session.requests(for: .segment)
        #expect(requests.allSatisfy { $0.fields["range"] == "bytes=0-65535" })
        #expect((1...2).contains(requests.filter { $0.url.path.hasSuffix("init.mp4") }.count))
    }

    /// A low-latency packager writes chunks, each with its messages: what follows the head is read, too, and from then on at once.
    @Test func segmentsInChunksAreReadWhole() throws {
        let origin = Self.origin(tags: ["#EXT-X-MAP:URI=\"init.mp4\""]) { request, number, _ in
            guard number >= 0 else { return Self.reply(to: request, Self.box("moov", [])) }
            let scheme: [UInt8] = [0, 0, 0, 0] + Array("urn:google:dai:2018".utf8) + [0, 0]
            let times: [UInt8] = [0, 0, 3, 0xE8, 0, 0, 1, 0xF4, 0, 0, 0, 0, 0, 0, 0, 1]
            let message = Self.box("emsg", scheme + times + Array("google_\(number)x".utf8))
            let chunk = Self.box("moof", []) + Self.box("mdat", [UInt8](repeating: 0, count: 100))
            let isHead = request.fields["range"] == "bytes=0-65535"
            var reply = Self.reply(
                to: request, isHead ? chunk : chunk + ([20, 22].contains(number) ? message : []) + chunk)
            reply.exchange.hops[0].fields.append(HTTPField("Content-Range", "bytes 0-115/400"))
            return reply
        }
        let session = try Self.session(origin)
        #expect(session.urls == Self.verified)
        let heads = session.requests(for: .segment).filter {
            $0.fields["range"] == "bytes=0-65535" && !$0.url.path.hasSuffix("init.mp4")
        }
        // Two may be requested before the first is answered.
        #expect((1...2).contains(heads.count))
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(body.count + 8)] + Array(type.utf8) + body
    }

    /// Recordings hold what was read of a segment, and not its media.
    @Test func inputsHoldAnExcerpt() {
        var exchange = HTTPExchange()
        exchange.body = Self.tag(of: 20) + [UInt8](repeating: 7, count: 100_000)
        #expect(FetchPurpose.segment.kept(exchange).body.count < 100)
        #expect(FetchPurpose.metadata.kept(exchange).body.count > 100_000)
    }
}
