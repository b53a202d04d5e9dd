import AdTracking
import Bidding
import CreativeCache
import Ports
import Session
import TestSupport
import Testing

/// Creatives of auctions are put into the session's cache, and the waterfall shows the time to read them from there.
@Suite struct AuctionWarmingTests {
    private static let base = FakeOrigin.base
    private static let document = """
        {"auctionId": "a", "placement": {"id": "top", "sizes": [[320, 50]]},
         "prebid": [{"name": "Prebid", "url": "\(base)/pbs", "competitionType": "price"}]}
        """

    /// - Parameter markup: markup of the bid; nil means that the remote cache has it.
    private static func answer(to id: String, markup: String?) -> String {
        let member = markup.map { "\"adm\": \"\($0)\"," } ?? ""
        return """
            {"id": "\(id)", "seatbid": [{"seat": "osprey", "bid": [{"id": "b1", "impid": "1", "price": 1.5, "crid": "c", "exp": 120, \(member)
             "ext": {"prebid": {"type": "banner",
              "cache": {"bids": {"cacheId": "0a6f", "url": "\(base)/pbc?uuid=0a6f"}},
              "targeting": {"hb_pb": "1.50", "hb_bidder": "osprey", "hb_cache_id": "0a6f"}}}}]}]}
            """
    }

    /// - Parameter bid: id of the bid in the remote cache.
    private func session(
        markup: String?, cached: Int = 200, hasCache: Bool = true, bid: String = "b1"
    ) throws -> MonitorHarness {
        var origin = FakeOrigin()
        origin.override = { request, _, _ in
            let body: String
            switch request.url.path {
            case "/pbs":
                guard let id = (try? JSONReader.read(request.body))?["id"]?.stringValue else { return nil }
                body = Self.answer(to: id, markup: markup)
            case "/pbc": body = "{\"id\": \"\(bid)\", \"adm\": \"<i>${AUCTION_PRICE}</i>\"}"
            default: return nil
            }
            let status = request.url.path == "/pbc" ? cached : 200
            let hop = HTTPExchange.Hop(url: request.url.text, status: status, fields: [])
            return FakeOrigin.Reply(exchange: HTTPExchange(hops: [hop], body: Array(body.utf8)))
        }
        let auction = try AuctionSetup(try JSONReader.read(Self.document))
        return try MonitorHarness(origin) {
            $0.auction = auction
            $0.warmsCache = hasCache
        }
    }

    @Test func theWinnersCreativeIsKeptAndTheSeventhStepHasItsTime() throws {
        var session = try session(markup: "<b>${AUCTION_PRICE}</b>")
        session.start()
        session.run(for: .seconds(2))
        let view = try #require(session.snapshot().auction)
        let warm = try #require(view.warm.first)
        #expect(view.warm.count == 1 && warm.id == "0a6f" && warm.bidder == "osprey" && warm.state == .kept)
        #expect(warm.bytes == "<b>1.5</b>".utf8.count && warm.fallbackURL == "\(Self.base)/pbc?uuid=0a6f")
        #expect(warm.took == .microseconds(300))
        let steps = try #require(view.result?.steps)
        let creative = try #require(steps.first { $0.name == .creative }?.at)
        let cache = try #require(steps.first { $0.name == .cache })
        #expect(cache.at == creative + .microseconds(300) && cache.note == "local 0.30 ms")
        #expect(steps.last?.name == .shown && steps.last?.at == cache.at)
        let json = SnapshotJSON().value(of: session.snapshot())["auction"]?["warm"]?.arrayValue?.first
        #expect(json?["state"] == "kept" && json?["tookUs"] == 300)
    }

    @Test func aBidWithoutMarkupIsFetchedOnce() throws {
        var session = try session(markup: nil)
        session.start()
        session.run(for: .seconds(2))
        let warm = try #require(session.snapshot().auction?.warm.first)
        #expect(warm.state == .kept && warm.bytes == "<i>1.5</i>".utf8.count)
        #expect(session.requested.count { $0.hasSuffix("/pbc?uuid=0a6f") } == 1)
        session.submit(.beside(.auctionCommanded(.warm)))
        session.run(for: .seconds(2))
        #expect(session.requested.count { $0.hasSuffix("/pbc?uuid=0a6f") } == 2)
        #expect(session.snapshot().auction?.warm.first?.state == .kept)
    }

    @Test func aFailingRemoteCacheIsReported() throws {
        var session = try session(markup: nil, cached: 404)
        session.start()
        session.run(for: .seconds(2))
        let warm = try #require(session.snapshot().auction?.warm.first)
        #expect(warm.state == .failed && warm.problem?.hasPrefix("the remote cache: ") == true)
        #expect(session.snapshot().auction?.result?.steps.first { $0.name == .cache }?.at == nil)
    }

    @Test func anotherBidInTheRemoteCacheIsNotKept() throws {
        var session = try session(markup: nil, bid: "b2")
        session.start()
        session.run(for: .seconds(2))
        let warm = try #require(session.snapshot().auction?.warm.first)
        #expect(warm.state == .failed && warm.problem == "the remote cache has another bid under this id")
    }

    /// A creative lives no longer than its bid, wherever its markup comes from.
    @Test func aFetchedCreativeLivesAsLongAsItsBid() throws {
        let text = Self.answer(to: "a", markup: nil)
        let answer = try #require(PrebidAnswer(try JSONReader.read(text), requiresCacheID: false))
        var candidate = try #require(answer.imps.first?.warmCandidates(auction: "a").first)
        let body = Array(#"{"id": "b1", "adm": "x"}"#.utf8)
        #expect(try CreativeOrder(candidate, remote: body, contentType: nil).life == .seconds(120))
        candidate.timeToLive = 900
        #expect(try CreativeOrder(candidate, remote: body, contentType: nil).life == .seconds(300))
        candidate.timeToLive = nil
        #expect(try CreativeOrder(candidate, remote: body, contentType: nil).life == .seconds(300))
    }

    @Test func withoutACacheNothingIsAsked() throws {
        var session = try session(markup: nil, hasCache: false)
        session.start()
        session.submit(.beside(.auctionCommanded(.warm)))
        session.run(for: .seconds(2))
        #expect(session.snapshot().auction?.warm.map(\.state) == [.known])
        #expect(!session.requested.contains { $0.contains("/pbc") })
        #expect(session.log.contains("warning: no creative cache is running: use --cache"))
    }

    @Test func aRecordingKeepsWhatTheCacheDid() throws {
        var session = try session(markup: "x")
        session.start()
        session.run(for: .seconds(2))
        let recording = try session.recorded(.none)
        #expect(recording.configuration.warmsCache)
        let kept = Input.beside(.creativesKept(round: 1, [KeptCreative(id: "0a6f", took: .microseconds(300))]))
        #expect(recording.inputs.contains { $0.input == kept })
        var state = MonitorState(recording.configuration)
        for item in recording.inputs { _ = state.apply(item.input, at: item.at) }
        #expect(state.snapshot(at: session.now).auction == session.snapshot().auction)
        let failed = Input.beside(.creativesKept(round: 2, [KeptCreative(id: "x", problem: "too large")]))
        let line = RecordingFormat.line(RecordedInput(input: failed, at: session.now))
        #expect(try RecordingFormat.readLine(Array(line.utf8)).input == failed)
    }
}
