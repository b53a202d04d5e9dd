import CreativeCache
import Testing

@Suite struct RemoteCreativeTests {
    private func creative(_ body: String, _ contentType: String?, type: String? = nil) throws -> CachedCreative {
        let remote = RemoteCreative(
            id: try #require(CreativeID("a")), url: "https://c/?uuid=a", bidID: "b1", type: type,
            origin: CachedCreative.Origin())
        return try CachedCreative(remote, body: Array(body.utf8), contentType: contentType)
    }

    @Test func aBidGivesItsMarkup() throws {
        let bid = #"{"id":"b1","adm":"<VAST/>","ext":{"prebid":{"type":"video"}}}"#
        let creative = try creative(bid, "application/json")
        #expect(creative.kind == .video && creative.content.body == Array("<VAST/>".utf8))
        #expect(creative.content.bidJSON == Array(bid.utf8) && creative.fallbackURL == "https://c/?uuid=a")
    }

    /// The cached bid need not repeat what the answer of the auction states.
    @Test func theTypeIsThatOfTheAuction() throws {
        #expect(try creative(#"{"adm":"<VAST/>"}"#, nil, type: "video").kind == .video)
        #expect(try creative(#"{"adm":"{}"}"#, nil, type: "native").kind == .native)
        #expect(try creative(#"{"adm":"<b/>"}"#, nil).kind == .banner)
    }

    @Test func anotherBidIsRejected() {
        #expect(throws: RemoteCreative.Problem.otherBid) { try creative(#"{"id":"b2","adm":"<b/>"}"#, nil) }
    }

    @Test func xmlIsTakenAsItIs() throws {
        #expect(try creative("<VAST/>", "application/xml").content.body == Array("<VAST/>".utf8))
    }

    @Test(arguments: [
        ("{}", "application/json"), ("<html/>", "text/html"), ("", "application/xml"), ("[1]", nil),
        (#"{"adm":""}"#, nil),
    ])
    func allElseIsNone(_ body: String, _ type: String?) {
        #expect(throws: RemoteCreative.Problem.noMarkup) { try creative(body, type) }
    }

    @Test func aTypeThatCouldEndItsHeaderLineIsNotTaken() throws {
        let id = try #require(CreativeID("a"))
        let creative = CachedCreative(
            id: id, kind: .banner, contentType: "text/html\r\nX: y", content: CachedCreative.Content(body: []))
        #expect(creative.contentType == "text/html; charset=utf-8")
    }
}
