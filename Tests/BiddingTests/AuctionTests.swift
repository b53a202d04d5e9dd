import Bidding
import Ports
import Testing

@Suite struct AuctionTests {
    private func reasons(_ result: AuctionResult) -> [String: LostReason] {
        Dictionary(uniqueKeysWithValues: result.losers.map { ($0.candidate.id, $0.reason) })
    }

    /// The imp of a rewarded slot offers video only, so a banner does not fit, whatever its price.
    @Test func aBannerNeverWinsARewardedSlot() throws {
        var auction = AuctionSamples.auction()
        auction.placement.format = .rewarded
        auction.answers = [
            AuctionSamples.answer("banner", price: 50),
            AuctionSamples.answer("video", price: 1, members: ["mtype": 2, "adm": "<VAST version='4.2'/>"]),
        ]
        let result = auction.held()
        #expect(result.json["winner"]?["id"] == "bid-video")
        #expect(result.json["losers"]?.arrayValue?.first { $0["id"] == "bid-banner" }?["lossCode"] == 204)
    }

    @Test func aSingleBidPaysTheFloorInASecondPriceAuction() throws {
        var auction = AuctionSamples.auction()
        auction.rules.auctionType = 2
        auction.answers = [AuctionSamples.answer("a", price: 2)]
        #expect(auction.held().cpm?.text == "0.01")
        auction.placement.floor = FloorGuide(floor: try AuctionSamples.amount("0.85"))
        let result = auction.held()
        #expect(result.cpm?.text == "0.85")
        #expect(result.notices.map(\.url) == ["https://a.example/w?p=0.85&m=0.85"])
    }

    /// 0 is the default of `bidfloor`, so a page that writes it has the same auction as one that does not.
    @Test func aFloorOfZeroIsNone() {
        var auction = AuctionSamples.auction()
        auction.rules.auctionType = 2
        auction.placement.floor = FloorGuide(floor: .zero)
        auction.answers = [AuctionSamples.answer("a", price: 2)]
        #expect(auction.held().cpm?.text == "0.01")
    }

    @Test func noPriceBelowTheFloorWins() throws {
        var auction = AuctionSamples.auction()
        auction.placement.floor = FloorGuide(floor: try AuctionSamples.amount("0.85"))
        auction.answers = [AuctionSamples.answer("a", price: 1)]
        auction.lineItems = [try AuctionSamples.lineItem("li", "0.10")]
        #expect(auction.held().notices.map(\.url) == ["https://a.example/w?p=1&m=0.85"])
        auction.lineItems = [try AuctionSamples.lineItem("li", "0.90")]
        #expect(auction.held().notices.map(\.url) == ["https://a.example/w?p=1&m=0.9"])
    }

    @Test func theStepOfASecondPriceNeverExceedsTheBid() throws {
        var auction = AuctionSamples.auction()
        auction.rules.auctionType = 2
        auction.answers = [AuctionSamples.answer("a", price: .double(1.005)), AuctionSamples.answer("b", price: 1)]
        #expect(auction.held().cpm?.text == "1.005")
    }

