import Ports

/// What outlives a session whose server has ended it.
extension Ledger {
    /// Takes over what the ledger of an earlier session of this process sent, and what it learned: the ads of the new
    /// session may ask for the same URLs. Numbers of claims continue, because answers of the journal and of trackers may
    /// still arrive.
    mutating func follow(_ former: Ledger) {
        lastClaim = max(lastClaim, former.lastClaim)
        rounds.skip(to: former.rounds.last)
        (random, macroRandom) = (former.random, former.macroRandom)
        refusedByQueue += former.refusedByQueue
        busters = former.busters
        for index in former.insertions.claimed {
            guard let sent = former.sent(index) else { continue }
            var insertion = former.insertions[index]
            (insertion.member, insertion.others, insertion.sent) = (nil, [], sent)
            _ = insertions.add(insertion, former.insertions.key(of: index))
        }
    }

    /// What is known of a claimed insertion when its session ends: an answer that is awaited will not be known.
    private func sent(_ index: Int32) -> Insertion.Sent? {
        let insertion = insertions[index]
        let slots = insertion.members.lazy.flatMap { entries[$0]?.delivery.urls ?? [] }
        let slot = slots.first { $0.insertion == index && $0.state != .planned && $0.state != .skipped }
        guard let state = slot?.state ?? insertion.sent?.state else { return nil }
        switch state {
        case .planned, .skipped: return nil
        case .claimed, .sent, .waiting: return Insertion.Sent(state: .unknown, round: 0)
        case .acknowledged, .rejected, .failed, .unknown, .observed: return Insertion.Sent(state: state, round: 0)
        }
    }
}
