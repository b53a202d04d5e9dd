import Bidding
import Ports
import Testing

@Suite struct PrebidAnswerTests {
    /// Two bidders for one imp; keys without a bidder's name mark the winner.
    private static let text = """
        {"id": "req-1", "cur": "USD", "seatbid": [
          {"seat": "kestrel", "bid": [{"id": "k1", "impid": "1", "price": 0.9, "crid": "c", "adm": "k",
            "ext": {"prebid": {"type": "banner", "targeting": {"hb_pb_kestrel": "0.90", "hb_size": "300x250"}}}}]},
          {"seat": "osprey", "bid": [{"id": "o1", "impid": "1", "price": 1.234, "crid": "c", "exp": 120,
            "adm": "<b>${AUCTION_PRICE}</b>", "nurl": "https://o.example/w?p=${AUCTION_PRICE}", "burl": "https://o.example/b",
            "ext": {"prebid": {"type": "banner", "events": {"win": "https://pbs.example/win", "imp": "https://pbs.example/imp"},
              "targeting": {"hb_pb_osprey": "1.20", "hb_pb": "1.20", "hb_bidder": "osprey", "hb_size": "320x50",
               "hb_cache_id": "id-1", "hb_uuid": "id-2", "hb_cache_host": "far.example", "hb_cache_path": "/c"}}}}]}],
         "ext": {"errors": {"wren": [{"code": 5, "message": "no placement"}]}, "warnings": {"general": [{"code": 10, "message": "w"}]},
          "responsetimemillis": {"osprey": 40, "kestrel": 31},
          "prebid": {"seatnonbid": [{"seat": "plover", "nonbid": [{"impid": "1", "statuscode": 301}]}]}}}
        """

    private func answer(_ text: String = Self.text, requiresCacheID: Bool = false) throws -> PrebidAnswer {
        try #require(PrebidAnswer(try JSONReader.read(text), requiresCacheID: requiresCacheID))
    }

    @Test func theMarkedBidWinsAndItsKeysComeLast() throws {
        let imp = try #require(try answer().imps.first)
        #expect(imp.winningBid?.bid.id == "o1" && imp.markup == "<b>1.234</b>")
        #expect(imp.targeting.first { $0.name == "hb_size" }?.value == "320x50")
        #expect(imp.targeting.map(\.name).contains("hb_pb_kestrel"))
        #expect(imp.onWin == ["https://pbs.example/win", "https://o.example/w?p=1.234"])
        #expect(imp.onDisplay == ["https://pbs.example/imp", "https://o.example/b"])
    }

