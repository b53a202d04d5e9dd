import Testing

@testable import Ports

@Suite struct WebURLTests {
    @Test func readsItsParts() throws {
        let url = try WebURL("HTTPS://User@CDN.Example.com:8443/live/a.m3u8?x=1#f")
        #expect(url.isSecure)
        #expect(url.host == "cdn.example.com")
        #expect(url.port == 8443)
        #expect(url.path == "/live/a.m3u8")
        #expect(url.query == "x=1")
        #expect(url.origin == "https://cdn.example.com:8443")
        #expect(url.text == "HTTPS://User@CDN.Example.com:8443/live/a.m3u8?x=1#f")
    }

    @Test(arguments: [
        ("http://h", 80), ("https://h", 443), ("http://h:", 80), ("http://h:81/", 81),
        ("http://[2001:db8::1]:99/x", 99),
    ])
    func knowsThePortThatIsMeant(text: String, port: Int) throws {
        #expect(try WebURL(text).port == port)
    }

    @Test(arguments: [
        ("", WebURLProblem.empty), ("ftp://h/x", .notHTTP(scheme: "ftp")), ("about:blank", .notHTTP(scheme: "about")),
        ("/relative", .notHTTP(scheme: nil)), ("http:///x", .missingHost), ("http://", .missingHost),
        ("http://@/x", .missingHost),
        ("http://h:0/", .badPort), ("http://h:65536/", .badPort), ("http://h:-1/", .badPort),
        ("http://h:8x/", .badPort),
        ("http://h/a b", .badCharacter(offset: 10)), ("http://h/\n", .badCharacter(offset: 9)),
        ("http://h/é", .badCharacter(offset: 9)),
        ("http://[::1/", .badHost), ("http://[::g]/", .badHost), ("http://a<b/", .badHost),
        ("http://[::1]x/", .badHost), ("http://ä.example/", .hostBeyondASCII),
        ("http://h\n/é", .badCharacter(offset: 8)),
    ])
    func namesTheProblem(text: String, problem: WebURLProblem) {
        #expect(throws: problem) { try WebURL(text) }
    }

    @Test func aURLBeyondTheLimitIsRefused() {
        #expect(throws: WebURLProblem.tooLong) {
            try WebURL("http://h/" + String(repeating: "a", count: Limits.urlBytes))
        }
    }

    /// As browsers do it (WHATWG URL).
    @Test func aReferenceInADocumentIsEscaped() throws {
        let base = try WebURL("https://h/a/b.m3u8?s=1")
        #expect(
            try base.resolving("my video/ä.m3u8?q=日 x").text == "https://h/a/my%20video/%C3%A4.m3u8?q=%E6%97%A5%20x")
        #expect(try WebURL(written: "https://h/%20 x").text == "https://h/%20%20x")
        #expect(throws: WebURLProblem.badCharacter(offset: 9)) { try WebURL(written: "https://h\n/") }
        #expect(throws: WebURLProblem.hostBeyondASCII) { try WebURL(written: "https://ä.example/") }
        #expect(throws: WebURLProblem.badHost) { try WebURL(written: "https://a b.example/") }
        #expect(throws: WebURLProblem.badCharacter(offset: 11)) { try WebURL(written: "https://h/a\u{FFFD}") }
        #expect(throws: WebURLProblem.self) { try WebURL("https://h/a/b").resolving("\u{FFFD}v1/c") }
        #expect(throws: WebURLProblem.badCharacter(offset: 10)) { try WebURL("https://h/ä") }
    }

    @Test func resolvesAndReplaces() throws {
        let base = try WebURL("https://h/a/b.m3u8?s=1")
        #expect(try base.resolving("../c?d").text == "https://h/c?d")
        #expect(try base.with(path: "/a/metadata", query: base.query).text == "https://h/a/metadata?s=1")
        #expect(throws: WebURLProblem.notHTTP(scheme: "javascript")) { try base.resolving("javascript:alert(1)") }
    }
}
