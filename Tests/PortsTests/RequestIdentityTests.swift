import Ports
import Testing

/// Who gets what (docs/connect.md).
@Suite struct RequestIdentityTests {
    private let typed = "https://origin.example.test:8443/master.m3u8"
    private let own = [HTTPField("User-Agent", "adtop/x"), HTTPField("Accept", "*/*")]

    private func fields(
        _ change: (inout RequestIdentity) throws -> Void, _ audience: HTTPRequest.Audience, at url: String,
        kept: [Cookie] = [], own: [HTTPField]? = nil, first: String? = nil
    ) throws -> [HTTPField] {
        var identity = RequestIdentity(typed: try WebURL(typed))
        try change(&identity)
        return identity.fields(
            of: own ?? self.own, for: audience, at: try WebURL(url), first: try WebURL(first ?? url), kept: kept)
    }

    @Test func withoutSettingsNothingChanges() throws {
        for audience in [HTTPRequest.Audience.stream, .tracker, .other] {
            #expect(try fields({ _ in }, audience, at: typed) == own)
        }
    }

    @Test func streamFieldsGoToTheStreamOnly() throws {
        let change = { (identity: inout RequestIdentity) in
            identity.streamFields = [try HeaderField("X-Device: 7"), try HeaderField("user-agent: tv/1")]
        }
        for url in [typed, "https://cdn.example.net/v.m3u8"] {
            #expect(
                try fields(change, .stream, at: url)
                    == [HTTPField("Accept", "*/*"), HTTPField("X-Device", "7"), HTTPField("user-agent", "tv/1")])
            #expect(try fields(change, .tracker, at: url) == own)
            #expect(try fields(change, .other, at: url) == own)
        }
    }

    @Test func hostFieldsGoToTheirHostWhateverTheRequest() throws {
        let change = { (identity: inout RequestIdentity) in
            identity.streamFields = [try HeaderField("X-Key: stream")]
            identity.hostFields = [
                .init(try #require(HostPattern("T.example.test:81")), try HeaderField("X-Key: port")),
                .init(try #require(HostPattern("T.example.test")), try HeaderField("X-Key: host")),
            ]
        }
        for audience in [HTTPRequest.Audience.stream, .tracker, .other] {
            #expect(try fields(change, audience, at: "https://t.example.test/")["X-Key"] == "host")
            #expect(
                try fields(change, audience, at: "http://t.example.test:81/").filter { $0.name == "X-Key" }.map(\.value)
                    == ["port"])
            #expect(
                try fields(change, audience, at: "https://sub.t.example.test/")["X-Key"]
                    == (audience == .stream ? "stream" : nil))
        }
    }

    @Test(arguments: [
        ("https://origin.example.test:8443/other", true), ("https://ORIGIN.example.test:8443/", true),
        ("https://origin.example.test/", false), ("http://origin.example.test:8443/", false),
        ("https://cdn.origin.example.test:8443/", false), ("https://example.test:8443/", false),
    ])
    func credentialsBelongToTheTypedOrigin(url: String, isTyped: Bool) throws {
        let all: [(String, (inout RequestIdentity) throws -> Void, String, String)] = [
            ("basic", { $0.basic = BasicCredentials(user: "u", password: "p") }, "Authorization", "Basic dTpw"),
            ("bearer", { $0.bearer = "abc" }, "Authorization", "Bearer abc"),
            ("cookie", { $0.cookies = ["a=1", "b=2"] }, "Cookie", "a=1; b=2"),
            ("header", { $0.streamFields = [try HeaderField("Authorization: Digest x")] }, "Authorization", "Digest x"),
            ("header cookie", { $0.streamFields = [try HeaderField("cookie: x=1")] }, "Cookie", "x=1"),
            ("header host", { $0.streamFields = [try HeaderField("Host: other.test")] }, "Host", "other.test"),
        ]
        for (name, change, field, value) in all {
            #expect(try fields(change, .stream, at: url)[field] == (isTyped ? value : nil), "\(name)")
        }
    }

    @Test func anExplicitAuthorizationWinsThenTheToken() throws {
        let all = { (identity: inout RequestIdentity) in
            identity.basic = BasicCredentials(user: "u", password: "p")
            identity.bearer = "abc"
            identity.streamFields = [try HeaderField("authorization: own")]
        }
        #expect(
            try fields(all, .stream, at: typed).filter { $0.name.lowercased() == "authorization" }.map(\.value) == [
                "own"
            ])
        let without = { (identity: inout RequestIdentity) in
            try all(&identity)
            identity.streamFields = []
        }
        #expect(try fields(without, .stream, at: typed)["authorization"] == "Bearer abc")
    }

    @Test func aURLWithPasswordIsAskedWithIt() throws {
        #expect(
            try fields({ _ in }, .other, at: "https://us%40er:p%3Aw@x.test/")["authorization"] == "Basic dXNAZXI6cDp3")
        #expect(try fields({ _ in }, .other, at: "https://token@x.test/")["authorization"] == "Basic dG9rZW46")
        #expect(try fields({ _ in }, .other, at: "https://@x.test/")["authorization"] == nil)
    }

    @Test func cookiesOfTheServerReplaceGivenOnes() throws {
        let kept = [Cookie(name: "token", value: "new", domain: "origin.example.test")]
        let change = { (identity: inout RequestIdentity) in identity.cookies = ["token=old", "geo=se"] }
        #expect(try fields(change, .stream, at: typed, kept: kept)["cookie"] == "token=new; geo=se")
        #expect(try fields(change, .tracker, at: "https://x.test/", kept: kept)["cookie"] == "token=new")
    }

    @Test func credentialsOfTheProgramStayWithTheirServer() throws {
        let own = [HTTPField("Authorization", "bidder"), HTTPField("X", "1")]
        #expect(try fields({ _ in }, .other, at: "https://b.test/2", own: own, first: "https://b.test/1") == own)
        #expect(
            try fields({ _ in }, .other, at: "https://c.test/", own: own, first: "https://b.test/1") == [
                HTTPField("X", "1")
            ])
    }

    @Test func anEmptyHeaderRemovesAndASemicolonSendsNothing() throws {
        let change = { (identity: inout RequestIdentity) in
            identity.streamFields = [try HeaderField("Accept:"), try HeaderField("X-Empty;")]
        }
        #expect(
            try fields(change, .stream, at: typed) == [HTTPField("User-Agent", "adtop/x"), HTTPField("X-Empty", "")])
    }

    @Test func aNameThatRepeatsIsSentAsOften() throws {
        let change = { (identity: inout RequestIdentity) in
            identity.streamFields = [try HeaderField("X: 1"), try HeaderField("x:2")]
        }
        #expect(try fields(change, .stream, at: typed).suffix(2) == [HTTPField("X", "1"), HTTPField("x", "2")])
    }

    @Test(arguments: [
        ("X-Secret", "no colon"), ("X: a\nY: b", "line break"), ("X: a\r", "line break"),
        ("X Y: b", "not a header name"),
        (": b", "not a header name"), ("Ü: b", "not a header name"), ("X: a\u{1}", "control"), ("", "no colon"),
        (";", "no colon"), ("Content-Length: 5", "sets itself"), ("transfer-encoding: chunked", "sets itself"),
        ("X(1): v", "not a header name"),
    ])
    func badHeadersHaveAReason(text: String, problem: String) throws {
        let thrown = #expect(throws: HeaderField.Problem.self) { try HeaderField(text) }
        let found = try #require(thrown)
        #expect(found.explanation.contains(problem))
    }

    @Test(arguments: [
        ("cdn.example.com", "cdn.example.com"), ("CDN:8080", "cdn:8080"), ("[::1]:80", "[::1]:80"), ("::1", "[::1]"),
        ("[::1]", "[::1]"), ("127.0.0.1:9", "127.0.0.1:9"), ("cdn.example.com.", "cdn.example.com."),
        ("my_host-1", "my_host-1"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
    ])
    func hostsAreReadWithAndWithoutPort(text: String, expected: String) {
        #expect(HostPattern(text)?.description == expected)
    }

    @Test(arguments: [
        "", ":80", "a b", "http://x", "x/y", "x:", "x:0", "x:99999", "x:y", "u@x", "*", "*.x.test", "*.x.test:80",
        ".x.test",
        "x..test", ".", "a,b", "h.test=X", "h%2etest", "[1:2]", String(repeating: "a", count: 64),
    ])
    func otherTextsAreNoHosts(text: String) {
        #expect(HostPattern(text) == nil)
    }

    @Test func aURLWithoutItsCredentialsIsTheSameStream() throws {
        #expect(try WebURL("https://u:p@h.test:1/x?y=u:p@z").withoutCredentials.text == "https://h.test:1/x?y=u:p@z")
        #expect(try WebURL("https://h.test/x@y").withoutCredentials.text == "https://h.test/x@y")
    }

    /// A tool without a stream: its fields go to what was typed, whatever the request is for, and to no tracker.
    @Test func fieldsOfAToolGoToTheTypedOrigin() throws {
        let typed = try WebURL("https://ads.example/pbs")
        var identity = RequestIdentity(typed: typed)
        identity.streamFields = [HeaderField("X-A", "1")]
        func value(_ audience: HTTPRequest.Audience, _ url: String) throws -> String? {
            identity.fields(of: [], for: audience, at: try WebURL(url), first: typed)["x-a"]
        }
        #expect(try value(.other, typed.text) == nil && value(.stream, typed.text) == "1")
        identity.addsToTyped = true
        #expect(try value(.other, typed.text) == "1" && value(.stream, "https://b.example/") == "1")
        #expect(try value(.other, "https://ads.example:8443/") == nil && value(.other, "http://ads.example/") == nil)
        #expect(try value(.tracker, typed.text) == nil)
    }
}
