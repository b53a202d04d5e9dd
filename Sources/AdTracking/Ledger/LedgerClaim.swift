package import Ports

/// Claiming: the only way to send a beacon.
extension Ledger {
    /// Claims the URLs of an event that are still planned.
    /// - Parameters:
    ///   - late: media time since the event was due; nil for one without a due time.
    ///   - occasion: values for macros in the URLs.
    ///   - isAsked: a person requested it: it is sent in any mode.
    ///   - isObserved: it was due in observe mode: it is sent in no mode.
    package mutating func claim(
        _ event: EventID, late: Duration?, adEndsIn: Duration, occasion: BeaconMacros.Occasion? = nil,
        isAsked: Bool = false, isObserved: Bool = false, at now: Moment
    ) -> ClaimResult {
        let retry = retry[event]
        let deadline = now.uptime + max(.zero, adEndsIn) + retry.afterAdEnd
        let occasion = occasion ?? BeaconMacros.Occasion(at: now)
        var result = ClaimResult()
        let isForgotten = entries[event].map(isForgotten) ?? false
        let isReported = late != nil && !isAsked && entries[event].map(isReported) ?? false
        eachListedSlot(of: event) { ledger, slot, entry in
            guard slot.state == .planned else { return }
            let earlier = ledger.failedEarlier[slot.insertion]
            guard earlier != nil || !isReported && !ledger.isSent(slot, of: entry) else {
                (slot.state, slot.reason) = (.skipped, .duplicate)
                return
            }
            guard !isForgotten, isAsked || !entry.shared.contains(slot.url) else {
                (slot.state, slot.reason) = (.skipped, isForgotten ? .expired : .twoParties)
                result.add(ledger.noteUnsent(slot, of: entry))
                return
            }
            guard ledger.mayFollow(earlier, of: &slot, retry, adEndsIn: adEndsIn) else { return }
            slot.filled = ledger.filled(slot.url, of: entry, on: occasion)
            ledger.decide(
                &slot, of: event, entry, round: 0, attempt: (earlier?.attempt ?? 0) + 1, deadline: deadline,
                due: earlier == nil ? late.map { now.uptime - $0 } : nil, isAsked: isAsked, isObserved: isObserved,
                earlierKey: earlier?.key)
            slot.late = late
            result.add(ledger.noteUnsent(slot, of: entry))
            slot.judged = nil
            // What may not be sent counts for nothing: its URL may be replaced with every poll.
            if slot.reason == nil { ledger.noteSent(slot, of: entry) }
            result.isAny = result.isAny || slot.reason == nil
        }
        return result
    }

    /// What a claim did with the URLs of an event that were planned.
    package struct ClaimResult: Hashable, Sendable {
        /// Whether any was claimed or observed.
        package var isAny = false
        /// Those that were observed, or skipped for a reason that they did not have before; no duplicates.
        package var unsent: [UnsentBeacon] = []

        fileprivate mutating func add(_ beacon: UnsentBeacon?) {
            if let beacon { unsent.append(beacon) }
        }
    }

    /// Whether another try may follow those of another process, as it may follow one of this process (FLT-5). The URL then has the tries
    /// before it; if none may follow, it has their result.
    private mutating func mayFollow(
        _ earlier: RestoredBeacon?, of slot: inout URLDelivery, _ retry: RetryPolicy, adEndsIn: Duration
    ) -> Bool {
        guard let earlier else { return true }
        failedEarlier[slot.insertion] = nil
        slot.attemptCount = earlier.attempt
        guard earlier.attempt <= retry.delays.count, adEndsIn + retry.afterAdEnd > .zero else {
            slot.state = .failed
            return false
        }
        return true
    }

    /// Whether a session that this one replaced has reported the event.
    private func isReported(_ entry: Entry) -> Bool {
        entry.placement.track == .primary && insertions.reported.has(entry.key.type, at: entry.placement.start)
    }

    /// Whether the beacon was claimed under another name, maybe one that is forgotten by now (docs/adr/0017).
    private func isSent(_ slot: URLDelivery, of entry: Entry) -> Bool {
        guard slot.insertion != Insertion.none else { return false }
        return insertions[slot.insertion].sent != nil || wasSent(slot.insertion, at: entry.placement)
    }

    /// Whether the same beacon was claimed for this very moment and is listed elsewhere since: it moved away, and what moves back is
    /// told under another name. Two that are due at almost the same time are two only where the document lists both of them so.
    private func wasSent(_ index: Int32, at placement: EventPlacement) -> Bool {
        insertions.sentStarts(like: index).contains { other, start in
            let distance = (start - placement.start).magnitude
            guard distance <= Self.sameStart else { return false }
            if let track = insertions[other].track, track != placement.track.shortHash { return false }
            guard distance > .zero else { return true }
            return !isPresent(other) || insertions[other].start != start
        }
    }

    private mutating func noteSent(_ slot: URLDelivery, of entry: Entry) {
        guard slot.insertion != Insertion.none else { return }
        insertions[slot.insertion].start = entry.placement.start
        insertions[slot.insertion].sent = Insertion.Sent(
            state: slot.state, round: Int32(clamping: slot.round), start: entry.placement.start)
    }

    /// The result of claiming the events of a viewer's action.
    package struct UserClaim: Hashable, Sendable {
        /// Number of the action; nil when nothing could be sent.
        package var round: Int?
        package var claimed = 0
        package var observed = 0
        /// Reason of the first URL that may not be sent.
        package var refusal: SkipReason?
    }

