import Ports

/// One auction, step by step (BID-15).
struct AuctionCourse {
    let auction: Auction
    var result: AuctionResult
    /// Index in `candidates` of the bid that won among RTB bids.
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

    private mutating func rankBids() {
        let prefersDeals = auction.rules.prefersDeals
        let ranks = rtbRanking.map { index in
            let candidate = result.candidates[index]
            return Rank(
                candidate: index, isPreferredDeal: prefersDeals && candidate.deal != nil,
                cpm: candidate.cpm ?? .zero, latency: candidate.latency ?? .zero)
        }
        rtbRanking = ranks.sorted(by: Rank.isBefore).map(\.candidate)
        guard let winner = rtbRanking.first else { return }
        rtbWinner = winner
        let clearing = clearing(of: result.candidates[winner])
        rtbClearing = clearing
        result.candidates[winner].notes.append(.clearing(clearing, auction.rules.currency))
    }

    /// The bids that determine the winner's price: only deals when a deal won by preference.
    var runnersUp: [Candidate] {
        guard let rtbWinner else { return [] }
        let isDealPreferred = auction.rules.prefersDeals && result.candidates[rtbWinner].deal != nil
        return rtbRanking.dropFirst().map { result.candidates[$0] }.filter { !isDealPreferred || $0.deal != nil }
    }

    private func clearing(of winner: Candidate) -> ExactDecimal {
        let bid = winner.cpm ?? .zero
        let deal = auction.placement.deals.first { $0.id == winner.deal }
        switch deal?.auctionType ?? auction.rules.auctionType {
        case 3:
            // The floor of the placement is not a price that anyone agreed on, nor is 0, the default of a deal's floor.
            let agreed = deal?.floor.floor(duration: winner.bid?.duration)
            return agreed?.isPositive == true ? winner.floor ?? bid : bid
        case 2:
            let step = runnersUp.compactMap(\.cpm).max()?.adding(.cent)
            // A floor of 0 is the same as none: it is the default (OpenRTB 2.6 section 3.2.4).
            let floor = winner.floor.flatMap { $0.isPositive ? $0 : nil }
            return min(max(floor ?? .zero, step ?? floor ?? .cent), bid)
        default: return bid
        }
    }
}
