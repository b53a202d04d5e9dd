import Testing

@testable import DemoOrigin

@Suite struct OriginPathTests {
    @Test(
        arguments: [
            ("/", nil, nil, "/"),
            ("", nil, nil, "/"),
            ("/variant/v1/hls/index.m3u8", nil, nil, "/variant/v1/hls/index.m3u8"),
            ("/pmm-0/variant/v1/hls/01.m3u8", "pmm-0", nil, "/variant/v1/hls/01.m3u8"),
            ("/s/rush/plan", nil, "rush", "/plan"),
            ("/s/rush", nil, "rush", "/"),
            ("/pmm-12/s/rush/variant/x", "pmm-12", "rush", "/variant/x"),
            ("/pmm-/x", nil, nil, "/pmm-/x"),
            ("/pmm-%2e/x", nil, nil, "/pmm-%2e/x"),
            ("/s//x", nil, nil, "/s//x"),
            ("*", nil, nil, "*"),
        ] as [(String, String?, String?, String)])
    func prefixesAreTakenOff(target: String, instance: String?, scenario: String?, resource: String) {
        let path = OriginPath(target: target + "?a=1")
        #expect(path.instance == instance)
        #expect(path.scenario == scenario)
        #expect(path.resource == resource)
        #expect(path.query["a"] == "1")
    }

    @Test func queryItemsAreDecodedAndTheFirstWins() {
        let query = QueryItems("a=%C3%A4%20b&a=2&flag&x=1=2&bad=%zz%4&%65=e&plus=a+b&&=v")
        #expect(query["a"] == "ä b")
        #expect(query["flag"] == "")
        #expect(query["x"] == "1=2")
        #expect(query["bad"] == "%zz%4")
        #expect(query["e"] == "e")
        #expect(query["plus"] == "a+b")
        #expect(query["none"] == nil)
        #expect(QueryItems("a=%ff")["a"] == "\u{FFFD}")
    }

    @Test func moreItemsThanTheLimitAreIgnored() {
        let query = QueryItems((0..<100).map { "k\($0)=v" }.joined(separator: "&"))
        #expect(query["k\(QueryItems.limit - 1)"] == "v")
        #expect(query["k\(QueryItems.limit)"] == nil)
    }

    @Test func encodingEscapesAllButUnreserved() {
        #expect(PercentText.encoded("aZ9-._~") == "aZ9-._~")
        #expect(PercentText.encoded("\u{1B}[ &ä") == "%1B%5B%20%26%C3%A4")
        for text in ["", "plain", "\u{1B}[5mblink", "広告 👩‍👧", "100%"] {
            #expect(PercentText.decoded(PercentText.encoded(text)) == text)
        }
    }
}
