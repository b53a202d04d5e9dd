import Ports
import Testing

/// RFC 6265: what a jar keeps, and what it gives to which request.
@Suite struct CookieJarTests {
    private let now = UnixTime(milliseconds: 1_800_000_000_000)

    private func jar(
        _ lines: [String], from text: String = "https://a.example.test/dir/tag", at time: UnixTime? = nil
    ) throws -> CookieJar {
        var jar = CookieJar()
        jar.store(lines.map { HTTPField("Set-Cookie", $0) }, from: try WebURL(text), at: time ?? now)
        return jar
    }

    private func field(_ jar: CookieJar, _ url: String, at time: UnixTime? = nil) throws -> String? {
        var jar = jar
        return jar.field(for: try WebURL(url), at: time ?? now)
    }

    @Test func withoutDomainOnlyTheHostGetsIt() throws {
        let jar = try jar(["b=two words"])
        #expect(try field(jar, "https://a.example.test/dir/x") == "b=two words")
        #expect(try field(jar, "https://A.EXAMPLE.test:8443/dir/x") == "b=two words")
        #expect(try field(jar, "https://sub.a.example.test/dir/x") == nil)
        #expect(try field(jar, "https://example.test/dir/x") == nil)
        #expect(try field(jar, "https://b.example.test/dir/x") == nil)
    }

    @Test(arguments: ["example.test", ".example.test", "EXAMPLE.Test"])
    func aDomainCoversItsHosts(domain: String) throws {
        let jar = try jar(["id=1; Path=/; Domain=\(domain)"])
        for host in ["a.example.test", "b.example.test", "example.test", "x.y.example.test"] {
            #expect(try field(jar, "https://\(host)/") == "id=1", "\(host)")
        }
        for host in ["anexample.test", "example.test.other", "test", "other.test"] {
            #expect(try field(jar, "https://\(host)/") == nil, "\(host)")
        }
    }

    @Test(arguments: ["b.example.test", "other.test", "x.a.example.test", "test", ".test", "..example.test"])
    func aForeignDomainIsIgnored(domain: String) throws {
        #expect(try jar(["id=1; Domain=\(domain)"]).isEmpty)
    }

    /// Companies register below public suffixes.
    @Test(arguments: [
        ("www.example.co.uk", "co.uk"), ("www.example.com", "com"), ("a.github.io", "github.io"),
        ("x.foo.ck", "foo.ck"), ("a.b.city.example.kawasaki.jp", "example.kawasaki.jp"),
    ])
    func aPublicSuffixIsIgnored(host: String, domain: String) throws {
        #expect(try jar(["id=1; Domain=\(domain)"], from: "https://\(host)/").isEmpty)
    }

    @Test func aHostThatIsAPublicSuffixKeepsItsOwn() throws {
        for host in ["github.io", "localhost", "com"] {
            let jar = try jar(["id=1; Domain=\(host)"], from: "https://\(host)/")
            #expect(try field(jar, "https://\(host)/") == "id=1")
            #expect(try field(jar, "https://x.\(host)/") == nil)
        }
    }

    @Test func exceptionsAndWildcardsOfTheListCount() {
        for name in ["com", "co.uk", "foo.ck", "unlisted", "github.io", "xn--p1ai", "a.kawasaki.jp"] {
            #expect(PublicSuffix.contains(name), "\(name)")
        }
        for name in ["example.com", "www.ck", "city.kawasaki.jp", "a.unlisted", "example.xn--p1ai", "", ".com", "com."]
        {
            #expect(!PublicSuffix.contains(name), "\(name)")
        }
    }

    @Test func addressesHaveNoDomains() throws {
        let jar = try jar(
            ["a=1; Path=/; Domain=0.0.1", "b=2; Path=/; Domain=127.0.0.1", "c=3; Path=/"], from: "http://127.0.0.1/")
        #expect(try field(jar, "http://127.0.0.1:9/") == "b=2; c=3")
        #expect(try field(jar, "http://127.0.0.2/") == nil)
        let six = try self.jar(["c=3"], from: "http://[::1]:8080/")
        #expect(try field(six, "http://[::1]:9/") == "c=3")
    }

    /// Section 5.1.4.
    @Test(arguments: [
        ("/dir", "/dir", true), ("/dir", "/dir/", true), ("/dir", "/dir/x", true), ("/dir", "/directory", false),
        ("/dir/", "/dir", false), ("/dir/", "/dir/x", true), ("/", "/", true), ("/", "", true), ("/", "/x?y=/z", true),
        ("/x", "/?/x", false), ("/Dir", "/dir", false),
    ])
    func pathsMatchWholeSteps(path: String, requested: String, isSent: Bool) throws {
        let jar = try jar(["id=1; path=\(path)"])
        #expect(try field(jar, "https://a.example.test\(requested)") == (isSent ? "id=1" : nil))
    }

