import Foundation
import Ports
import TestSupport
import Testing

/// `adtop auction` and `adtop lineitems` on the command line (BID-21).
@Suite struct BiddingVerbTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let auction = """
        {"auctionId": "a", "placement": {"id": "home", "sizes": [[320, 50]], "floor": {"cpm": "0.50"}},
         "lineItems": [{"id": "li-1", "cpm": "1.20"}],
         "rtb": [{"bidder": "low", "latencyMs": 10, "response": {"id": "a", "seatbid": [{"bid": [
           {"id": "b\\u001b[31m", "impid": "1", "price": 0.4, "crid": "c", "adm": "x"}]}]}}],
         "adapters": [{"adapterName": "Kestrel", "winningCreativeID": "k", "price": "1.20", "currency": "USD", \
         "markup": "<b>"}],
         "events": ["display", "click"]}
        """

    @Test func anAuctionFromStandardInputGivesItsReasons() async throws {
        let run = try await AdtopProcess.run(["auction", "run", "-"], input: Self.auction)
        #expect(run.status == 0, "\(run.errors)")
        for words in [
            "tie with li-1, the bidder is preferred", "lost 100", "floor 0.5 USD", "won  bidder Kestrel k  1.2 USD",
            "primarySDKLostBidCompetition > bidderWinningAdMarkup > primarySDKDisplayedBidderAd > primarySDKClickedBidderAd",
        ] { #expect(run.output.contains(words), "\(words) in \(run.output)") }
        #expect(!run.output.contains("\u{1B}"))
        let json = try await AdtopProcess.run(["auction", "run", "-", "--json"], input: Self.auction).json()
        let result = try #require(json["auctions"]?.arrayValue?.first)
        #expect(json["schema"] == "adtop-auctions/1" && result["schema"] == "adtop-auction/1")
        #expect(result["winner"]?["cpm"] == "1.2" && result["winner"]?["source"] == "bidder")
        #expect(result["losers"]?.arrayValue?.count == 2 && result["finalState"] == "clicked")
    }

    @Test(arguments: [
        (["auction", "run", "-"], "{", 4, "-:1:2: not JSON"),
        (["auction", "run", "-"], "[]", 4, "expected an object"),
        (["auction", "run", "-"], "{}", 4, "placement: missing"),
        (["auction", "run", "-"], #"{"cases": []}"#, 4, "no auction in cases[]"),
        (["auction", "run", "-"], #"{"placement": {"id": "p", "floor": {"cpm": "1e400"}}}"#, 4, "placement.floor.cpm"),
        (["auction", "run"], "", 2, "<file>: missing; give it, or see adtop auction run --help"),
        (["auction", "run", "/nonexistent"], "", 4, "/nonexistent: no such file; check the name"),
        (["auction", "bucket", "abc"], "", 2, "abc"),
        (["auction", "bucket", "1", "--granularity", "fine"], "", 2, "fine"),
        (["auction", "targeting", "-"], "<html>", 4, "-:1:1: not JSON"),
        (["auction", "bid"], "", 2, "give one of --pbs, --openrtb and --replay"),
        (["auction", "bid", "--pbs", "http://127.0.0.1:9/x", "--stored-request", "s", "--live"], "", 3, "refused"),
        (["lineitems", "check", "-"], "[]", 4, "-"), (["lineitems", "check", "-", "--max", "abc"], "{}", 2, "--max"),
    ])
    func whatIsWrongIsOneLineAndAnExitCode(
        _ arguments: [String], _ input: String, _ status: Int, _ message: String
    ) async throws {
        let run = try await AdtopProcess.run(arguments, input: input)
        #expect(Int(run.status) == status && run.errors.contains(message), "\(run.errors)")
        #expect(run.errors.hasPrefix("adtop: ") && run.errors.split(separator: "\n").count == 1)
    }

    /// Keys to which a server gives another prefix are understood with it, and not without.
    @Test func theKeysMayHaveAnotherPrefix() async throws {
        let answer = #"""
            {"id": "a", "seatbid": [{"seat": "osprey", "bid": [{"id": "b", "impid": "1", "price": 1.29, "ext": {"prebid":
             {"targeting": {"zz_pb": "1.50", "zz_bidder": "osprey", "zz_size": "320x50"}}}}]}]}
            """#
        let run = try await AdtopProcess.run(["auction", "targeting", "-", "--targeting-prefix", "zz"], input: answer)
        #expect(run.status == 0, "\(run.errors)")
        let keys = "imp 1\n  zz_pb=1.50\n  zz_bidder=osprey\n  zz_size=320x50\n"
        #expect(run.output == keys + "  ! osprey b: bucket 1.50 sent, exact bucket 1.20\n")
        let without = try await AdtopProcess.run(["auction", "targeting", "-"], input: answer)
        #expect(without.status == 0 && without.output == keys, "\(without.output)")
        let empty = try await AdtopProcess.run(["auction", "targeting", "-"], input: #"{"avails": []}"#)
        #expect(empty.status == 0 && empty.output == "no bids: the answer has no seatbid\n", "\(empty.output)")
        let wrong = try await AdtopProcess.run(
            ["auction", "targeting", "-", "--targeting-prefix", "z z"], input: answer)
        #expect(wrong.status == 2 && wrong.errors.contains("--targeting-prefix: 'z z'"), "\(wrong.errors)")
    }

    @Test func nobodyIsAskedUnlessItIsLive() async throws {
        let document = #"{"placement": {"id": "p"}, "rtb": [{"bidder": "b", "url": "http://127.0.0.1:9/x"}]}"#
        let quiet = try await AdtopProcess.run(["auction", "run", "-"], input: document)
        #expect(quiet.status == 1 && quiet.output.contains("notAsked") && quiet.output.contains("no fill"))
        let live = try await AdtopProcess.run(["auction", "run", "-", "--live", "--no-warm"], input: document)
        #expect(live.status == 3 && live.output.contains("no bid 103"))
    }

    @Test func bucketsAreExactAndSayWhatOthersMakeOfThem() async throws {
        let run = try await AdtopProcess.run(["auction", "bucket", "0.30", "1.87", "--json"])
        let buckets = try #require(try run.json()["buckets"]?.arrayValue)
        #expect(buckets.map { $0["bucket"] } == ["0.30", "1.80"])
        #expect(buckets.map { $0["prebidServerGo"] } == ["0.20", "1.80"])
    }

    @Test(arguments: [
        ("0.10", "", 0, "1 line item, 1 of 1 prices covered"),
        ("0.20", "", 1, "error bucket-without-line-item: no line item targets hb_pb=0.20"),
        (
            "0.20", #", {"id": "b", "priority": "ecpm", "cpm": "0.25", "keywords": ["hb_pb=0.20"]}"#, 1,
            "CPM is 0.25 for hb_pb=0.20"
        ),
        ("0.10", #", {"id": "b", "priority": "ecpm", "keywords": ["hb_pb=0.10"]}"#, 1, "but has no CPM"),
        ("0.10", #", {"id": "b", "priority": "house", "keywords": ["hb_pb=0.10"]}"#, 1, "has priority house"),
        (
            "0.10", #", {"id": "b", "priority": "ecpm", "cpm": "0.10", "keywords": ["hb_pb=0.10"]}"#, 0,
            "is already targeted by a"
        ),
        (
            "0.50", #", {"id": "b", "priority": "ecpm", "cpm": "0.33", "keywords": ["hb_pb=0.33"]}"#, 1,
            "hb_pb=0.33 is not a value of the granularity"
        ),
    ])
    func everyFaultOfASetUpHasItsFinding(_ most: String, _ more: String, _ status: Int, _ words: String) async throws {
        let file = """
            {"schema": "adtop/lineitems/1", "currency": "USD", "lineItems": [
             {"id": "a", "priority": "ecpm", "cpm": "0.10", "keywords": ["hb_pb=0.10"]}\(more)]}
            """
        let run = try await AdtopProcess.run(["lineitems", "check", "-", "--max", most], input: file)
        #expect(Int(run.status) == status && run.output.contains(words), "\(run.output)\(run.errors)")
    }
}