    @Test func anAgreedPriceIsTheFloorOfTheDeal() throws {
        var auction = AuctionSamples.auction()
        auction.placement.deals = [try #require(Deal(["id": "d", "at": 3, "bidfloor": .double(1.5)]))]
        auction.answers = [AuctionSamples.answer("a", price: 4, members: ["dealid": "d"])]
        #expect(auction.held().cpm?.text == "1.5")
    }

    @Test(arguments: [["id": "d", "at": 3], ["id": "d", "at": 3, "bidfloor": 0]] as [JSONValue])
    func theFloorOfThePlacementIsNoAgreedPrice(_ deal: JSONValue) throws {
        var auction = AuctionSamples.auction()
        auction.placement.floor = FloorGuide(floor: try AuctionSamples.amount("0.85"))
        auction.placement.deals = [try #require(Deal(deal))]
        auction.answers = [AuctionSamples.answer("a", price: 4, members: ["dealid": "d"])]
        #expect(auction.held().cpm?.text == "4")
    }

    @Test func theFloorOfADealIsInItsOwnCurrency() throws {
        var auction = AuctionSamples.auction()
        auction.rules.currency = "EUR"
        auction.rules.allowedCurrencies = ["EUR"]
        auction.rates = CurrencyTable(conversions: ["USD": ["EUR": .double(0.5)]])
        auction.placement.deals = [try #require(Deal(["id": "d", "bidfloor": 4]))]
        auction.answers = [
            AuctionSamples.answer("a", price: .double(1.99), currency: "EUR", members: ["dealid": "d"]),
            AuctionSamples.answer("b", price: 2, currency: "EUR", members: ["dealid": "d"]),
        ]
        let result = auction.held()
        #expect(reasons(result) == ["bid-a": .belowDealFloor])
        #expect(result.winningCandidate?.id == "bid-b")
    }

    @Test func aFloorThatCannotBeConvertedSellsNothing() throws {
        var auction = AuctionSamples.auction()
        auction.placement.floor = FloorGuide(floor: try AuctionSamples.amount("1"), currency: "SEK")
        auction.answers = [AuctionSamples.answer("a", price: 9)]
        auction.adapters = [try AuctionSamples.adapter("k", "9")]
        let result = auction.held()
        #expect(reasons(result) == ["bid-a": .floorUnconvertible, "cr-k": .floorUnconvertible])
        #expect(result.failure == .noFill && result.winner == nil)
    }

    @Test(arguments: [
        (AdFormat.banner, "<VAST version='4.2'/>"), (.banner, "\u{FEFF}<?xml version='1.0'?> <!-- a --><VAST/>"),
        (.video, "<div/>"), (.native, "<div/>"), (.banner, #"{"assets":[]}"#), (.banner, "<v:VAST xmlns:v='x'/>"),
    ])
    func theMarkupOfABidWithoutTypeMustFitTheFormat(format: AdFormat, markup: String) {
        var auction = Auction(id: "a", placement: Placement(id: "mid", format: format))
        auction.answers = [
            AuctionSamples.answer("a", price: 5, members: ["mtype": .null, "adm": .string(markup)]),
            AuctionSamples.answer("b", price: 1, members: ["mtype": .null, "adm": "https://ad.example/1"]),
        ]
        let result = auction.held()
        #expect(result.winningCandidate?.id == "bid-b")
        #expect(reasons(result) == ["bid-a": .formatMismatch])
    }

    @Test func openRTBWritesFlagsAsNumbers() throws {
        let placement: JSONValue = ["id": "a", "privateAuction": 1, "secure": 1]
        #expect(try Placement(placement).isPrivate && Placement(placement).isSecure)
        let open: JSONValue = ["id": "a", "privateAuction": 0, "secure": 0]
        #expect(try !Placement(open, isSecure: true).isPrivate && !Placement(open, isSecure: true).isSecure)
        #expect(try BidderAdapter(["adapterName": "k", "consumed": 1], path: "adapters[0]").isConsumed)
    }

    @Test func durationFloorsComeBeforeTheFloor() throws {
        var auction = Auction(id: "a", placement: Placement(id: "mid", format: .video))
        auction.placement.floor = FloorGuide(floor: try AuctionSamples.amount("1"))
        auction.placement.floor.durationFloors = FloorGuide.durationFloors([
            ["mindur": 1, "maxdur": 15, "bidfloor": 5], ["mindur": 16, "bidfloor": 8],
        ])
        auction.answers = [
            AuctionSamples.answer("a", price: 5, members: ["mtype": 2, "dur": 15]),
            AuctionSamples.answer("b", price: 7, members: ["mtype": 2, "dur": 30]),
        ]
        let result = auction.held()
        #expect(result.winningCandidate?.id == "bid-a")
        #expect(reasons(result) == ["bid-b": .belowFloor])
    }

    @Test func aLineItemBeatsTheClearingPriceNotTheBid() throws {
        var auction = AuctionSamples.auction()
        auction.rules.auctionType = 2
        auction.answers = [AuctionSamples.answer("a", price: 3)]
        auction.lineItems = [try AuctionSamples.lineItem("li", "0.5")]
        let result = auction.held()
        #expect(result.winningCandidate?.id == "li")
        #expect(result.notices.map(\.url) == ["https://a.example/l?c=102&m=0.5"])
    }

    @Test func anOpenBidBelowADealLosesByItsPrice() throws {
        var auction = AuctionSamples.auction()
        auction.rules.prefersDeals = true
        auction.placement.deals = [try #require(Deal(["id": "d"]))]
        auction.answers = [
            AuctionSamples.answer("a", price: 2, members: ["dealid": "d"]), AuctionSamples.answer("b", price: 1),
            AuctionSamples.answer("c", price: 2),
        ]
        #expect(reasons(auction.held()) == ["bid-b": .lostToHigherBid, "bid-c": .lostToDeal])
    }

    @Test func aBidWithoutMarkupAsksForItWithItsWinNotice() {
        var auction = AuctionSamples.auction()
        auction.answers = [AuctionSamples.answer("a", price: 1, members: ["adm": nil])]
        let result = auction.held()
        #expect(result.markup == nil && result.finalState == .loaded)
        #expect(result.notices.map(\.kind) == [.win])
    }

    @Test func lineItemsOutsideTheirDatesDoNotRun() throws {
        var auction = AuctionSamples.auction()
        var item = try AuctionSamples.lineItem("li", "1")
        item.start = UnixTime(milliseconds: 1_000)
        item.end = UnixTime(milliseconds: 2_000)
        auction.lineItems = [item]
        for (milliseconds, wins) in [(999, false), (1_000, true), (1_999, true), (2_000, false)] {
            auction.now = UnixTime(milliseconds: Int64(milliseconds))
            #expect((auction.held().winner != nil) == wins, "\(milliseconds)")
        }
        auction.now = nil
        #expect(auction.held().winner != nil)
    }

    @Test func whatDoesNotServeSaysWhy() throws {
        var auction = AuctionSamples.auction()
        auction.placement.keywords = ["section=home"]
        var small = try AuctionSamples.lineItem("li-size", "9")
        small.sizes = [AdSize(300, 250)]
        auction.lineItems = [small, try AuctionSamples.lineItem("li-key", "9", keywords: ["section=sport"])]
        let result = auction.held()
        #expect(result.candidates.map(\.state) == [.notEligible, .notEligible])
        #expect(
            result.candidates.flatMap { $0.notes.map(\.text) } == [
                "no size fits", "targeting section=sport does not match",
            ])
        #expect(result.losers.isEmpty && result.failure == .noFill)
    }

    @Test func tiesSayWhoIsPreferred() throws {
        var auction = AuctionSamples.auction()
        auction.answers = [AuctionSamples.answer("a", price: 1, latency: 20), AuctionSamples.answer("b", price: 1)]
        auction.lineItems = [try AuctionSamples.lineItem("li", "1")]
        auction.adapters = [try AuctionSamples.adapter("k", "1")]
        let result = auction.held()
        #expect(result.winningCandidate?.notes.map(\.text).last == "tie with li, the bidder is preferred")
        #expect(
            result.candidates[0].notes.map(\.text).suffix(2) == [
                "k cr-k pays 1", "tie with seat-b bid-b, the earlier answer is preferred",
            ])
    }

    @Test func currenciesThatCannotBeConvertedAreNeverTakenAtPar() throws {
        var auction = AuctionSamples.auction()
        var item = try AuctionSamples.lineItem("li", "5")
        item.currency = "SEK"
        auction.lineItems = [item]
        let result = auction.held()
        #expect(result.warnings == ["lineItemCurrencyUnconvertible:li"])
        #expect(result.failure == .noFill)
    }

    @Test(arguments: [
        ("\"price\":1e400", LostReason.priceOutOfRange), ("\"price\":\"2\"", .missingPrice),
        ("\"price\":[]", .missingPrice),
        ("\"price\":-0.000001", .nonPositivePrice), ("\"price\":99999999999999999999", .priceOutOfRange),
        ("\"price\":5,\"cat\":7,\"attr\":{},\"adomain\":\"x\",\"w\":1e99,\"mtype\":\"1\"", nil),
    ])
    func absurdBidsAreRefusedOneByOne(members: String, reason: LostReason?) throws {
        var auction = AuctionSamples.auction()
        let text =
            "{\"id\":\"a\",\"seatbid\":[{\"bid\":[{\"id\":\"b\",\"impid\":\"1\",\"crid\":\"c\",\"adm\":\"x\",\(members)}]}]}"
        auction.answers = [EndpointAnswer(bidder: "d", latency: .zero, status: 200, body: Array(text.utf8))]
        let result = auction.held()
        #expect(result.losers.map(\.reason) == (reason.map { [$0] } ?? []))
        #expect((result.winner != nil) == (reason == nil))
    }

    @Test func anAnswerOfTooManyBidsIsCut() {
        var auction = AuctionSamples.auction()
        let bid: JSONValue = ["id": "b", "impid": "1", "crid": "c", "adm": "x", "price": 1]
        let bids = JSONValue.array(Array(repeating: bid, count: BidResponse.maximumBids + 5))
        auction.answers = [
            EndpointAnswer(
                bidder: "d", latency: .zero,
                content: .document(["id": "a", "seatbid": [["bid": bids], ["bid": bids]]]))
        ]
        let result = auction.held()
        #expect(result.candidates.count == BidResponse.maximumBids)
        #expect(result.warnings == ["tooManyBids:d"])
    }
}
