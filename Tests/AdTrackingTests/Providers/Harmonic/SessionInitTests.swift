import AdTracking
import Ports
import Testing

/// Steps A to C of session initialisation beyond the reference's tests (TRK-1, TRK-2).
@Suite struct SessionInitTests {
    typealias Loader = ReferenceSessionTests.Loader

    /// Relative URLs resolve against the address of the answer.
    @Test func relativeURLsResolveAgainstTheFinalURL() {
        var loader = Loader()
        loader.onInit = { _, url in
            HTTPExchange(
                hops: [
                    HTTPExchange.Hop(url: url.text, status: 307, fields: []),
                    HTTPExchange.Hop(
                        url: "https://edge.example/pmm-0/live/index.m3u8?sessid=R", status: 200, fields: []),
                ],
                body: Array(
                    ReferenceSessionTests.initJSON("./index.m3u8?sessid=R", "/pmm-0/live/metadata?sessid=R").utf8))
        }
        loader.load("https://h.example/live/index.m3u8?a=1")
        #expect(loader.initRequests == ["GET https://h.example/live/index.m3u8?a=1&initSession=true"])
        #expect(loader.addresses?.manifestURL.text == "https://edge.example/pmm-0/live/index.m3u8?sessid=R")
        #expect(loader.addresses?.metadataURL?.text == "https://edge.example/pmm-0/live/metadata?sessid=R")
        #expect(loader.addresses?.isRecognised == true)
    }

    @Test func postWinsWhereGetFails() {
        var loader = Loader()
        loader.onInit = { method, url in
            method == .get
                ? .answer(405)
                : .answer(200, ReferenceSessionTests.initJSON("/m.m3u8?sessid=P", "/t?sessid=P"), url: url.text)
        }
        loader.load("https://h.example/live/index.m3u8")
        #expect(loader.addresses?.path == .post)
        #expect(loader.addresses?.sessionID == "P")
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var exchange: HTTPExchange
        var problem: String
        var testDescription: String { problem }
    }

