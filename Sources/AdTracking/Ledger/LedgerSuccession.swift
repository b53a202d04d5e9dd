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
            let kept = keep(former.insertions[index], as: sent, former.insertions.key(of: index))
            if former.insertions.unknownEarlier.contains(index) { insertions.noteUnknownEarlier(kept) }
        }
        // A document of the former session listed these beside what was sent: they are other showings.
        for index in former.unclaimed {
            _ = keep(former.insertions[index], as: nil, former.insertions.key(of: index))
        }
    }

    private mutating func keep(_ insertion: Insertion, as sent: Insertion.Sent?, _ key: Fingerprint) -> Int32 {
        var kept = insertion
        (kept.member, kept.others, kept.sent) = (nil, [], sent)
        return insertions.add(kept, key)
    }

    /// What the newest document lists and nothing was sent of, where the same beacon was sent at another time.
    private var unclaimed: [Int32] {
        Set(insertions.claimed.map(insertions.key(of:))).flatMap { key in
            insertions.group(key).filter { insertions[$0].sent == nil && isPresent($0) }
        }.sorted()
    }

    /// What is known of a claimed insertion when its session ends: an answer that is awaited will not be known.
    private func sent(_ index: Int32) -> Insertion.Sent? {
        let insertion = insertions[index]
        let slots = insertion.members.lazy.flatMap { entries[$0]?.delivery.urls ?? [] }
        let slot = slots.first { $0.insertion == index && $0.state != .planned && $0.state != .skipped }
        guard let state = slot?.state ?? insertion.sent?.state else { return nil }
        let start = insertion.sent?.start ?? insertion.start
        switch state {
        case .planned, .skipped: return nil
        case .claimed, .sent, .waiting: return Insertion.Sent(state: .unknown, round: 0, start: start)
        case .acknowledged, .rejected, .failed, .unknown, .observed:
            return Insertion.Sent(state: state, round: 0, start: start)
        }
    }
}
