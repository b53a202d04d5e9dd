import Bidding
import Ports
import Testing

@Suite struct PrebidSourceTests {
    private func answer(_ targeting: String, price: String = "1.25") throws -> PrebidAnswer {
        let text = """
            {"id": "r", "cur": "EUR", "seatbid": [{"seat": "osprey", "bid": [{"id": "o1", "impid": "1", "price": \(price),
             "crid": "c", "adm": "x", "dealid": "d-1", "nurl": "https://o.example/w", "burl": "https://o.example/b",
             "ext": {"prebid": {"targeting": {\(targeting)}}}}]}]}
            """
        return try #require(PrebidAnswer(try JSONReader.read(text), requiresCacheID: false))
    }

    private static let keys = """
        "hb_pb": "1.20", "hb_bidder": "osprey", "hb_size": "320x50", "hb_cache_id": "far-from-the-ad-server"
        """

    @Test func keywordsAreTheKeysThatLineItemsTarget() throws {
        let adapter = try #require(
            PrebidSource(name: "Prebid").adapter(of: try answer(Self.keys), impID: "1", latency: .milliseconds(40)))
        #expect(adapter.competition == .keyword && adapter.rendering == .primarySDK)
        #expect(adapter.keyword == "hb_pb=1.20;hb_bidder=osprey;hb_size=320x50")
        // The price is the bucket as sent, never one computed here.
        #expect(adapter.pricePoints == ["hb_pb=1.20;hb_bidder=osprey;hb_size=320x50": ExactDecimal("1.20")])
        #expect(adapter.currency == "EUR" && adapter.price == nil && adapter.winningSSPName == "osprey")
        #expect(adapter.winURLs == ["https://o.example/w"] && adapter.displayURLs == ["https://o.example/b"])
        #expect(adapter.dealID == "d-1" && adapter.markup == "x" && adapter.latency == .milliseconds(40))
    }

    @Test func aPriceIsTheBidsOwn() throws {
        var source = PrebidSource(name: "Prebid")
        source.competition = .price
        let adapter = try #require(source.adapter(of: try answer(Self.keys), impID: "1", latency: .zero))
        #expect(adapter.price == ExactDecimal("1.25") && adapter.keyword == nil && adapter.pricePoints.isEmpty)
    }

    @Test func nothingIsMadeOfAnAnswerWithoutAWinner() throws {
        let source = PrebidSource(name: "Prebid")
        #expect(source.adapter(of: try answer("\"hb_pb_osprey\": \"1.20\""), impID: "1", latency: .zero) == nil)
        #expect(source.adapter(of: try answer(Self.keys), impID: "2", latency: .zero) == nil)
    }

    /// A creative lives as long as the shorter of imp and bid; either alone is the bound (OpenRTB 2.6 section 3.2.4).
    @Test(
        arguments: [
            (60, 120, 60), (120, 60, 60), (60, nil, 60), (nil, 120, 120), (nil, nil, nil),
        ] as [(Int?, Int?, Int?)])
    func aCreativeLivesAsLongAsImpAndBidAllow(_ ofImp: Int?, _ ofBid: Int?, _ expected: Int?) throws {
        for markup in ["\"adm\": \"x\",", ""] {
            let document = """
                {"auctionId": "r", "placement": {"id": "p", "sizes": [[320, 50]], "expS": \(ofImp.map(String.init) ?? "null")},
                 "prebid": [{"name": "Prebid", "response": {"id": "r", "seatbid": [{"seat": "osprey",
                  "bid": [{"id": "o1", "impid": "1", "price": 2, "crid": "c", \(markup) "exp": \(ofBid.map(String.init) ?? "null"),
                   "ext": {"prebid": {"targeting": {"hb_pb": "2.00", "hb_bidder": "osprey", "hb_cache_id": "id-1",
                    "hb_cache_host": "c.example", "hb_cache_path": "/c"}}}}]}]}}]}
                """
            let round = try AuctionPlan(try JSONReader.read(document)).unasked
            let candidate = try #require(round.warmCandidates(for: round.auction.held()).first)
            #expect(candidate.timeToLive == expected && (candidate.entry == nil) == markup.isEmpty)
            if let entry = candidate.entry { #expect(entry.timeToLive == expected) }
        }
    }

    @Test func recordedAnswersAreWarmedLikeLiveOnes() throws {
        let document = """
            {"auctionId": "r", "placement": {"id": "p", "sizes": [[320, 50]]},
             "prebid": [{"name": "Prebid", "competitionType": "price", "response": {"id": "r", "seatbid": [{"seat": "osprey",
              "bid": [{"id": "o1", "impid": "1", "price": 2, "crid": "c", "adm": "x",
               "ext": {"prebid": {"targeting": {"hb_pb": "2.00", "hb_bidder": "osprey", "hb_cache_id": "id-1"}}}}]}]}}]}
            """
        let round = try AuctionPlan(try JSONReader.read(document)).unasked
        let result = round.auction.held()
        #expect(result.winningCandidate?.id == "o1")
        #expect(round.warmCandidates(for: result).map(\.id) == ["id-1"])
        #expect(round.warmCandidates(for: result).allSatisfy(result.shows))
    }
}
