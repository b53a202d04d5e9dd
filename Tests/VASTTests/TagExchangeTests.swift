import Ports
import Testing

@testable import VAST

@Suite struct TagExchangeTests {
    private let fetch: TagFetch

    init() throws {
        fetch = TagFetch(
            id: 3, url: try WebURL("https://a.example.test/tag"), template: "https://a.example.test/tag", depth: 1,
            parent: 0)
    }

    private func code(_ answer: TagAnswer) -> Int? {
        var machine = WrapperResolution(tag: "https://a.example.test/tag", values: MacroValues(), seed: 1)
        _ = machine.start()
        _ = machine.answered(0, with: answer)
        return machine.result.failure?.code
    }

    @Test func requestsSayWhoAsks() throws {
        var settings = TagRequestSettings(userAgent: "player/1")
        settings.fields = [HTTPField("X-Device-IP", "192.0.2.1"), HTTPField("accept", "text/xml")]
        let request = fetch.request(settings, timeout: .seconds(2))
        #expect(request.url == fetch.url)
        #expect(request.fields["User-Agent"] == "player/1")
        #expect(request.fields["X-Device-IP"] == "192.0.2.1")
        #expect(request.fields.filter { $0.name.lowercased() == "accept" }.map(\.value) == ["text/xml"])
        #expect(request.totalTimeout == .seconds(2) && request.connectTimeout == .seconds(2))
        #expect(request.maximumBodyBytes == Limits.vastBytes)
        #expect(request.audience == .other)
    }

    @Test(arguments: [
        (HTTPFailure.Kind.tooManyRedirects, 300), (.badRedirect, 300), (.bodyTooLarge, 300), (.addressNotAllowed, 300),
        (.timeout, 301), (.connectTimeout, 301), (.resolve, 301), (.tls, 301), (.reset, 301), (.cancelled, 301),
    ])
    func failuresHaveTheirCode(kind: HTTPFailure.Kind, wanted: Int) {
        #expect(code(TagAnswer(HTTPExchange(failure: HTTPFailure(kind, "x")), to: fetch)) == wanted)
    }

    @Test(arguments: [(404, 301), (500, 301), (304, 301), (204, 100)])
    func statusesHaveTheirCode(status: Int, wanted: Int) {
        let exchange = HTTPExchange(hops: [.init(url: fetch.url.text, status: status, fields: [])])
        #expect(code(TagAnswer(exchange, to: fetch)) == wanted)
    }

    @Test func aBodyComesFromWhereTheRedirectsEnd() {
        let exchange = HTTPExchange(
            hops: [
                .init(url: fetch.url.text, status: 302, fields: []),
                .init(url: "https://b.example.test/x", status: 200, fields: []),
            ], body: [1])
        guard case .body(let bytes, let url, nil) = TagAnswer(exchange, to: fetch) else {
            Issue.record("no body")
            return
        }
        #expect(bytes == [1] && url == "https://b.example.test/x")
    }

    /// Without a declaration the header is all that names the encoding; a server that sends its default does not overrule one.
    @Test(
        arguments: [
            ("text/xml; charset=ISO-8859-1", "", "\u{E9}"), ("text/xml;charset=\"windows-1252\"", "", "\u{E9}"),
            ("text/xml; charset=UTF-8", "<?xml version='1.0' encoding='ISO-8859-1'?>", "\u{E9}"),
            ("application/xml; boundary=x ; Charset = latin1", "", "\u{E9}"), ("text/xml", "", nil),
            ("text/xml; charset=x-unknown", "", nil),
        ] as [(String, String, String?)])
    func theHeaderNamesTheEncoding(type: String, declaration: String, title: String?) throws {
        let body =
            Array("\(declaration)<VAST version=\"4.2\"><Ad><InLine><AdTitle>".utf8) + [0xE9]
            + Array("</AdTitle><Creatives><Creative><NonLinearAds/></Creative></Creatives></InLine></Ad></VAST>".utf8)
        let hop = HTTPExchange.Hop(url: fetch.url.text, status: 200, fields: [HTTPField("Content-Type", type)])
        var machine = WrapperResolution(tag: fetch.url.text, values: MacroValues(), seed: 1)
        _ = machine.start()
        _ = machine.answered(0, with: TagAnswer(HTTPExchange(hops: [hop], body: body), to: fetch))
        #expect(machine.result.ads.first?.ad.title == title)
        let utf8 = Array("<VAST><Ad><InLine><AdTitle>\u{E9}</AdTitle></InLine></Ad></VAST>".utf8)
        #expect(VASTReader.read(utf8, charset: "ISO-8859-1").vast?.ads.first?.title == "\u{E9}")
        #expect((machine.result.failure?.code == 100) == (title == nil))
    }
}
