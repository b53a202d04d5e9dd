import Bidding
import Ports
import Testing

/// The answer to a win notice as the markup of a bid without one (BID-20).
@Suite struct MarkupCheckTests {
    private func exchange(_ body: String, status: Int = 200, isCut: Bool = false) -> HTTPExchange {
        HTTPExchange(
            hops: [.init(url: "https://a.example/w", status: status, fields: [])], body: Array(body.utf8),
            isBodyCut: isCut)
    }

    private func result(_ members: [String: JSONValue] = [:], isSecure: Bool = false) -> AuctionResult {
        var auction = AuctionSamples.auction()
        auction.placement.isSecure = isSecure
        auction.events = [.display]
        auction.answers = [
            AuctionSamples.answer("a", price: 1, members: members.merging(["adm": nil]) { $1 })
        ]
        return auction.held()
    }

    @Test func theMacrosOfTheMarkupAreFilled() throws {
        var result = result()
        let answer = try #require(result.awaited).judge(exchange("<b>${AUCTION_PRICE}</b>"))
        #expect(answer == .usable("<b>1</b>"))
        result.take(answer)
        #expect(result.markup == "<b>1</b>" && result.awaited == nil && result.finalState == .impressed)
    }

    @Test(arguments: [
        ("", 200, false, LostReason.missingMarkup), ("<b/>", 404, false, .missingMarkup),
        ("<b/>", 200, true, .missingMarkup), ("<VAST/>", 200, false, .formatMismatch),
        ("<img src='http://a.example/i'>", 200, false, .insecureMarkup),
    ])
    func whatDoesNotFitIsNotShown(_ body: String, _ status: Int, _ isCut: Bool, _ reason: LostReason) throws {
        var result = result(["mtype": nil], isSecure: true)
        let answer = try #require(result.awaited).judge(exchange(body, status: status, isCut: isCut))
        guard case .unusable(reason, found: _) = answer else {
            Issue.record("\(answer)")
            return
        }
        result.take(answer)
        #expect(result.markup == nil && result.failure == .internalError && result.finalState == .failed)
        #expect(result.warnings == ["\(reason.rawValue):seat-a bid-a"])
        #expect(result.winningCandidate?.notes.last?.text.hasPrefix("win notice: \(reason.words): ") == true)
        #expect(result.json["steps"]?.arrayValue?.last?["atMs"] == .null)
    }

    /// The limit of the answer is where it is cut, so a body of that length may have a rest.
    @Test func aBodyAsLongAsTheLimitCountsAsCut() throws {
        let awaited = try #require(result().awaited)
        let longest = String(repeating: "x", count: Limits.beaconAnswerBytes - 1)
        #expect(awaited.judge(exchange(longest)) == .usable(longest))
        #expect(awaited.judge(exchange(longest + "x")).problem == "no markup: cut at 65536 bytes")
    }

    /// `mtype` decides before the beginning of the markup does, as for markup in the bid.
    @Test func theTypeOfTheBidDecidesItsFormat() throws {
        #expect(try #require(result(["mtype": 1]).awaited).judge(exchange("<VAST/>")) == .usable("<VAST/>"))
    }

    @Test func aBidWithMarkupAwaitsNone() {
        var auction = AuctionSamples.auction()
        auction.answers = [AuctionSamples.answer("a", price: 1)]
        var result = auction.held()
        #expect(result.awaited == nil)
        result.take(.unusable(.missingMarkup, found: "status 404"))
        #expect(result.markup == "<div></div>" && result.failure == nil)
    }
}