    @Test(arguments: [
        ("", "/"), ("/", "/"), ("/tag", "/"), ("/dir/", "/dir"), ("/dir/tag", "/dir"), ("/a/b?c=/d/e", "/a"),
    ])
    func theDefaultPathEndsBeforeTheLastSlash(requested: String, path: String) throws {
        for attribute in ["", "; Path=", "; Path=relative", "; Path=/x; Path="] {
            #expect(
                try jar(["id=1\(attribute)"], from: "https://a.example.test\(requested)").cookies.map(\.path) == [path])
        }
    }

    @Test func secureCookiesStayOnSecureConnections() throws {
        let jar = try jar(["id=1; sEcUrE; Path=/"])
        #expect(try field(jar, "http://a.example.test/") == nil)
        #expect(try field(jar, "https://a.example.test/") == "id=1")
    }

    @Test(arguments: ["id=; Max-Age=0", "id=; Max-Age=-5", "id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    func serversDelete(text: String) throws {
        var jar = try jar(["id=1"])
        jar.store([HTTPField("set-cookie", text)], from: try WebURL("https://a.example.test/dir/tag"), at: now)
        #expect(jar.isEmpty)
    }

    @Test func theyExpire() throws {
        let jar = try jar([
            "a=1; Max-Age=10", "b=2; Expires=Fri, 15 Jan 2027 08:00:05 GMT", "c=3",
            "d=4; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "e=5; Max-Age=x; Expires=nonsense",
            "f=6; Max-Age=99999999999999999999",
        ])
        let url = "https://a.example.test/dir/x"
        #expect(try field(jar, url) == "a=1; b=2; c=3; d=4; e=5; f=6")
        #expect(try field(jar, url, at: now + .milliseconds(4_999)) == "a=1; b=2; c=3; d=4; e=5; f=6")
        #expect(try field(jar, url, at: now + .seconds(5)) == "a=1; c=3; d=4; e=5; f=6")
        #expect(try field(jar, url, at: now + .seconds(10)) == "c=3; e=5; f=6")
    }

    /// Longer paths first; of equal ones the older, even if its value is new.
    @Test func theirOrderIsThatOfTheClause() throws {
        let jar = try jar([
            "a=1; Path=/", "b=2; Path=/dir/sub", "c=3; Path=/dir", "d=4; Path=/; Domain=example.test", "a=5; Path=/",
        ])
        #expect(try field(jar, "https://a.example.test/dir/sub") == "b=2; c=3; a=5; d=4")
    }

    @Test func nameDomainAndPathTellCookiesApart() throws {
        let jar = try jar(["id=1; Path=/", "id=2; Path=/dir", "id=3; Path=/; Domain=example.test", "ID=4; Path=/"])
        #expect(try field(jar, "https://a.example.test/dir/x") == "id=2; id=1; id=3; ID=4")
    }

    @Test func nonsenseIsIgnored() throws {
        #expect(try jar(["", "=1", "novalue", "a=\u{1}", "a=b\u{7F}", " = ", ";a=b", "a\rb=c"]).isEmpty)
        #expect(try field(jar([" a \t=\t b=c "]), "https://a.example.test/dir/") == "a=b=c")
        #expect(try field(jar(["a=\"q;uoted\"; Path=/"]), "https://a.example.test/") == "a=\"q")
    }

    @Test func fourKibibytesAreTheMost() throws {
        let most = String(repeating: "x", count: Cookie.maximumBytes - 2)
        #expect(try jar(["id=\(most)"]).cookies.count == 1)
        #expect(try jar(["id=\(most)x"]).isEmpty)
        #expect(try jar(["id=\(most); Path=/"]).isEmpty)
    }

    @Test func aDomainHasFiftyAndTheOneUsedLongestAgoGoes() throws {
        let url = "https://a.example.test/dir/x"
        var jar = try jar((0..<CookieJar.maximumOfDomain).map { "c\($0)=v; Path=/\($0 == 0 ? "dir" : "other")" })
        #expect(try jar.field(for: WebURL(url), at: now) == "c0=v")
        jar.store([HTTPField("Set-Cookie", "new=v")], from: try WebURL(url), at: now)
        let names = jar.cookies.map(\.name)
        #expect(names.count == CookieJar.maximumOfDomain)
        #expect(names.contains("c0") && names.contains("new") && !names.contains("c1"))
    }

    @Test func threeThousandAreTheMost() throws {
        var jar = CookieJar()
        for number in 0..<CookieJar.maximumCookies + 7 {
            jar.store([HTTPField("Set-Cookie", "id=\(number)")], from: try WebURL("https://h\(number).test/"), at: now)
        }
        #expect(jar.cookies.count == CookieJar.maximumCookies)
        #expect(jar.cookies.first?.value == "7")
    }

    @Test func expiredOnesMakeRoomFirst() throws {
        var jar = CookieJar()
        for number in 0..<CookieJar.maximumCookies {
            let age = number == 5 ? "; Max-Age=1" : ""
            jar.store(
                [HTTPField("Set-Cookie", "id=\(number)\(age)")], from: try WebURL("https://h\(number).test/"), at: now)
        }
        jar.store([HTTPField("Set-Cookie", "id=x")], from: try WebURL("https://new.test/"), at: now + .seconds(2))
        #expect(jar.cookies.count == CookieJar.maximumCookies)
        #expect(jar.cookies.first?.value == "0" && !jar.cookies.contains { $0.value == "5" })
    }

    @Test func aFieldIsNoLongerThanServersTake() throws {
        let long = String(repeating: "x", count: 4_000)
        let jar = try jar(["a=\(long)", "b=\(long)", "c=\(long)", "d=1"])
        let field = try #require(try field(jar, "https://a.example.test/dir/x"))
        #expect(field.utf8.count <= CookieJar.maximumFieldBytes)
        #expect(field == "a=\(long); b=\(long); d=1")
    }

    @Test func everyHopOfAnExchangeCounts() throws {
        let exchange = HTTPExchange(hops: [
            .init(url: "https://a.example.test/", status: 302, fields: [HTTPField("Set-Cookie", "x=1")]),
            .init(url: "https://b.example.test/", status: 200, fields: [HTTPField("Set-Cookie", "y=2")]),
        ])
        var jar = CookieJar()
        jar.store(from: exchange, at: now)
        #expect(try field(jar, "https://a.example.test/") == "x=1")
        #expect(try field(jar, "https://b.example.test/") == "y=2")
    }
}
