import Bidding
import Ports
import Testing

/// Sample auctions.
enum AuctionSamples {
    /// A banner of 320x50.
    static func auction() -> Auction {
        Auction(id: "a", placement: Placement(id: "home", sizes: [AdSize(320, 50)]))
    }

    static func amount(_ text: String) throws -> ExactDecimal {
        try #require(ExactDecimal(text))
    }

    /// An answer with one bid; `members` replaces or adds members.
    static func answer(
        _ bidder: String, price: JSONValue, latency: Int = 10, currency: String = "USD",
        members: [String: JSONValue] = [:]
    ) -> EndpointAnswer {
        var bid: [String: JSONValue] = [
            "id": .string("bid-\(bidder)"), "impid": "1", "price": price, "crid": "c", "adm": "<div></div>", "w": 320,
            "h": 50,
            "mtype": 1, "lurl": .string("https://\(bidder).example/l?c=${AUCTION_LOSS}&m=${AUCTION_MIN_TO_WIN}"),
            "nurl": .string("https://\(bidder).example/w?p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}"),
        ]
        bid.merge(members) { $1 }
        let object = JSONObject(bid.map { JSONObject.Member(name: $0.key, value: $0.value) })
        let seat: JSONValue = ["seat": .string("seat-\(bidder)"), "bid": [.object(object)]]
        return EndpointAnswer(
            bidder: bidder, latency: .milliseconds(latency),
            content: .document(["id": "a", "cur": .string(currency), "seatbid": [seat]]))
    }

    static func adapter(_ name: String, _ price: String, latency: Int = 10) throws -> BidderAdapter {
        var adapter = BidderAdapter(
            name: name, creativeID: "cr-\(name)", price: try amount(price), currency: "USD", rendering: .primarySDK)
        adapter.markup = "<b>\(name)</b>"
        adapter.latency = .milliseconds(latency)
        return adapter
    }

    static func lineItem(
        _ id: String, _ cpm: String?, priority: LineItem.Priority = .ecpm, keywords: [String] = []
    ) throws -> LineItem {
        LineItem(
            id: id, priority: priority, cpm: try cpm.map { try amount($0) }, clauses: keywords.map { KeywordClause($0) }
        )
    }
}
