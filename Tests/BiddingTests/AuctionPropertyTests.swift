import Bidding
import Ports
import TestSupport
import Testing

/// The invariants of BID-27 on random auctions.
@Suite struct AuctionPropertyTests {
    private static let rounds = 400

    private func auction(_ random: inout SplitMix64) throws -> Auction {
        var auction = AuctionSamples.auction()
        auction.rules.auctionType = Int.random(in: 1...2, using: &random)
        auction.rules.prefersDeals = Bool.random(using: &random)
        auction.placement.deals = [try #require(Deal(["id": "d", "bidfloor": 1]))]
        if Bool.random(using: &random) {
            auction.placement.floor = FloorGuide(
                floor: try AuctionSamples.amount("0.\(Int.random(in: 10...99, using: &random))"))
        }
        for index in 0..<Int.random(in: 0...6, using: &random) {
            let price = Double(Int.random(in: -5...300, using: &random)) / 100
            let members: [String: JSONValue] = Bool.random(using: &random) ? ["dealid": "d"] : [:]
            auction.answers.append(
                AuctionSamples.answer(
                    "r\(index)", price: .double(price), latency: Int.random(in: 0...1_100, using: &random),
                    members: members))
        }
        for index in 0..<Int.random(in: 0...3, using: &random) {
            let adapter = try AuctionSamples.adapter(
                "k\(index)", "\(Int.random(in: 0...3, using: &random)).\(Int.random(in: 10...99, using: &random))",
                latency: Int.random(in: 0...1_100, using: &random))
            auction.adapters.append(adapter)
        }
        for index in 0..<Int.random(in: 0...3, using: &random) {
            let priority = try #require(LineItem.Priority.allCases.randomElement(using: &random))
            let cpm = "\(Int.random(in: 0...2, using: &random)).\(Int.random(in: 10...99, using: &random))"
            auction.lineItems.append(try AuctionSamples.lineItem("li\(index)", cpm, priority: priority))
        }
        return auction
    }

    private func forAuctions(_ seed: UInt64, _ check: (Auction, AuctionResult) throws -> Void) throws {
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<Self.rounds {
            let auction = try auction(&random)
            try check(auction, auction.held())
        }
    }

    @Test func everyCandidateWonOrLostAndOneWonAtMost() throws {
        try forAuctions(1) { auction, result in
            #expect(result.candidates.count { $0.state == .won } == (result.winner == nil ? 0 : 1))
            #expect((result.winner == nil) == (result.failure == .noFill))
            let answered = auction.answers.count { $0.latency <= auction.rules.deadline }
            let offered = auction.adapters.count { $0.latency <= auction.rules.deadline }
            #expect(result.candidates.count == answered + offered + auction.lineItems.count)
            #expect(result.nonBids.count == auction.answers.count + auction.adapters.count - answered - offered)
        }
    }

    @Test func nobodyPaysMoreThanTheBidOrLessThanTheFloor() throws {
        try forAuctions(2) { auction, result in
            guard let winner = result.winningCandidate, winner.source == .rtb, let cpm = result.cpm else { return }
            let bid = try #require(winner.cpm)
            #expect(cpm <= bid)
            if let floor = winner.floor { #expect(cpm >= floor) }
        }
    }

    @Test func theWinnerOfAFirstPriceAuctionPaysMost() throws {
        try forAuctions(3) { auction, result in
            guard auction.rules.auctionType == 1, let cpm = result.cpm, let winner = result.winningCandidate else {
                return
            }
            let isProgrammed =
                winner.source == .direct && auction.lineItems.contains { $0.id == winner.id && $0.priority != .ecpm }
            for loser in result.losers where loser.reason == .lostToHigherBid && !isProgrammed {
                let isHouse = auction.lineItems.contains { $0.id == loser.candidate.id && $0.priority == .house }
                let offered = try #require(loser.candidate.cpm)
                if !isHouse { #expect(offered <= cpm) }
            }
        }
    }

    @Test func noBidGetsAWinNoticeAndALossNotice() throws {
        try forAuctions(4) { _, result in
            let won = Set(result.notices.filter { $0.kind != .loss }.map(\.candidate))
            let lost = result.notices.filter { $0.kind == .loss }.map(\.candidate)
            #expect(won.isDisjoint(with: lost) && Set(lost).count == lost.count)
            #expect(won.count <= 1)
        }
    }

    @Test func theSameAuctionHasTheSameResult() throws {
        try forAuctions(5) { auction, result in
            #expect(auction.held() == result)
        }
    }

    @Test func onlyTheOrderOfEqualOnesMatters() throws {
        try forAuctions(6) { auction, result in
            var reversed = auction
            reversed.answers.reverse()
            reversed.adapters.reverse()
            reversed.lineItems.reverse()
            #expect(reversed.held().cpm == result.cpm)
            #expect(reversed.held().winningCandidate?.source == result.winningCandidate?.source)
        }
    }
}
