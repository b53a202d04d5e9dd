package import Ports

/// How an auction is held.
package struct AuctionRules: Hashable, Sendable {
    /// What amounts are compared in.
    package var currency = "USD"
    /// What RTB may bid in.
    package var allowedCurrencies: [String] = ["USD"]
    /// 1 first price, 2 second price plus.
    package var auctionType = 1
    /// An answer exactly at the end counts.
    package var deadline: Duration = .milliseconds(1_000)
    /// A deal wins whatever open bids pay.
    package var prefersDeals = false

    package init() {}
}

/// What happens to the winner afterwards.
package enum SlotEvent: String, Sendable, Hashable, CaseIterable {
    case display, click
}

/// Everything an auction is decided from: values only, so the same input always has the same result.
package struct Auction: Hashable, Sendable {
    package var id: String
    package var placement: Placement
    package var rules = AuctionRules()
    package var rates = CurrencyTable()
    package var lineItems: [LineItem] = []
    package var answers: [EndpointAnswer] = []
    package var adapters: [BidderAdapter] = []
    /// Of those who were asked elsewhere and did not bid.
    package var knownNonBids: [NonBid] = []
    package var events: [SlotEvent] = []
    /// What-if: added to what candidates offer, by their index in the result.
    package var priceChanges: [Int: ExactDecimal] = [:]
    /// For the dates of line items; nil leaves them out of it.
    package var now: UnixTime?

    package init(id: String, placement: Placement) {
        self.id = id
        self.placement = placement
    }

    /// Holds the auction.
    package func held() -> AuctionResult {
        var course = AuctionCourse(self)
        course.run()
        return course.result
    }
}
