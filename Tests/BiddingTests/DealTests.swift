import Bidding
import Ports
import Testing

/// Deals in an auction: what they pay, and what the bids that lose to them are notified of (BID-19, BID-20).
@Suite struct DealTests {
    /// An auction with the deal `d`.
    private func auction(
        _ deal: JSONValue = ["id": "d"], type: Int, isPreferred: Bool, _ answers: [EndpointAnswer]
    ) throws -> Auction {
        var auction = AuctionSamples.auction()
        auction.rules.auctionType = type
        auction.rules.prefersDeals = isPreferred
        auction.placement.deals = [try #require(Deal(deal))]
        auction.answers = answers
        return auction
    }

    private func bid(_ bidder: String, _ price: Double, isDeal: Bool = false) -> EndpointAnswer {
        AuctionSamples.answer(bidder, price: .double(price), members: isDeal ? ["dealid": "d"] : [:])
    }

    /// The loss notices, in the order of the bids: bidder, code, lowest price to win.
    private func losses(_ result: AuctionResult) -> [String] {
        result.notices.filter { $0.kind == .loss }.map {
            $0.url.replacing("https://", with: "").replacing(".example/l?", with: " ")
        }
    }

    @Test(arguments: [true, false]) func aDealThatWinsByItsPricePaysMoreThanTheOpenBids(isPreferred: Bool) throws {
        let result = try auction(type: 2, isPreferred: isPreferred, [bid("a", 2, isDeal: true), bid("b", 1.5)]).held()
        #expect(result.winningCandidate?.id == "bid-a" && result.cpm?.text == "1.51")
        #expect(losses(result) == ["b c=102&m=1.51"])
    }

    @Test func aDealThatWinsByPreferencePaysMoreThanOtherDeals() throws {
        let result = try auction(
            type: 2, isPreferred: true,
            [bid("a", 2, isDeal: true), bid("b", 9), bid("c", 1.5, isDeal: true), bid("e", 1.7), bid("f", 1.2)]
        ).held()
        #expect(result.winningCandidate?.id == "bid-a" && result.cpm?.text == "1.51")
        // An open bid at or above the clearing price did not lose by its price.
        #expect(losses(result) == ["b c=103&m=", "c c=102&m=1.51", "e c=103&m=", "f c=102&m=1.51"])
    }

    @Test(arguments: [true, false]) func aBidAboveAnAgreedPriceHasLostToTheDeal(isPreferred: Bool) throws {
        let result = try auction(
            ["id": "d", "at": 3, "bidfloor": 1], type: 1, isPreferred: isPreferred,
            [bid("a", 2, isDeal: true), bid("b", 1.5), bid("c", 0.5)]
        ).held()
        #expect(result.winningCandidate?.id == "bid-a" && result.cpm?.text == "1")
        #expect(losses(result) == ["b c=103&m=", "c c=102&m=1"])
        let note = isPreferred ? "deal of seat-a bid-a is preferred" : "deal of seat-a bid-a pays the agreed price"
        #expect(result.candidates[1].notes.map(\.text).last == note)
    }

    /// The winner's price is at least every other (BID-27): a deal that loses at its agreed price does not take the
    /// better open bid with it.
    @Test func theNextBidCompetesForADealThatLosesAtItsPrice() throws {
        var auction = try auction(
            ["id": "d", "at": 3, "bidfloor": 1], type: 1, isPreferred: false,
            [bid("a", 2, isDeal: true), bid("b", 1.5), bid("c", 1.3)])
        auction.lineItems = [try AuctionSamples.lineItem("li", "1.2")]
        let result = auction.held()
        #expect(result.winningCandidate?.id == "bid-b" && result.cpm?.text == "1.5")
        #expect(result.notices.first?.url == "https://b.example/w?p=1.5&m=1.3")
        #expect(losses(result) == ["a c=102&m=1.5", "c c=102&m=1.5"])
        // Nobody pays more than this line item.
        auction.lineItems = [try AuctionSamples.lineItem("li", "1.5")]
        #expect(auction.held().winningCandidate?.id == "li")
        #expect(losses(auction.held()) == ["a c=102&m=1.5", "b c=102&m=1.5", "c c=102&m=1.5"])
    }

    @Test func theNextBidCompetesForAPreferredDealThatLoses() throws {
        var auction = try auction(type: 1, isPreferred: true, [bid("a", 1.6, isDeal: true), bid("b", 3)])
        auction.lineItems = [try AuctionSamples.lineItem("li", "2")]
        let result = auction.held()
        #expect(result.winningCandidate?.id == "bid-b" && result.cpm?.text == "3")
        #expect(losses(result) == ["a c=102&m=3"])
        // What beats both is no deal.
        auction.lineItems = [try AuctionSamples.lineItem("li", "4")]
        #expect(losses(auction.held()) == ["a c=102&m=4", "b c=102&m=4"])
    }
}