    @Test(arguments: [
        Answer(exchange: .answer(204), problem: "answered 204"),
        Answer(exchange: .answer(503, "{}"), problem: "answered 503"),
        Answer(exchange: .answer(200, "<html>"), problem: "is HTML instead of JSON"),
        Answer(exchange: .answer(200, "#EXTM3U\n"), problem: "is a playlist instead of JSON"),
        Answer(exchange: .answer(200, "{"), problem: "is not JSON: expected a quoted name at line 1, column 2"),
        Answer(exchange: .answer(200, #"{"manifestUrl":"/m"}"#), problem: "has no trackingUrl"),
        Answer(exchange: .answer(200, #"{"manifestUrl":7,"trackingUrl":"/t"}"#), problem: "has no manifestUrl"),
        Answer(
            exchange: .answer(200, #"{"manifestUrl":"ftp://h/m","trackingUrl":"/t"}"#),
            problem: "has a manifestUrl that has the scheme 'ftp', not http or https"),
        Answer(exchange: .failure(.timeout), problem: "failed: timeout"),
    ])
    func badInitAnswersAreNamed(_ test: Answer) {
        var loader = Loader()
        loader.onInit = { _, _ in test.exchange }
        loader.load("https://h.example/live/index.m3u8")
        #expect(loader.log == ["GET init \(test.problem)", "POST init \(test.problem)", "manifest answered 404"])
    }

    struct Manifest: Sendable, CustomTestStringConvertible {
        var media = "https://h/variant/v1/hls/index.m3u8?a=1"
        var line: String
        var manifest: String
        var metadata: String
        var path = SessionAddresses.Path.variant
        var isSession: Bool?
        var testDescription: String { "\(media) \(line)" }
    }

    @Test(arguments: [
        // The worked example of 1.2.
        Manifest(
            line: "/pmm-3/variant/v1/hls/01.m3u8?sessid=X&isstream=true",
            manifest: "https://h/pmm-3/variant/v1/hls/index.m3u8?sessid=X",
            metadata: "https://h/pmm-3/variant/v1/hls/metadata?sessid=X"),
        Manifest(
            media: "https://h/pmm-3/variant/v1/hls/index.m3u8",
            line: "/pmm-3/variant/v1/hls/01.m3u8?isstream=true&sessid=X",
            manifest: "https://h/pmm-3/variant/v1/hls/index.m3u8?sessid=X",
            metadata: "https://h/pmm-3/variant/v1/hls/metadata?sessid=X"),
        Manifest(
            media: "https://h/pmm-1/v/index.m3u8", line: "/pmm-3/v/01.m3u8?sessid=X",
            manifest: "https://h/pmm-3/v/index.m3u8?sessid=X", metadata: "https://h/pmm-3/v/metadata?sessid=X"),
        Manifest(
            line: "01.m3u8?isstream=0", manifest: "https://h/variant/v1/hls/index.m3u8",
            metadata: "https://h/variant/v1/hls/metadata"),
        Manifest(
            line: "/pmm-3/variant/v1/hls/01.m3u8", manifest: "https://h/pmm-3/variant/v1/hls/index.m3u8?a=1",
            metadata: "https://h/pmm-3/variant/v1/hls/metadata?a=1"),
        // The opened address names a session; what is wrong with that of the variant does not make the stream a plain one.
        Manifest(
            media: "https://h/v/index.m3u8?sessid=X", line: "01.m3u8?}essid=X&isstream=true",
            manifest: "https://h/v/index.m3u8?}essid=X", metadata: "https://h/v/metadata?}essid=X", isSession: true),
        // Without a sign of a session the stream keeps its own URL and its tokens.
        Manifest(
            line: "01.m3u8?token=1", manifest: "https://h/variant/v1/hls/index.m3u8?a=1",
            metadata: "https://h/variant/v1/hls/metadata?a=1", path: .manifest),
    ])
    func sessionFromTheFirstVariant(_ test: Manifest) {
        var loader = Loader()
        loader.isInitRequest = false
        loader.onPlain = { url in
            .answer(200, "#EXTM3U\n\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(test.line)\n", url: url.text)
        }
        loader.load(test.media)
        #expect(loader.addresses?.manifestURL.text == test.manifest)
        #expect(loader.addresses?.metadataURL?.text == test.metadata)
        #expect(loader.addresses?.path == test.path)
        #expect(loader.addresses?.isRecognised == (test.isSession ?? test.line.contains("sessid")))
    }

    /// Segment URIs are not variants, whatever their parameters.
    @Test func mediaPlaylistKeepsItsURL() {
        var loader = Loader()
        loader.isInitRequest = false
        loader.onPlain = { .answer(200, "#EXTM3U\n#EXTINF:2,\n/pmm-9/seg1.ts?sessid=X\n", url: $0.text) }
        loader.load("https://h/live.m3u8")
        #expect(loader.addresses?.manifestURL.text == "https://h/live.m3u8")
        #expect(loader.addresses?.path == .manifest)
        #expect(loader.addresses?.isRecognised == false)
    }

    /// A redirect that names no session is followed; then the variants are checked.
    @Test func redirectWithoutSessionAsksTheVariants() {
        var loader = Loader()
        loader.isInitRequest = false
        loader.onPlain = { url in
            HTTPExchange(
                hops: [
                    HTTPExchange.Hop(url: url.text, status: 301, fields: []),
                    HTTPExchange.Hop(url: "https://h/live/index.m3u8", status: 200, fields: []),
                ], body: Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/pmm-2/live/01.m3u8?sessid=Y\n".utf8))
        }
        loader.load("http://h/live/index.m3u8")
        #expect(loader.addresses?.manifestURL.text == "https://h/pmm-2/live/index.m3u8?sessid=Y")
        #expect(loader.addresses?.path == .variant)
    }

    @Test(arguments: [
        ("<html></html>", "is HTML instead of a playlist"),
        ("<VMAP/>", "is VMAP instead of a playlist"), ("", "is empty instead of a playlist"),
        ("hello", "is not a playlist: it does not begin with #EXTM3U"),
    ])
    func badManifestsAreNamed(_ body: String, _ problem: String) {
        var loader = Loader()
        loader.isInitRequest = false
        loader.onPlain = { .answer(200, body, url: $0.text) }
        loader.load("https://h/live.m3u8")
        #expect(loader.log == ["manifest \(problem)"])
    }

    /// The reader learns first that it is DASH, whatever the steps before answered.
    @Test(arguments: [true, false]) func aDASHManifestIsTheOnlyProblem(_ isInitRequest: Bool) {
        var loader = Loader()
        loader.isInitRequest = isInitRequest
        loader.onInit = { method, _ in .answer(method == .get ? 200 : 405, "<MPD/>") }
        loader.onPlain = { .answer(200, "<?xml version=\"1.0\"?><MPD/>", url: $0.text) }
        loader.load("https://h/live.mpd")
        #expect(loader.log == ["DASH manifest adtop watches HLS"])
    }

    @Test func strayAnswersChangeNothing() throws {
        var session = SessionInit(mediaURL: try WebURL("https://h/live.m3u8"))
        let stray = session.answered(.answer(200))
        #expect(stray == .failed(SessionInitFailure(steps: [])))
        let first = session.started()
        #expect(first == .get(try WebURL("https://h/live.m3u8?initSession=true")))
    }
}
