import Testing

@testable import AdFormats

/// What an ad may open, read as browsers read it.
struct LandingURLTests {
    @Test(arguments: [
        "javascript:x", "JavaScript:x", " javascript:x", "\u{1}javascript:x", "\u{1B}\u{0} javascript:x",
        "java\nscript:x", "java\r\nscript:x", "\tjava\tscript\t:x", "\u{A0}javascript:x",
    ])
    func codeIsForbiddenHoweverItIsWritten(_ url: String) {
        #expect(LandingURL.forbiddenScheme(url) == "javascript")
    }

    @Test(arguments: [
        "https://a.example/javascript:x", "tel:+49", "sms:1", "myapp://open", "/javascript:x", "java\u{1}script:x", "",
        ":", "\n", "jävascript:x",
    ])
    func othersAreNot(_ url: String) {
        #expect(LandingURL.forbiddenScheme(url) == nil)
    }

    @Test func trackersAreAddressesOrMacros() {
        for url in ["http://a.example/", "HTTPS://a.example/", "${URL}", "[URL]"] {
            #expect(LandingURL.isRequestable(url), "\(url)")
        }
        for url in ["ht\ntp://a.example/", " http://a.example/", "ftp://a.example/", "a.example", "http:a", ""] {
            #expect(!LandingURL.isRequestable(url), "\(url)")
        }
    }
}
