import Ports
import Testing

@Suite struct CookieJarTests {
    private func jar(_ lines: [String], from text: String = "https://a.example.test/dir/tag") throws -> CookieJar {
        var jar = CookieJar()
        jar.store(lines.map { HTTPField("Set-Cookie", $0) }, from: try WebURL(text))
        return jar
    }

    @Test func goesBackToTheHostThatSetIt() throws {
        let jar = try jar(["id=1; Path=/; Domain=example.test", "b=two words"])
        #expect(jar.field(for: try WebURL("https://a.example.test/dir/x")) == "b=two words; id=1")
        #expect(jar.field(for: try WebURL("https://a.example.test/other")) == "id=1")
        #expect(jar.field(for: try WebURL("https://b.example.test/dir/x")) == nil)
    }

    @Test func pathsMatchWholeSteps() throws {
        let jar = try jar(["id=1; path=/dir"])
        #expect(jar.field(for: try WebURL("https://a.example.test/dir")) == "id=1")
        #expect(jar.field(for: try WebURL("https://a.example.test/dir/")) == "id=1")
        #expect(jar.field(for: try WebURL("https://a.example.test/directory")) == nil)
    }

    @Test func secureCookiesStayOnSecureConnections() throws {
        let jar = try jar(["id=1; Secure; Path=/"])
        #expect(jar.field(for: try WebURL("http://a.example.test/")) == nil)
        #expect(jar.field(for: try WebURL("https://a.example.test/")) == "id=1")
    }

    @Test(arguments: ["id=; Max-Age=0", "id=; Max-Age=-5", "id=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"])
    func serversDelete(text: String) throws {
        var jar = try jar(["id=1"])
        jar.store([HTTPField("set-cookie", text)], from: try WebURL("https://a.example.test/dir/tag"))
        #expect(jar.isEmpty)
    }

    @Test func laterValuesReplaceEarlierOnes() throws {
        let jar = try jar(["id=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT", "id=2"])
        #expect(jar.field(for: try WebURL("https://a.example.test/dir/x")) == "id=2")
    }

    @Test func nonsenseIsIgnored() throws {
        let long = String(repeating: "x", count: CookieJar.maximumBytes)
        #expect(try jar(["", "=1", "novalue", "a=\u{1}", "id=\(long)"]).isEmpty)
    }

    @Test func theirNumberIsBounded() throws {
        let jar = try jar((0..<CookieJar.maximumCookies + 5).map { "c\($0)=v" })
        let sent = jar.field(for: try WebURL("https://a.example.test/dir/x"))?.split(separator: ";")
        #expect(sent?.count == CookieJar.maximumCookies)
        #expect(sent?.first == "c5=v")
    }

    @Test func everyHopOfAnExchangeCounts() throws {
        let exchange = HTTPExchange(hops: [
            .init(url: "https://a.example.test/", status: 302, fields: [HTTPField("Set-Cookie", "x=1")]),
            .init(url: "https://b.example.test/", status: 200, fields: [HTTPField("Set-Cookie", "y=2")]),
        ])
        var jar = CookieJar()
        jar.store(from: exchange)
        #expect(jar.field(for: try WebURL("https://a.example.test/")) == "x=1")
        #expect(jar.field(for: try WebURL("https://b.example.test/")) == "y=2")
    }
}
