import CreativeCache
import Testing

@Suite struct RemoteCreativeTests {
    private func creative(_ body: String, _ type: String?) throws -> CachedCreative? {
        CachedCreative(
            remote: Array(body.utf8), contentType: type, id: try #require(CreativeID("a")), url: "https://c/?uuid=a",
            origin: CachedCreative.Origin())
    }

    @Test func aBidGivesItsMarkup() throws {
        let bid = #"{"adm":"<VAST/>","ext":{"prebid":{"type":"video"}}}"#
        let creative = try #require(try creative(bid, "application/json"))
        #expect(creative.kind == .video && creative.content.body == Array("<VAST/>".utf8))
        #expect(creative.content.bidJSON == Array(bid.utf8) && creative.fallbackURL == "https://c/?uuid=a")
    }

    @Test func xmlIsTakenAsItIs() throws {
        #expect(try creative("<VAST/>", "application/xml")?.content.body == Array("<VAST/>".utf8))
    }

    @Test(arguments: [("{}", "application/json"), ("<html/>", "text/html"), ("", "application/xml"), ("[1]", nil)])
    func allElseIsNone(_ body: String, _ type: String?) throws {
        #expect(try creative(body, type) == nil)
    }

    @Test func aTypeThatCouldEndItsHeaderLineIsNotTaken() throws {
        let id = try #require(CreativeID("a"))
        let creative = CachedCreative(
            id: id, kind: .banner, contentType: "text/html\r\nX: y", content: CachedCreative.Content(body: []))
        #expect(creative.contentType == "text/html; charset=utf-8")
    }
}