    /// A server may be configured to use another prefix for its keys.
    @Test func theKeysMayHaveAnotherPrefix() throws {
        let json = try JSONReader.read(Self.text.replacing("\"hb_", with: "\"zz_"))
        #expect(try #require(PrebidAnswer(json, requiresCacheID: false)).imps.first?.winner == nil)
        let answer = try #require(PrebidAnswer(json, requiresCacheID: true, prefix: "zz"))
        let imp = try #require(answer.imps.first)
        #expect(imp.winningBid?.bid.id == "o1" && imp.fallbackURL == "https://far.example/c?uuid=id-1")
        #expect(imp.warmCandidates(auction: "req-1").map(\.id) == ["id-1", "id-2"])
        var source = PrebidSource(name: "Prebid")
        source.prefix = "zz"
        let adapter = try #require(source.adapter(of: answer, impID: "1", latency: .zero))
        #expect(adapter.keyword == "zz_pb=1.20;zz_bidder=osprey;zz_size=320x50")
        // A key that is cut to 20 characters.
        let long = try JSONReader.read(
            Self.text.replacing("\"hb_", with: "\"longprefix_").replacing(
                "longprefix_cache_host", with: "longprefix_cache_hos"))
        #expect(
            PrebidAnswer(long, requiresCacheID: false, prefix: "longprefix")?.imps.first?.fallbackURL
                == "https://far.example/c?uuid=id-1")
    }

    @Test func thePrefixIsPartOfTheRequest() throws {
        var options = BidRequest.PrebidOptions()
        options.prefix = "zz"
        var request = BidRequest(
            id: "a", placement: Placement(id: "p", sizes: [AdSize(1, 1)]), userAgent: "u", version: "1")
        request.prebid = options
        #expect(request.json["ext"]?["prebid"]?["targeting"]?["prefix"] == "zz")
        request.prebid = BidRequest.PrebidOptions()
        #expect(request.json["ext"]?["prebid"]?["targeting"]?["prefix"] == nil)
    }

    @Test(arguments: [
        ("zz", true), ("my_key-1", true), ("", false), ("elevenchars", false), ("a b", false), ("\u{E9}", false),
    ])
    func aPrefixIsShortAndPlain(_ text: String, _ isPrefix: Bool) {
        #expect(TargetingOptions.isPrefix(text) == isPrefix)
    }

    @Test func theServerSaysWhoDidNotBid() throws {
        let answer = try answer()
        let error = try #require(answer.errors.first)
        #expect(error.bidder == "wren" && error.code == 5 && error.message == "no placement")
        #expect(answer.warnings.map(\.code) == [10])
        #expect(answer.responseTimes.map(\.bidder) == ["kestrel", "osprey"])
        #expect(answer.nonBids.map(\.reason) == ["below floor"] && answer.nonBids.first?.seat == "plover")
    }

    @Test func creativesAreKeptUnderBothIds() throws {
        let imp = try #require(try answer().imps.first)
        let warm = imp.warmCandidates(auction: "req-1")
        #expect(warm.map(\.id) == ["id-1", "id-2"])
        #expect(warm.allSatisfy { $0.bidder == "osprey" && $0.bidID == "o1" && $0.entry?.timeToLive == 120 })
        // The remote cache has another document under each.
        #expect(warm.map(\.remote) == ["https://far.example/c?uuid=id-1", "https://far.example/c?uuid=id-2"])
    }

    /// Prebid Server in Java states the place of the VAST document, too.
    @Test func theAddressOfTheVASTDocumentIsItsOwn() throws {
        func remotes(_ cache: String, keys: String = "") throws -> [String?] {
            let text = Self.text.replacing("\"events\"", with: "\"cache\": \(cache), \"events\"")
                .replacing("\"hb_cache_host\"", with: "\"\(keys)hb_cache_host\"")
            return try answer(text).imps.first?.warmCandidates(auction: "r").map(\.remote) ?? []
        }
        let bids = "\"bids\": {\"cacheId\": \"id-1\", \"url\": \"https://b.example/1\"}"
        let both = "{\(bids), \"vastXml\": {\"cacheId\": \"id-2\", \"url\": \"https://b.example/2\"}}"
        #expect(try remotes(both) == ["https://b.example/1", "https://b.example/2"])
        #expect(try remotes("{\(bids)}") == ["https://b.example/1", "https://far.example/c?uuid=id-2"])
        // The bid contains the document, so its address serves when no other is known.
        #expect(try remotes("{\(bids)}", keys: "x_") == ["https://b.example/1", "https://b.example/1"])
    }

    @Test func theServersOwnAddressOfTheCacheCounts() throws {
        func fallback(_ cache: String) throws -> String? {
            let text = Self.text.replacing("\"events\"", with: "\"cache\": {\"bids\": \(cache)}, \"events\"")
            return try answer(text).imps.first?.fallbackURL
        }
        #expect(
            try fallback("{\"cacheId\": \"id-1\", \"url\": \"http://127.0.0.1:8/c?uuid=id-1\"}")
                == "http://127.0.0.1:8/c?uuid=id-1")
        // An address for another id is not used for this one.
        #expect(
            try fallback("{\"cacheId\": \"id-9\", \"url\": \"http://127.0.0.1:8/c?uuid=id-9\"}")
                == "https://far.example/c?uuid=id-1")
    }

    /// Under one id the remote cache has the bid, under the other its VAST document: each is fetched from its own address.
    @Test func withoutMarkupOnlyTheRemoteCacheIsLeft() throws {
        let text = Self.text.replacing("\"adm\": \"<b>${AUCTION_PRICE}</b>\",", with: "")
        let imp = try #require(try answer(text).imps.first)
        #expect(imp.entries.isEmpty)
        let warm = imp.warmCandidates(auction: "req-1")
        #expect(warm.map(\.id) == ["id-1", "id-2"] && warm.allSatisfy { $0.entry == nil })
        #expect(warm.map(\.remote) == ["https://far.example/c?uuid=id-1", "https://far.example/c?uuid=id-2"])
        #expect(warm.allSatisfy { $0.type == "banner" && $0.timeToLive == 120 && $0.bidID == "o1" })
    }

    @Test func aWinnerMayHaveOnlyAVASTDocument() throws {
        let text = Self.text.replacing("\"adm\": \"<b>${AUCTION_PRICE}</b>\",", with: "")
            .replacing("\"hb_cache_id\": \"id-1\", ", with: "")
        let imp = try #require(try answer(text).imps.first)
        #expect(imp.warmCandidates(auction: "r").map(\.remote) == ["https://far.example/c?uuid=id-2"])
        #expect(imp.fallbackURL == "https://far.example/c?uuid=id-2" && imp.warmProblem == nil)
        let nowhere = text.replacing("hb_cache_host", with: "x")
        #expect(
            try answer(nowhere).imps.first?.warmProblem == "the winner has neither markup nor a remote cache URL")
        let unnamed = Self.text.replacing("hb_cache_id", with: "x").replacing("hb_uuid", with: "y")
        #expect(try answer(unnamed).imps.first?.warmProblem == "the winner has no cache id")
    }

    @Test func aBidThatMustBeCachedAndIsNotCannotWin() throws {
        let text = Self.text.replacing("\"hb_cache_id\": \"id-1\", ", with: "")
        #expect(try answer(text).imps.first?.winner != nil)
        let strict = try #require(try answer(text, requiresCacheID: true).imps.first)
        #expect(strict.winner == nil && strict.warmCandidates(auction: "r").isEmpty && strict.onWin.isEmpty)
    }

    @Test(arguments: ["[]", "7", "\"x\"", "null"])
    func whatIsNoObjectIsNoAnswer(_ text: String) throws {
        #expect(PrebidAnswer(try JSONReader.read(text), requiresCacheID: false) == nil)
    }

    @Test func differencesFromTheExactBucketAreShown() throws {
        let bid = try #require(try answer().imps.first?.winningBid)
        #expect(bid.bucketDifference(try PriceGranularity("medium")) == nil)
        let difference = try #require(bid.bucketDifference(try PriceGranularity("high")))
        #expect(difference.sent == "1.20" && difference.exact == "1.23")
    }
}
