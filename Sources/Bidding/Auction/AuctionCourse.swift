import Ports

/// One auction, step by step (BID-15).
struct AuctionCourse {
    let auction: Auction
    var result: AuctionResult
    /// Index in `candidates` of the bid that competes for the RTB bids: their winner, or a later one in its place.
    var rtbWinner: Int?
    /// Its clearing price in the currency of the auction.
    var rtbClearing: ExactDecimal?
    /// Valid RTB bids, best first.
    var rtbRanking: [Int] = []
    /// The candidate of the forwarded adapter.
    var forwardedCandidate: Int?
    /// Eligible line items, by candidate.
    var programmed: [Programmed] = []
    /// Line items that the forwarded keyword selects, by candidate, with their CPM.
    var proxies: [(candidate: Int, cpm: ExactDecimal)] = []

    /// An eligible line item.
    struct Programmed {
        var candidate: Int
        var priority: LineItem.Priority
        var cpm: ExactDecimal
    }

    init(_ auction: Auction) {
        self.auction = auction
        result = AuctionResult(id: auction.id, currency: auction.rules.currency)
        result.candidates.reserveCapacity(auction.answers.count + auction.adapters.count + auction.lineItems.count)
    }

    mutating func run() {
        result.nonBids = auction.knownNonBids
        takeAnswers()
        rankBids()
        takeAdapters()
        takeLineItems()
        compete()
        settleBids()
        playOut()
        planNotices()
        packPod()
        noteSteps()
    }

    /// The price of the next candidate plus its what-if change; nil when there is no change.
    func changed(_ price: ExactDecimal?) -> ExactDecimal? {
        guard let change = auction.priceChanges[result.candidates.count] else { return nil }
        return price?.adding(change)
    }

    // MARK: RTB

    private mutating func takeAnswers() {
        let check = BidCheck(auction)
        for answer in auction.answers {
            switch answer.judged(deadline: auction.rules.deadline) {
            case .nonBid(let nonBid): result.nonBids.append(nonBid)
            case .bids(let response): take(response, of: answer, check)
            }
        }
    }

    private mutating func take(_ response: BidResponse, of answer: EndpointAnswer, _ check: BidCheck) {
        if response.droppedBids > 0 {
            result.warnings.append("tooManyBids:\(answer.bidder)")
        }
        for seat in response.seats {
            for offered in seat.bids {
                var bid = offered
                if let price = changed(bid.price.amount) { bid.price = .amount(price) }
                let finding = check.finding(bid, seat: seat.seat, of: response, requestID: answer.requestID)
                let state = finding.reason.map(Candidate.State.lost) ?? .won
                var candidate = Candidate(
                    source: .rtb, id: bid.id, who: seat.seat.isEmpty ? answer.bidder : seat.seat, state: state)
                candidate.seat = seat.seat.isEmpty ? nil : seat.seat
                candidate.bidder = answer.bidder
                candidate.price = bid.price.amount
                candidate.currency = response.currency
                candidate.cpm = finding.cpm
                candidate.floor = finding.floor
                candidate.deal = finding.deal?.id
                candidate.latency = answer.latency
                candidate.notes = finding.notes
                candidate.bid = bid
                candidate.responseBidID = response.bidID
                candidate.requestID = answer.requestID
                if finding.reason == nil { rtbRanking.append(result.candidates.count) }
                result.candidates.append(candidate)
            }
        }
    }

    /// The sort key of a bid, because a candidate is too large to copy for every comparison.
    private struct Rank {
        var candidate: Int
        var isPreferredDeal: Bool
        var cpm: ExactDecimal
        var latency: Duration

        /// Deals first if they are preferred; then the highest price, the earlier answer, the order of the input.
        static func isBefore(_ left: Rank, _ right: Rank) -> Bool {
            if left.isPreferredDeal != right.isPreferredDeal { return left.isPreferredDeal }
            if left.cpm != right.cpm { return left.cpm > right.cpm }
            return left.latency == right.latency
                ? left.candidate < right.candidate : left.latency < right.latency
        }
    }

    private func rank(_ index: Int, prefersDeals: Bool) -> Rank {
        let candidate = result.candidates[index]
        return Rank(
            candidate: index, isPreferredDeal: prefersDeals && candidate.deal != nil, cpm: candidate.cpm ?? .zero,
            latency: candidate.latency ?? .zero)
    }

    private mutating func rankBids() {
        let ranks = rtbRanking.map { rank($0, prefersDeals: auction.rules.prefersDeals) }
        rtbRanking = ranks.sorted(by: Rank.isBefore).map(\.candidate)
        if let winner = rtbRanking.first { setRTBWinner(winner, clearing: clearing(of: winner)) }
    }

    private mutating func setRTBWinner(_ winner: Int, clearing: ExactDecimal) {
        rtbWinner = winner
        rtbClearing = clearing
        result.candidates[winner].notes.append(.clearing(clearing, auction.rules.currency))
    }

    /// The next bid competes in place of an RTB winner whose clearing price does not exceed `price`: the price agreed for a
    /// deal, or that of a preferred one, can be lower than what other bids pay (BID-19).
    mutating func replaceRTBWinner(at price: ExactDecimal) {
        guard let rtbClearing, rtbClearing <= price else { return }
        for index in rtbRanking.dropFirst() where result.candidates[index].cpm ?? .zero > price {
            let clearing = clearing(of: index)
            if clearing > price { return setRTBWinner(index, clearing: clearing) }
        }
    }

    // MARK: Price

    /// The bids that rank below the winner.
    var bidsBelowRTBWinner: ArraySlice<Int> { rtbWinner.map(bids(below:)) ?? [] }

    private func bids(below winner: Int) -> ArraySlice<Int> {
        rtbRanking.drop { $0 != winner }.dropFirst()
    }

    /// Whether a deal would rank below an open bid if deals were not preferred.
    private func isFirstByPreference(_ winner: Int) -> Bool {
        guard auction.rules.prefersDeals, result.candidates[winner].deal != nil,
            let open = rtbRanking.first(where: { result.candidates[$0].deal == nil })
        else { return false }
        return Rank.isBefore(rank(open, prefersDeals: false), rank(winner, prefersDeals: false))
    }

    /// The highest price below the winner.
    /// - Parameter ofDeals: only deals count.
    func highestPrice(below winner: Int, ofDeals: Bool) -> ExactDecimal? {
        bids(below: winner).lazy.map { result.candidates[$0] }.filter { !ofDeals || $0.deal != nil }
            .compactMap(\.cpm).max()
    }

    private func clearing(of index: Int) -> ExactDecimal {
        let winner = result.candidates[index]
        let bid = winner.cpm ?? .zero
        let deal = auction.placement.deals.first { $0.id == winner.deal }
        switch deal?.auctionType ?? auction.rules.auctionType {
        case 3:
            // The floor of the placement is not a price that anyone agreed on, nor is 0, the default of a deal's floor.
            let agreed = deal?.floor.floor(duration: winner.bid?.duration)
            return agreed?.isPositive == true ? winner.floor ?? bid : bid
        case 2:
            // Open bids that the preference passed over do not raise the price of a deal.
            let step = highestPrice(below: index, ofDeals: isFirstByPreference(index))?.adding(.cent)
            // A floor of 0 is the same as none: it is the default (OpenRTB 2.6 section 3.2.4).
            let floor = winner.floor.flatMap { $0.isPositive ? $0 : nil }
            return min(max(floor ?? .zero, step ?? floor ?? .cent), bid)
        default: return bid
        }
    }
}