    /// Claims the URLs of events that a viewer's action triggers, each URL once per action, whether or not it was sent
    /// for earlier actions.
    package mutating func claimForUser(
        _ events: [EventID], adEndsIn: Duration, occasion: BeaconMacros.Occasion? = nil, at now: Moment
    ) -> UserClaim {
        let round = rounds.begin()
        let occasion = occasion ?? BeaconMacros.Occasion(at: now)
        let deadline = now.uptime + max(.zero, adEndsIn) + retry.general.afterAdEnd
        var result = UserClaim()
        var seen: Set<String> = []
        for event in events {
            eachListedSlot(of: event) { ledger, slot, entry in
                guard slot.reason != .duplicate, seen.insert(slot.url).inserted else { return }
                guard !entry.shared.contains(slot.url) else {
                    if slot.state == .planned { (slot.state, slot.reason) = (.skipped, .twoParties) }
                    result.refusal = result.refusal ?? .twoParties
                    return
                }
                slot.filled = ledger.filled(slot.url, of: entry, on: occasion)
                ledger.decide(&slot, of: event, entry, round: round, deadline: deadline)
                (slot.round, slot.judged) = (round, nil)
                _ = ledger.noteUnsent(slot, of: entry)
                slot.attemptCount = 0
                slot.retryAt = nil
                switch slot.state {
                case .claimed: result.claimed += 1
                case .observed: result.observed += 1
                default: result.refusal = result.refusal ?? slot.reason
                }
            }
        }
        if result.claimed > 0 { rounds.expect(result.claimed, in: round) }
        result.round = result.claimed + result.observed > 0 ? round : nil
        return result
    }

    /// Starts another attempt, at a person's request, for `failed`, `rejected` and `unknown` beacons, whatever the
    /// retry policy. `url` picks one of the event's URLs.
    /// - Returns: the states that the beacons to be sent again had; none in observe mode. Nil where another process tried last.
    package mutating func retryAsked(_ event: EventID, url: Int?, at now: Moment) -> [DeliveryState?] {
        guard mode == .fire, let asked = entries[event]?.delivery.urls else { return [] }
        guard url.map(asked.indices.contains) ?? true else { return [] }
        let picked = url.map { asked[$0].url }
        var former: [DeliveryState?] = []
        eachListedSlot(of: event) { ledger, slot, entry in
            guard picked == nil || picked == slot.url, slot.state.isLost else {
                return
            }
            let before = slot
            // A beacon sent by an earlier process gets new macro values; otherwise the same request is sent again.
            slot.filled = slot.filled ?? ledger.filled(slot.url, of: entry, on: BeaconMacros.Occasion(at: now))
            // An earlier process made at least one try: the journal must tell this one apart.
            let attempt = max(1, slot.attemptCount) + 1
            ledger.decide(&slot, of: event, entry, round: slot.round, attempt: attempt, deadline: now.uptime)
            guard slot.state == .claimed else { return slot = before }
            slot.attemptCount = attempt - 1
            former.append(before.attempts.isEmpty ? nil : before.state)
        }
        return former
    }

    /// Calls `body` for the URLs of an event that metadata lists.
    private mutating func eachListedSlot(
        of event: EventID, _ body: (inout Self, inout URLDelivery, Entry) -> Void
    ) {
        // The entry leaves the table during the loop, so that the body may change the rest of the ledger without a
        // copy.
        guard var entry = entries.removeValue(forKey: event) else { return }
        count(entry.delivery.state, by: -1)
        var slots = entry.delivery.urls
        entry.delivery.urls = []
        for index in slots.indices where slots[index].isListed { body(&self, &slots[index], entry) }
        entry.delivery.urls = slots
        count(entry.delivery.state, by: 1)
        entries[event] = entry
    }

    /// The URL with its macros filled; nil when the event's URLs contain no macros to fill.
    private mutating func filled(_ url: String, of entry: Entry, on occasion: BeaconMacros.Occasion) -> String? {
        entry.macros.map { $0.filled(url, on: occasion, random: macroRandom.next()) }
    }

    /// The compare-and-set's "set": queues a claim where one may be made.
    private mutating func decide(
        _ slot: inout URLDelivery, of event: EventID, _ entry: Entry, round: Int, attempt: Int = 1,
        deadline: Duration, due: Duration? = nil, isAsked: Bool = false, isObserved: Bool = false,
        earlierKey: URLKey? = nil
    ) {
        let webURL: WebURL
        switch gate.judge(slot.filled ?? slot.url, of: entry.type, isFilled: entry.macros != nil) {
        case .failure(let refusal):
            (slot.state, slot.reason) = (.skipped, refusal.reason)
            return
        case .success(let judged): webURL = judged
        }
        let asked = webURL.wireText
        if asked != slot.url { slot.filled = asked }
        guard mode == .fire && !isObserved || isAsked else {
            (slot.state, slot.reason) = (.observed, nil)
            return
        }
        guard queue.count < Limits.beaconQueue else {
            refusedByQueue += 1
            (slot.state, slot.reason) = (.skipped, .queueFull)
            return
        }
        let id = nextClaim()
        claims[id] = Claim(
            event: event, key: earlierKey ?? URLKey(event: entry.key, url: slot.url), slotURL: slot.url, url: webURL,
            round: round, attempt: attempt, serverErrors: 0, deadline: deadline, due: due, isAsked: isAsked)
        queue.append(id)
        (slot.state, slot.reason) = (.claimed, nil)
    }
}
