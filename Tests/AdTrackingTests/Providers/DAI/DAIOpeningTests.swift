import AdTracking
import HLS
import Ports
import Testing

/// Sessions that are asked for, and running ones (PRV-44).
@Suite struct DAIOpeningTests {
    private static func provider(_ address: String, asks: Bool = true) throws -> DAIProvider {
        DAIProvider(ProviderOptions(mediaURL: try WebURL(address), asksForSession: asks))
    }

    private static func request(_ step: OpeningStep) -> String? {
        guard case .request(let request) = step else { return nil }
        let body = String(decoding: request.body, as: UTF8.self)
        return "\(request.method.rawValue) \(request.url.text)\(body.isEmpty ? "" : " \(body)")"
    }

    private static func failure(_ step: OpeningStep) -> String? {
        guard case .failed(let failure) = step else { return nil }
        return failure.explanation
    }

    /// The parameters are those of the form, so that a key is in no address.
    @Test(arguments: [
        (
            "https://dai.google.com/linear/v1/hls/event/K/stream?api-key=k&iu=%2F1",
            "POST https://dai.google.com/linear/v1/hls/event/K/stream api-key=k&iu=%2F1"
        ),
        (
            "https://dai.google.com/ondemand/v1/hls/content/2/vid/v/stream",
            "POST https://dai.google.com/ondemand/v1/hls/content/2/vid/v/stream"
        ),
        (
            "https://dai.google.com/linear/hls/event/K/master.m3u8",
            "POST https://dai.google.com/linear/v1/hls/event/K/stream"
        ),
        (
            "https://pubads.g.doubleclick.net/ssai/event/K/master.m3u8",
            "POST https://pubads.g.doubleclick.net/linear/v1/hls/event/K/stream"
        ),
        ("http://127.0.0.1/s/x/linear/v1/hls/event/K/stream", "POST http://127.0.0.1/s/x/linear/v1/hls/event/K/stream"),
        ("https://dai.google.com/linear/hls/some/other.m3u8", "GET https://dai.google.com/linear/hls/some/other.m3u8"),
    ])
    func whatIsAskedFirst(_ address: String, _ expected: String) throws {
        var provider = try Self.provider(address)
        #expect(Self.request(provider.open()) == expected)
    }

    @Test func anAnswerHasTheAddresses() throws {
        var provider = try Self.provider("https://dai.google.com/linear/v1/hls/event/KEY/stream")
        _ = provider.open()
        let step = provider.openingAnswered(
            .answer(201, DAITexts.opening(), url: "https://dai.google.com/linear/v1/hls/event/KEY/stream"))
        guard case .opened(let addresses) = step else { return #expect(Bool(false), "\(step)") }
        #expect(addresses.sessionID == "S:ATL" && addresses.path == .post && addresses.isRecognised)
        #expect(addresses.metadataURL?.text == "https://dai.google.com/linear/v1/pa/event/KEY/stream/S:ATL/metadata")
        #expect(provider.pollInterval != nil && provider.status.reporter == .viewer)
    }

    /// dai-ssb: there is nothing to request and nothing to send.
    @Test func theServiceMayReport() throws {
        var provider = try Self.provider("https://dai.google.com/linear/v1/hls/event/KEY/stream")
        _ = provider.open()
        let body = #"{"stream_id":"S:ATL","stream_manifest":"https://dai.google.com/m.m3u8"}"#
        guard case .opened(let addresses) = provider.openingAnswered(.answer(201, body)) else {
            return #expect(Bool(false))
        }
        #expect(addresses.metadataURL == nil && provider.status.reporter == .service)
        #expect(!provider.readsMedia(of: .zero..<StreamTime(microseconds: 1), on: StreamFacts()))
    }

    /// A running session's manifest shows where its metadata is, and not what verifications begin with.
    @Test(arguments: [true, false]) func aRunningSessionIsFollowed(_ isRedirected: Bool) throws {
        let manifest = "https://dai.google.com/linear/hls/pa/event/KEY/stream/S:ATL/master.m3u8"
        var provider = try Self.provider(
            isRedirected ? "https://dai.google.com/linear/hls/event/KEY/master.m3u8" : manifest, asks: false)
        var step = provider.open()
        if isRedirected { step = provider.openingAnswered(.answer(200, "#EXTM3U\n", url: manifest)) }
        guard case .opened(let addresses) = step else { return #expect(Bool(false), "\(step)") }
        #expect(addresses.sessionID == "S:ATL")
        #expect(addresses.metadataURL?.text == "https://dai.google.com/linear/v1/pa/event/KEY/stream/S:ATL/metadata")
    }

    /// One clear sentence each, with what to do.
    @Test(
        arguments: [
            (
                HTTPExchange.answer(403),
                "POST stream answered 403: the key or token is missing or not accepted; give a valid one (docs/providers.md)"
            ),
            (.answer(404), "POST stream answered 404: there is no such event or video; check the address"),
            (.answer(200, "<html>Log in</html>"), "POST stream is HTML instead of JSON"),
            (.answer(200, ""), "POST stream is empty"),
            (
                .answer(200, #"{"manifestUrl":"/m","trackingUrl":"/t"}"#),
                "POST stream has no stream_manifest: it is no answer to a request for a stream"
            ),
            (.answer(200, "[]"), "POST stream is a JSON array instead of an object"),
        ] as [(HTTPExchange, String)])
    func whatIsNoSession(_ answer: HTTPExchange, _ expected: String) throws {
        var provider = try Self.provider("https://dai.google.com/linear/v1/hls/event/KEY/stream")
        _ = provider.open()
        #expect(Self.failure(provider.openingAnswered(answer)) == expected)
    }

    @Test func aMethodThatIsNotAllowedIsReplaced() throws {
        var provider = try Self.provider("https://dai.google.com/linear/v1/hls/event/KEY/stream?a=1")
        _ = provider.open()
        #expect(
            Self.request(provider.openingAnswered(.answer(405)))
                == "GET https://dai.google.com/linear/v1/hls/event/KEY/stream?a=1")
    }

    @Test func podServingIsExplained() throws {
        var provider = try Self.provider("https://dai.google.com/ssai/pods/api/v1/network/1/custom_asset/k/stream")
        #expect(Self.failure(provider.open())?.contains("pod serving") == true)
        var event = try Self.provider("https://dai.google.com/linear/hls/event/KEY/master.m3u8")
        _ = event.open()
        _ = event.openingAnswered(.answer(403))
        #expect(
            Self.failure(event.openingAnswered(.answer(200, "#EXTM3U\nv.m3u8\n")))?.hasSuffix(
                "manifest names no session of this service; --provider none follows it as it is") == true)
    }
}
