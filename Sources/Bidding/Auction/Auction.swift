package import Ports

/// The rules of an auction.
package struct AuctionRules: Hashable, Sendable {
    /// The currency in which amounts are compared.
    package var currency = "USD"
    /// The currencies in which RTB bidders may bid.
    package var allowedCurrencies: [String] = ["USD"]
    /// 1 is first price, 2 second price plus.
    package var auctionType = 1
    /// An answer exactly at the deadline is in time.
    package var deadline: Duration = .milliseconds(1_000)
    /// Whether a deal wins regardless of open bids.
    package var prefersDeals = false

    package init() {}
}

/// Events of the slot after the auction.
package enum SlotEvent: String, Sendable, Hashable, CaseIterable {
    case display, click
}

/// The complete input of an auction: values only, so the same input always has the same result.
package struct Auction: Hashable, Sendable {
    package var id: String
    package var placement: Placement
    package var rules = AuctionRules()
    package var rates = CurrencyTable()
    package var lineItems: [LineItem] = []
    package var answers: [EndpointAnswer] = []
    package var adapters: [BidderAdapter] = []
    /// Non-bids of bidders that were requested elsewhere.
    package var knownNonBids: [NonBid] = []
    package var events: [SlotEvent] = []
    /// What-if prices: added to the offers of candidates, by their index in the result.
    package var priceChanges: [Int: ExactDecimal] = [:]
    /// Compared with the dates of line items; nil ignores the dates.
    package var now: UnixTime?

    package init(id: String, placement: Placement) {
        self.id = id
        self.placement = placement
    }

    /// Runs the auction.
    package func held() -> AuctionResult {
        var course = AuctionCourse(self)
        course.run()
        return course.result
    }
}
