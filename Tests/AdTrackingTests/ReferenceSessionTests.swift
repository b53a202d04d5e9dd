import AdTracking
import Ports
import Testing

/// The reference library's numbered session tests (TRK-25: I1 to I9), with requests and answers as values.
@Suite struct ReferenceSessionTests {
    /// Runs a session initialisation against answers by method and URL, and counts the requests.
    struct Loader {
        var initRequests: [String] = []
        var plainRequests: [String] = []
        /// Failed steps as the log shows them.
        var log: [String] = []
        var addresses: SessionAddresses?
        var isInitRequest = true
        var onInit: (HTTPMethod, WebURL) -> HTTPExchange = { _, _ in .answer(404) }
        var onPlain: (WebURL) -> HTTPExchange = { _ in .answer(404) }

        mutating func load(_ media: String) {
            guard let url = try? WebURL(media) else { return }
            var session = SessionInit(mediaURL: url, isInitRequest: isInitRequest)
            var action = session.started()
            while true {
                switch action {
                case .get(let url):
                    initRequests.append("GET \(url)")
                    action = session.answered(onInit(.get, url))
                case .post(let url):
                    initRequests.append("POST \(url)")
                    action = session.answered(onInit(.post, url))
                case .manifestGet(let url):
                    plainRequests.append(url.text)
                    action = session.answered(onPlain(url))
                case .done(let found):
                    addresses = found
                    return
                case .failed(let failure):
                    log += failure.steps.map { "\($0.name) \($0.problem)" }
                    return
                }
            }
        }
    }

    static let media = "https://h.example/live/index.m3u8"
    static func initJSON(_ manifest: String, _ tracking: String) -> String {
        #"{"manifestUrl":"\#(manifest)","trackingUrl":"\#(tracking)"}"#
    }
    static let plain = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n01.m3u8\n"

    @Test func i1InitSucceeds() {
        var loader = Loader()
        loader.onInit = { _, url in
            .answer(
                200, Self.initJSON("https://h.example/m.m3u8?sessid=A", "https://h.example/t?sessid=A"), url: url.text)
        }
        loader.load(Self.media)
        #expect(loader.initRequests == ["GET https://h.example/live/index.m3u8?initSession=true"])
        #expect(loader.plainRequests.isEmpty)
        #expect(loader.addresses?.manifestURL.text == "https://h.example/m.m3u8?sessid=A")
        #expect(loader.addresses?.metadataURL?.text == "https://h.example/t?sessid=A")
        #expect(loader.addresses?.path == .get)
        #expect(loader.addresses?.sessionID == "A")
    }

    /// The reference counts GET and POST as one call of its init service.
    @Test func i2InitFailsThenPlain() {
        var loader = Loader()
        loader.onPlain = { .answer(200, Self.plain, url: $0.text) }
        loader.load(Self.media)
        #expect(
            loader.initRequests == [
                "GET https://h.example/live/index.m3u8?initSession=true", "POST https://h.example/live/index.m3u8",
            ])
        #expect(loader.plainRequests == [Self.media])
        #expect(loader.addresses?.manifestURL.text == Self.media)
    }

    @Test func i3InitDisabled() {
        var loader = Loader()
        loader.isInitRequest = false
        loader.onPlain = { .answer(200, Self.plain, url: $0.text) }
        loader.load(Self.media)
        #expect(loader.initRequests.isEmpty)
        #expect(loader.plainRequests == [Self.media])
    }

    @Test func i4RedirectedManifest() {
        let final = "https://edge.example/pmm-0/live/index.m3u8?sessid=B"
        var loader = Loader()
        loader.onPlain = { url in
            HTTPExchange(
                hops: [
                    HTTPExchange.Hop(url: url.text, status: 302, fields: [HTTPField("Location", final)]),
                    HTTPExchange.Hop(url: final, status: 200, fields: []),
                ], body: Array(Self.plain.utf8))
        }
        loader.load(Self.media)
        #expect(loader.addresses?.manifestURL.text == final)
        #expect(loader.addresses?.metadataURL?.text == "https://edge.example/pmm-0/live/metadata?sessid=B")
        #expect(loader.addresses?.path == .redirect)
    }

    @Test func i5VariantKeepsTheBasePath() {
        var loader = Loader()
        loader.onPlain = { url in
            .answer(200, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n720p/media.m3u8\n", url: url.text)
        }
        loader.load("https://example.com/stream/master.m3u8")
        #expect(loader.addresses?.manifestURL.text == "https://example.com/stream/master.m3u8")
    }

    @Test func i6EverythingFails() {
        var loader = Loader()
        loader.load(Self.media)
        #expect(loader.log == ["GET init answered 404", "POST init answered 404", "manifest answered 404"])
        #expect(loader.addresses == nil)
    }

    @Test func i7EmptyMediaURL() {
        var loader = Loader()
        loader.load("")
        #expect(loader.initRequests.isEmpty && loader.plainRequests.isEmpty)
        #expect(loader.addresses == nil)
    }

    @Test func i8SecondLoadReplacesTheFirst() {
        var loader = Loader()
        loader.onInit = { _, url in .answer(200, Self.initJSON("/1.m3u8?sessid=1", "/t?sessid=1"), url: url.text) }
        loader.load(Self.media)
        loader.onInit = { _, url in .answer(200, Self.initJSON("/2.m3u8?sessid=2", "/t?sessid=2"), url: url.text) }
        loader.load(Self.media)
        #expect(loader.addresses?.manifestURL.text == "https://h.example/2.m3u8?sessid=2")
        #expect(loader.addresses?.sessionID == "2")
    }

    /// A start sends exactly one init request, immediately, whatever the clock.
    @Test func i9StartingAsksOnce() throws {
        var session = SessionInit(mediaURL: try WebURL(Self.media))
        #expect(session.started() == .get(try WebURL("https://h.example/live/index.m3u8?initSession=true")))
    }
}
