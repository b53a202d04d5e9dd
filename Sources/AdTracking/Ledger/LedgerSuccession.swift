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
        forgotten.add(former.forgotten)
        insertions.reported = former.reportedMoments
        for index in former.insertions.claimed {
            guard let (sent, isEarlier) = former.ending(index) else { continue }
            let kept = keep(former.insertions[index], as: sent, former.insertions.key(of: index))
            if isEarlier { insertions.noteLostEarlier(kept) }
        }
        // A document of the former session listed these beside what was sent: they are other showings.
        for index in former.unclaimed {
            _ = keep(former.insertions[index], as: nil, former.insertions.key(of: index))
        }
    }

    /// What this session and those before it reported.
    private var reportedMoments: ReportedMoments {
        var starts: [String: [UnixTime]] = [:]
        for (_, entry) in entries where entry.placement.track == .primary {
            let sent = entry.delivery.urls.lazy.compactMap { start(of: $0, entry) }.first
            if let sent { starts[entry.key.type, default: []].append(sent) }
        }
        var moments = insertions.reported
        moments.add(starts)
        return moments
    }

    /// The addresses of media ids that were claimed, by when they were due.
    package var verified: [String] {
        let exact = entries.values.filter { Fingerprint.isExact($0.key.type) }
        return exact.sortedStably { $0.placement.start < $1.placement.start }.flatMap {
            $0.delivery.urls.filter(\.isClaimed).map(\.url)
        }
    }

    /// When the beacon of a slot was due as it was claimed; nil where it was not.
    private func start(of slot: URLDelivery, _ entry: Entry) -> UnixTime? {
        guard slot.insertion != Insertion.none else { return slot.isClaimed ? entry.placement.start : nil }
        return insertions[slot.insertion].sent.flatMap { $0.state == .skipped ? nil : $0.start }
    }

    private mutating func keep(_ insertion: Insertion, as sent: Insertion.Sent?, _ key: Fingerprint) -> Int32 {
        var kept = insertion
        (kept.member, kept.others, kept.sent) = (nil, [], sent)
        // Each session counts its documents from zero.
        (kept.listedSince, kept.lastListed) = (0, 0)
        return insertions.add(kept, key).index
    }

    /// What the newest document lists and nothing was sent of, where the same beacon was sent at another time.
    private var unclaimed: [Int32] {
        Set(insertions.claimed.map(insertions.key(of:))).flatMap { key in
            insertions.group(key).filter { insertions[$0].sent == nil && isPresent($0) }
        }.sorted()
    }

    /// What is known of a claimed insertion when its session ends, and whether it is lost although this process sent nothing: an
    /// earlier one did, or the claim was not written in time.
    private func ending(_ index: Int32) -> (sent: Insertion.Sent, isEarlier: Bool)? {
        let insertion = insertions[index]
        let slots = insertion.members.lazy.flatMap { entries[$0]?.delivery.urls ?? [] }
        let slot = slots.first { $0.insertion == index && $0.state != .planned && $0.state != .skipped }
        guard let state = slot?.finalState ?? insertion.sent?.state, state != .planned, state != .skipped else {
            return nil
        }
        let sent = Insertion.Sent(state: state, round: 0, start: insertion.sent?.start ?? insertion.start)
        let isUnsent = slot?.attempts.isEmpty ?? true
        let isLost = insertions.lostEarlier.contains(index) || slot?.isAwaited == true
        return (sent, isLost && isUnsent)
    }

    /// The beacons that were sent and whose answer or next try is awaited, each with its state if neither comes any more.
    var unended: [DeliveryChange] {
        let changes = entries.flatMap { event, entry in
            entry.delivery.urls.filter { $0.isAwaited && !$0.attempts.isEmpty }.map { slot in
                DeliveryChange(
                    event: event, url: slot.url, state: slot.finalState, attempt: slot.attemptCount, round: slot.round)
            }
        }
        return changes.sorted { ($0.event, $0.url) < ($1.event, $1.url) }
    }
}

extension URLDelivery {
    /// Whether its request may have left.
    fileprivate var isClaimed: Bool { ![.planned, .skipped, .observed].contains(state) }

    /// Whether an answer or another try is awaited.
    var isAwaited: Bool {
        switch state {
        case .claimed, .sent, .waiting: true
        case .planned, .acknowledged, .rejected, .failed, .unknown, .skipped, .observed: false
        }
    }

    /// Its state once nothing is awaited any more: that of its last answer where another try was planned, and unknown where no
    /// answer came.
    var finalState: DeliveryState {
        guard isAwaited else { return state }
        return attempts.last { !$0.didNotLeave }?.answer.map { Ledger.state(after: $0).0 } ?? .unknown
    }
}
