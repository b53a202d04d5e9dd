import CreativeCache
import Ports
import Testing

@Suite struct RemoteComparisonTests {
    private static func content(_ body: String, bid: String? = nil) -> CachedCreative.Content {
        CachedCreative.Content(body: Array(body.utf8), bidJSON: bid.map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("<b>1</b>", "<b>1</b>", RemoteComparison.equal), ("<b>1</b>", #"{"adm":"<b>1</b>"}"#, .equal),
        ("<b>1.20</b>", #"{"adm":"<b>${AUCTION_PRICE}</b>"}"#, .sameButMacros),
        ("a1b2c", #"{"adm":"a${AUCTION_PRICE}b${AUCTION_CURRENCY}c"}"#, .sameButMacros),
        ("a12", #"{"adm":"a${AUCTION_PRICE}${AUCTION_ID}"}"#, .sameButMacros),
        ("<b>1.20</b>", #"{"adm":"<i>${AUCTION_PRICE}</i>"}"#, .differs), ("<b>1</b>", "<b>2</b>", .differs),
        ("a", #"{"adm":"a${AUCTION_"}"#, .differs), ("", "{}", .differs),
    ])
    func bodies(_ local: String, _ remote: String, _ expected: RemoteComparison) {
        #expect(RemoteComparison(local: Self.content(local), remote: Array(remote.utf8)) == expected)
    }

    @Test func theSameBidIsEqual() {
        let bid = #"{"adm":"<b>${AUCTION_PRICE}</b>"}"#
        #expect(RemoteComparison(local: Self.content("<b>1</b>", bid: bid), remote: Array(bid.utf8)) == .equal)
    }
}
