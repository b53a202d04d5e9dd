import Ports

/// The competition (BID-19).
extension AuctionCourse {
    /// A candidate that can win, with its price.
    private struct Contender {
        /// Preference in a tie.
        enum Rank: Int {
            case bidder, lineItem, rtb
        }

        var candidate: Int
        var cpm: ExactDecimal
        var rank: Rank
    }

    mutating func compete() {
        let exclusive = best(programmed.filter { $0.priority == .exclusive })
        if let exclusive {
            win(exclusive.candidate, cpm: exclusive.cpm)
            loseAll(.preempted, note: .exclusiveServes(result.candidates[exclusive.candidate].id))
            return
        }
        dropLowBidder()
        var contenders = contenders()
        if let best = contenders.min(by: isBetter) { replaceRTBWinner(at: best.cpm) }
        if let rtbWinner, let rtbClearing {
            contenders.append(Contender(candidate: rtbWinner, cpm: rtbClearing, rank: .rtb))
        }
        if let winner = contenders.min(by: isBetter) {
            win(winner.candidate, cpm: winner.cpm)
            noteVictory(of: winner, among: contenders)
            let name = result.candidates[winner.candidate].name
            loseAll(.lostToHigherBid, note: .beatenBy(name, winner.cpm))
        } else if let house = best(programmed.filter { $0.priority == .house }) {
            win(house.candidate, cpm: house.cpm)
            result.candidates[house.candidate].notes.append(.houseFill)
            loseAll(.lostToHigherBid, note: .beatenBy(result.candidates[house.candidate].name, house.cpm))
        } else {
            result.failure = .noFill
        }
    }

    private mutating func win(_ candidate: Int, cpm: ExactDecimal) {
        result.winner = candidate
        result.cpm = cpm
        result.candidates[candidate].state = .won
    }

    /// Marks all remaining candidates but the winner as lost; RTB bids are settled separately.
    private mutating func loseAll(_ reason: LostReason, note: CandidateNote) {
        for index in result.candidates.indices where index != result.winner && result.candidates[index].state == .won {
            result.candidates[index].state = .lost(reason)
            result.candidates[index].notes.append(note)
        }
    }

    /// The item with the highest CPM; the first of equals.
    private func best(_ items: [Programmed]) -> Programmed? {
        items.enumerated().max { left, right in
            left.element.cpm == right.element.cpm ? left.offset > right.offset : left.element.cpm < right.element.cpm
        }?.element
    }

    /// A price bidder must reach the floor; line items are the publisher's own and need not.
    private mutating func dropLowBidder() {
        guard let candidate = forwardedCandidate, result.candidates[candidate].state == .won,
            result.candidates[candidate].via == nil, let cpm = result.candidates[candidate].cpm,
            let floor = auction.placement.floor.floor(duration: nil)
        else { return }
        let currency = auction.placement.floor.currency
        let converted = auction.rates.convert(floor, from: currency, to: auction.rules.currency)
        result.candidates[candidate].floor = converted
        if let converted, cpm >= converted {
            result.candidates[candidate].notes.append(.floorMet(floor, currency))
        } else {
            result.candidates[candidate].notes.append(.belowFloor(floor, currency))
            result.candidates[candidate].state = .lost(converted == nil ? .floorUnconvertible : .belowFloor)
        }
    }

    /// The contenders apart from the RTB winner.
    private func contenders() -> [Contender] {
        var contenders: [Contender] = []
        if let candidate = forwardedCandidate, result.candidates[candidate].state == .won,
            let cpm = result.candidates[candidate].cpm
        {
            contenders.append(Contender(candidate: candidate, cpm: cpm, rank: .bidder))
        }
        for item in programmed where item.priority == .ecpm {
            contenders.append(Contender(candidate: item.candidate, cpm: item.cpm, rank: .lineItem))
        }
        return contenders
    }

    private func isBetter(_ left: Contender, _ right: Contender) -> Bool {
        if left.cpm != right.cpm { return left.cpm > right.cpm }
        return left.rank == right.rank ? left.candidate < right.candidate : left.rank.rawValue < right.rank.rawValue
    }

    private mutating func noteVictory(of winner: Contender, among contenders: [Contender]) {
        let others = contenders.filter { $0.candidate != winner.candidate }
        guard let second = others.min(by: isBetter) else {
            result.candidates[winner.candidate].notes.append(rtbRanking.count > 1 ? .highest : .only)
            return
        }
        guard second.cpm == winner.cpm else {
            result.candidates[winner.candidate].notes.append(.highest)
            return
        }
        let rule: CandidateNote.TieRule =
            winner.rank == .bidder ? .bidder : second.rank == .rtb ? .lineItem : .order
        result.candidates[winner.candidate].notes.append(
            .tie(with: result.candidates[second.candidate].name, rule: rule))
    }

    /// Sets why the RTB bids below their winner lost, where it was not a price alone.
    mutating func settleBids() {
        guard let rtbWinner else { return }
        let best = result.candidates[rtbWinner]
        guard best.lostReason != .preempted else { return }
        for index in bidsBelowRTBWinner {
            let candidate = result.candidates[index]
            if hasLostToDeal(candidate) {
                result.candidates[index].state = .lost(.lostToDeal)
                let isPreferred = auction.rules.prefersDeals && candidate.deal == nil
                result.candidates[index].notes.append(isPreferred ? .preferredDeal(best.name) : .agreedDeal(best.name))
            } else if candidate.cpm == best.cpm {
                let isEarlier = best.latency != candidate.latency
                result.candidates[index].notes.append(.tie(with: best.name, rule: isEarlier ? .earlier : .order))
            }
        }
    }

    /// Whether a deal won although the bid reaches its price: no price would have won, so the bidder learns none.
    private func hasLostToDeal(_ candidate: Candidate) -> Bool {
        guard let rtbWinner, rtbWinner == result.winner, result.candidates[rtbWinner].deal != nil, let rtbClearing,
            let cpm = candidate.cpm
        else { return false }
        return auction.rules.prefersDeals && candidate.deal == nil ? cpm >= rtbClearing : cpm > rtbClearing
    }
}
