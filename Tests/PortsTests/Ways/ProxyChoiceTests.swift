import Testing

@testable import Ports

@Suite struct ProxyChoiceTests {
    /// What curl 8 does with each environment, for an http and an https URL on `h.example`.
    struct Case: Sendable, CustomTestStringConvertible {
        var environment: [String: String]
        var http: String?
        var https: String?
        var testDescription: String { "\(environment)" }
    }

    @Test(arguments: [
        Case(environment: [:]),
        Case(environment: ["http_proxy": "a"], http: "a"),
        Case(environment: ["HTTP_PROXY": "a"]),
        Case(environment: ["https_proxy": "a"], https: "a"),
        Case(environment: ["HTTPS_PROXY": "a"], https: "a"),
        Case(environment: ["https_proxy": "a", "HTTPS_PROXY": "b"], https: "a"),
        Case(environment: ["https_proxy": "", "HTTPS_PROXY": "b"], https: "b"),
        Case(environment: ["all_proxy": "a"], http: "a", https: "a"),
        Case(environment: ["ALL_PROXY": "a"], http: "a", https: "a"),
        Case(environment: ["all_proxy": "a", "ALL_PROXY": "b"], http: "a", https: "a"),
        Case(environment: ["ALL_PROXY": "a", "http_proxy": "b"], http: "b", https: "a"),
        Case(environment: ["ALL_PROXY": "a", "http_proxy": ""], http: "a", https: "a"),
        Case(environment: ["ALL_PROXY": "a", "NO_PROXY": "h.example"]),
        Case(environment: ["ALL_PROXY": "a", "no_proxy": "example"]),
        Case(environment: ["ALL_PROXY": "a", "no_proxy": "other", "NO_PROXY": "h.example"], http: "a", https: "a"),
        Case(environment: ["ALL_PROXY": "a", "no_proxy": "", "NO_PROXY": "h.example"]),
        Case(environment: ["ALL_PROXY": "a", "NO_PROXY": "*"]),
    ])
    func theEnvironmentIsReadAsCurlReadsIt(_ example: Case) throws {
        let choice = try ProxyChoice(proxy: nil, environment: example.environment)
        #expect(choice.proxy(for: try WebURL("http://h.example/"))?.host == example.http)
        #expect(choice.proxy(for: try WebURL("https://h.example/"))?.host == example.https)
    }

    @Test func theSettingServesEveryURLAndTheListHoldsForIt() throws {
        let environment = ["https_proxy": "env", "no_proxy": "direct.example"]
        let proxy = try ProxyServer("set")
        let choice = try ProxyChoice(proxy: proxy, environment: environment)
        for url in [
            "http://h.example/", "https://h.example/", "http://127.0.0.1/", "http://localhost/", "http://[::1]/",
        ] {
            #expect(choice.proxy(for: try WebURL(url)) == proxy, "\(url)")
        }
        #expect(choice.proxy(for: try WebURL("http://a.direct.example/")) == nil)
        let replaced = try ProxyChoice(proxy: proxy, noProxy: NoProxyList("h.example"), environment: environment)
        #expect(replaced.proxy(for: try WebURL("http://h.example/")) == nil)
        #expect(replaced.proxy(for: try WebURL("http://a.direct.example/")) == proxy)
        let none = try ProxyChoice(proxy: proxy, noProxy: NoProxyList(""), environment: environment)
        #expect(none.proxy(for: try WebURL("http://a.direct.example/")) == proxy)
    }

    @Test func anEmptySettingSwitchesAllOff() throws {
        let choice = try ProxyChoice(proxy: nil, isOff: true, environment: ["ALL_PROXY": "a", "http_proxy": "ftp://x"])
        #expect(!choice.hasProxy)
        #expect(choice.proxy(for: try WebURL("http://h.example/")) == nil)
    }

    @Test func aBadVariableIsNamed() {
        #expect(
            throws: ProxyChoice.Problem(
                variable: .init(name: "ALL_PROXY", value: "gopher://x"),
                explanation: "has the scheme 'gopher'; use http, https, socks5 or socks5h")
        ) { try ProxyChoice(proxy: nil, environment: ["ALL_PROXY": "gopher://x"]) }
    }
}
