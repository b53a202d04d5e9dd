import Testing

@testable import AdTracking

/// What is found in a URL without splitting it. Most URLs have nothing of this and are passed over in one step.
@Suite struct URLTextTests {
    @Test(arguments: [
        "https://t.example/b?u=x&c=7", "http://t.example", "HTTPS://t.example/%20", "https://t.example/[a]",
        "https://t.example/?filter[size]=1", "https://t.example/$", "https://t.example/!~",
    ])
    func plainURLsAreUsableAndHaveNoMacro(url: String) {
        let text = URLText(url)
        #expect(!text.isUnusable && !text.hasMacro)
    }

    @Test(arguments: [
        "", "/b", "ftp://t.example/", "https://", "https:///b", "https://?u", "http://#", "https://t.example/a b",
        "https://t.example/\u{7F}", "https://t.example/é", "https://t.example/\n",
        "https://t.example/" + String(repeating: "a", count: 99) + "\t",
    ])
    func othersAreUnusable(url: String) {
        #expect(URLText(url).isUnusable)
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
