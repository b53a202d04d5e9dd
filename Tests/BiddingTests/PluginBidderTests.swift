import Bidding
import Ports
import Testing

@Suite struct PluginBidderTests {
    private func plan(_ plugins: String = #"{"plugin": "py", "name": "Python"}"#) throws -> AuctionPlan {
        try AuctionPlan(
            try JSONReader.read(
                """
                {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]], "floor": {"cpm": "0.10", "cur": "USD"}},
                 "auction": {"tmaxMs": 300}, "events": ["display", "click"],
                 "lineItems": [{"id": "li", "cpm": "0.50"}], "plugins": [\(plugins)]}
                """))
    }

    private func round(_ message: String, latency: Int = 40) throws -> (AuctionPlan.Round, AuctionResult) {
        let content = EndpointAnswer.Content.document(try JSONReader.read(message))
        let answer = EndpointAnswer(bidder: "Python", latency: .milliseconds(latency), content: content)
        let round = try plan().round(id: "a", answers: [], plugins: [answer])
        return (round, round.auction.held())
    }

    @Test func aPluginsPriceCompetes() throws {
        let (round, result) = try round(
            #"{"bid": {"winningCreativeID": "c1", "price": "0.70", "currency": "USD", "markup": "<b>x</b>", "latencyMs": 9000, "consumed": true}}"#
        )
        #expect(result.winningCandidate?.who == "Python" && result.winningCandidate?.id == "c1")
        #expect(result.winningCandidate?.latency == .milliseconds(40))
        #expect(result.cpm?.text == "0.7" && result.markup == "<b>x</b>")
        let outcome = round.outcome(ofPlugin: 0, in: result)
        #expect(outcome.ending == .won && outcome.reason.contains("highest"))
        #expect(
            outcome.calls == [
                .primarySDKLostBidCompetition, .bidderWinningAdMarkup, .primarySDKDisplayedBidderAd,
                .primarySDKClickedBidderAd,
            ])
    }

    @Test func aPluginsKeywordCompetesThroughItsLineItem() throws {
        var plan = try plan()
        plan.auction.lineItems = try LineItem.list(
            [["id": "proxy", "cpm": "0.90", "priority": "ecpm", "keywords": ["py=p7"]]], currency: nil)
        let bid = try JSONReader.read(
            #"{"bid": {"competitionType": "keyword", "keyword": "py=p7", "renderingType": "mediation"}}"#)
        let answer = EndpointAnswer(bidder: "Python", latency: .zero, content: .document(bid))
        let result = plan.round(id: "a", answers: [], plugins: [answer]).auction.held()
        #expect(result.winningCandidate?.via == "proxy" && result.cpm?.text == "0.9")
        #expect(result.callbacks.map(\.call) == [.primarySDKLostBidCompetition, .loadBidderBanner])
    }

    @Test(arguments: [
        (#"{"bid": null}"#, 0, "noBid"), (#"{}"#, 0, "noBid"),
        (#"{"bid": null, "nbr": 8, "reason": "who is it"}"#, 8, "nbr8: who is it"),
        (#"{"nbr": 9}"#, 9, "nbr9: daily user cap met"), (#"{"nbr": 103}"#, 0, "noBid"),
        (#"{"bid": 7}"#, 102, "malformedResponse: bid: expected an object, not number"),
        (
            #"{"bid": {"competitionType": "charm"}}"#, 102,
            "malformedResponse: bid.competitionType: \"charm\" is not one of price, keyword"
        ),
    ])
    func whatIsNoBidSaysWhy(message: String, status: Int, why: String) throws {
        let (round, result) = try round(message)
        #expect(result.nonBids.map(\.seat) == ["Python"] && result.nonBids.first?.status == status)
        #expect(result.nonBids.first?.why == why)
        #expect(result.winningCandidate?.id == "li")
        #expect(round.outcome(ofPlugin: 0, in: result).ending == .noBid)
    }

    @Test(arguments: [
        (#"{"bid": {"price": "1e999999", "currency": "USD"}}"#, LostReason.incompleteAdapter),
        (#"{"bid": {"price": -3, "currency": "USD"}}"#, .nonPositivePrice),
        (#"{"bid": {"price": 3}}"#, .incompleteAdapter),
        (#"{"bid": {"price": 3, "currency": "XXX"}}"#, .currencyUnconvertible),
        (#"{"bid": {"price": "0.40", "currency": "USD", "markup": "x"}}"#, .lostToHigherBid),
    ])
    func absurdBidsLose(message: String, reason: LostReason) throws {
        let (round, result) = try round(message)
        #expect(result.losers.map(\.reason) == [reason], "\(result.losers)")
        let outcome = round.outcome(ofPlugin: 0, in: result)
        #expect(outcome.ending == .lost && outcome.reason.hasPrefix(reason.rawValue) && outcome.calls.isEmpty)
    }

    @Test func lateIsATimeoutUnread() throws {
        let (_, result) = try round(#"{"bid": {"price": 9, "currency": "USD"}}"#, latency: 301)
        #expect(result.nonBids.map(\.why) == ["timeout: 301 ms > 300"])
    }

    @Test func whatHappenedToTheProcessIsTheReason() throws {
        let died = EndpointAnswer(
            bidder: "Python", latency: .zero, content: .unreachable("the plugin ended with status 3"))
        let result = try plan().round(id: "a", answers: [], plugins: [died]).auction.held()
        #expect(result.nonBids.map(\.why) == ["unreachable: the plugin ended with status 3"])
        #expect(try plan().round(id: "a", answers: []).auction.held().nonBids.map(\.why) == ["timeout: no answer"])
        #expect(try plan().unasked.auction.held().nonBids.map(\.reason) == ["notAsked"])
    }

    @Test(arguments: [
        (#"{"name": "x"}"#, "plugins[0].plugin"), (#"{"plugin": "a"}, {"plugin": "a"}"#, "plugins[1].plugin"),
    ])
    func everyPluginBidsOnce(plugins: String, path: String) throws {
        #expect { try plan(plugins) } throws: { ($0 as? AuctionProblem)?.path == path }
    }
}
