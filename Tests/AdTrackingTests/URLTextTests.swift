import Ports
import Testing

@testable import AdTracking

/// What is found in a URL without splitting it. Most URLs have nothing of this and are passed over in one step.
@Suite struct URLTextTests {
    @Test(arguments: [
        "https://t.example/b?u=x&c=7", "http://t.example", "HTTPS://t.example/%20", "https://t.example/[a]",
        "https://t.example/?filter[size]=1", "https://t.example/$", "https://t.example/!~_", "https://[::1]/b",
        "https://[::1]:8080/b", "https://t.example:8080/b", "https://t.example:65535", "https://t.example:080/?q",
        "https://t.example:/",
        "https://u:p@t.example/b", "https://t.example:443#f",
    ])
    func plainURLsAreUsableAndHaveNoMacro(url: String) {
        let text = URLText(url)
        #expect(!text.isUnusable && !text.hasMacro)
    }

    @Test(arguments: [
        "", "/b", "ftp://t.example/", "https://", "https:///b", "https://?u", "http://#", "https://t .example/",
        "https://t.example/a b", "https://t.example/ ",
        "https://t.example/\u{7F}", "https://té.example/", "https://t.example/\n", "https://t.example/é\u{FFFD}",
        "https://t.example/" + String(repeating: "a", count: 99) + "\t",
        // A host or port that no connection can be opened to.
        "http://[::1", "http://[x]/", "http://x:99999/a", "http://x:0/a", "http://x:0000/", "http://x:abc/",
        "http://user@/x", "http://:80/",
        "http://x|y/", "http://t.example/" + String(repeating: "a", count: Limits.urlBytes),
    ])
    func othersAreUnusable(url: String) {
        #expect(URLText(url).isUnusable)
        #expect(SendGate().judge(url, of: .start) == .failure(SendGate.Refusal(.badURL)))
    }

    /// What the gate sends as something else than what is written. Signatures cover the rest, and a server may compare it.
    @Test(arguments: [
        ("https://t.example/é?ü", "https://t.example/%C3%A9?%C3%BC"),
        ("https://t.example?日", "https://t.example?%E6%97%A5"),
        ("https://t.example/?a={1}|<\"x\">", "https://t.example/?a={1}|<\"x\">"),
        ("https://t.example/^`\\%20", "https://t.example/^`\\%20"),
    ])
    func lettersBeyondASCIIGetEscapes(written: String, sent: String) throws {
        let text = URLText(written)
        #expect(!text.isUnusable && !text.hasMacro)
        let requested = try WebURL(sent)
        #expect(SendGate().judge(written, of: .start) == .success(requested))
    }

    @Test(arguments: [
        "https://t.example/[CB]", "https://t.example/?c=[cachebuster]", "https://t.example/%5bCB%5D",
        "https://t.example/?c=${CB}", "https://t.example/$%7bCB}",
        "https://t.example/" + String(repeating: "a", count: 99) + "[TS]",
    ])
    func macrosAreFound(url: String) {
        let text = URLText(url)
        #expect(text.hasMacro && !text.isUnusable)
    }
}
