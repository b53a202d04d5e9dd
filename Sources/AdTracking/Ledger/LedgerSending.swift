import Algorithms
package import Ports

/// A change of one URL's state reported by the edge.
package struct DeliveryChange: Hashable, Sendable {
    package var event: EventID
    package var url: String
    package var state: DeliveryState
    package var attempt: Int
    /// The answer; nil for changes that are not the result of a request.
    package var answer: BeaconAnswer?
    /// Uptime of the next attempt.
    package var retryAt: Duration?
    package var round: Int
    /// Why the next try, which was due, was not let leave; nil for all other changes.
    package var refusal: ClaimRefusal?
    /// Nil unless the request of the first try is known to have been written later than it was claimed.
    package var delay: Delay?

    /// How much later than claimed a beacon was sent: it waited for the journal, its turn, `--max-rate` or its connection.
    package struct Delay: Hashable, Sendable {
        /// Time between the due time and the claim.
        package var claimed: Duration
        /// Time between the due time and the writing of the request.
        package var sent: Duration
        /// The largest of these times among all beacons of the event before this answer.
        package var ofEvent: Duration

        /// Whether the event was not later than that before.
        package func isFirst(beyond limit: Duration) -> Bool { ofEvent <= limit && sent > limit }
    }
}

/// The result of a user action all of whose beacons have a final answer.
package struct UserSettlement: Hashable, Sendable {
    package var round: Int
    /// Whether at least one beacon was sent and acknowledged.
    package var wasReported: Bool

    package init(round: Int, wasReported: Bool) {
        self.round = round
        self.wasReported = wasReported
    }
}

/// The result of an answer.
package struct LedgerAnswer: Hashable, Sendable {
    package var change: DeliveryChange?
    package var settlement: UserSettlement?
    package var effects: [LedgerEffect] = []

    package init() {}
}

extension Ledger {
    /// An attempt that is scheduled for later.
    struct Retry: Sendable {
        var at: Duration
        var claim: Claim
    }

    /// The next claims to write to the journal, up to the limit of beacons in flight.
    package mutating func takeEffects(at now: Moment) -> [LedgerEffect] {
        let free = max(0, Limits.beaconsInFlight - inFlight)
        let batch = queue.prefix(free)
        guard !batch.isEmpty else { return [] }
        queue.removeFirst(batch.count)
        let records = batch.compactMap { id -> ClaimRecord? in
            guard let claim = claims[id] else { return nil }
            return ClaimRecord(
                id: id, key: claim.key, round: claim.round, attempt: claim.attempt, at: now,
                late: slot(claim.event, claim.slotURL)?.late)
        }
        inFlight += records.count
        return records.isEmpty ? [] : [.writeClaims(records)]
    }

    /// The claims are on disk: returns the beacons to send. Unknown claims are ignored.
    /// - Parameter mayLeave: whether anything may be sent at all.
    package mutating func claimsWritten(
        _ ids: [ClaimID], mayLeave: Bool = true, at now: Moment
    ) -> [LedgerEffect] {
        var withdrawals = Withdrawals()
        return claimsWritten(ids, mayLeave: mayLeave, &withdrawals, at: now)
    }

    /// The same, for an owner who counts the claims that are not sent any more.
    package mutating func claimsWritten(
        _ ids: [ClaimID], mayLeave: Bool = true, _ withdrawals: inout Withdrawals, at now: Moment
    ) -> [LedgerEffect] {
        var orders: [BeaconOrder] = []
        var outcomes: [OutcomeRecord] = []
        for id in ids {
            guard let claim = claims[id], !claim.isSent else { continue }
            // The mode changed during the journal write: the claim on disk must not count as sent.
            guard mayLeave, mode == .fire || claim.isAsked else {
                claims[id] = nil
                inFlight -= 1
                outcomes.append(outcomeOfUnsent(id, claim, at: now))
                withdraw(claim, &withdrawals)
                continue
            }
            claims[id]?.isSent = true
            changeSlot(of: claim) { slot in
                slot.state = .sent
                slot.attemptCount += 1
                slot.attempts.append(BeaconAttempt(claim: id, at: now))
                slot.attempts.removeFirst(max(0, slot.attempts.count - Self.attemptsKept))
            }
            orders.append(BeaconOrder(claim: id, event: claim.event, url: claim.url, gate: gate))
        }
        return (orders.isEmpty ? [] : [.send(orders)]) + (outcomes.isEmpty ? [] : [.writeOutcomes(outcomes)])
    }

    /// Records the end of one request. An answer to an unknown claim changes nothing.
    package mutating func answered(_ id: ClaimID, _ exchange: HTTPExchange, at now: Moment) -> LedgerAnswer {
        guard let claim = claims.removeValue(forKey: id) else { return LedgerAnswer() }
        inFlight -= 1
        let kept = BeaconAnswer(exchange)
        var (state, reason) = Self.state(after: kept)
        // It did not leave, and those before it did.
        if state == .skipped, claim.attempt > 1 { (state, reason) = (stateWithout(claim, id), nil) }
        var answer = LedgerAnswer()
        // If the viewer has acted again, the answer belongs to the slot's history and not to its state.
        let isCurrent = slot(claim.event, claim.slotURL)?.round == claim.round
        let retryAt = isCurrent ? scheduleRetry(of: claim, after: exchange, state, at: now) : nil
        let delay = noteWritten(claim, id, after: exchange.sentAfter)
        changeSlot(of: claim, evenIfOld: true) { slot in
            if let index = slot.attempts.lastIndex(where: { $0.claim == id }) { slot.attempts[index].answer = kept }
            guard isCurrent else { return }
            slot.state = retryAt == nil ? state : .waiting
            slot.reason = reason
            slot.retryAt = retryAt
        }
        if state == .skipped { note(state, of: claim) }
        answer.change = DeliveryChange(
            event: claim.event, url: claim.slotURL, state: retryAt == nil ? state : .waiting, attempt: claim.attempt,
            answer: kept, retryAt: retryAt, round: claim.round, delay: delay)
        var record = outcome(of: id, claim, state, status: exchange.status, at: now)
        record.late = delay?.sent
        answer.effects = [.writeOutcomes([record])]
        if retryAt == nil { answer.settlement = settlement(claim, isAcknowledged: state == .acknowledged) }
        return answer
    }

    /// The request of a try was written that long after its order: that is when the beacon was sent.
    private mutating func noteWritten(_ claim: Claim, _ id: ClaimID, after span: Duration?) -> DeliveryChange.Delay? {
        guard let span else { return nil }
        let ofEvent = entries[claim.event]?.delivery.urls.compactMap(\.late).max()
        var delay: DeliveryChange.Delay?
        changeSlot(of: claim, evenIfOld: true) { slot in
            guard let index = slot.attempts.lastIndex(where: { $0.claim == id }) else { return }
            let sent = slot.attempts[index].at.advanced(by: span)
            slot.attempts[index].at = sent
            guard let due = claim.due, let late = slot.late, let ofEvent, sent.uptime - due > late else { return }
            slot.late = sent.uptime - due
            delay = DeliveryChange.Delay(claimed: late, sent: sent.uptime - due, ofEvent: ofEvent)
        }
        return delay
    }

    /// Queues the attempts whose time has come, and gives up those whose deadline has passed: the process stood still.
    package mutating func retriesDue(at now: Moment) -> (events: [EventID], withdrawals: Withdrawals) {
        let due = retries.prefix { $0.at <= now.uptime }
        retries.removeFirst(due.count)
        var withdrawals = Withdrawals()
        for retry in due {
            let slot = slot(retry.claim.event, retry.claim.slotURL)
            // If the viewer has acted again, the slot has the state of the later action, and the earlier one is still tried.
            if let slot, slot.round == retry.claim.round, slot.state != .waiting { continue }
            // Beacons that metadata listed so long ago that they have expired are not sent either.
            guard slot != nil, now.uptime <= retry.claim.deadline else {
                withdraw(retry.claim, &withdrawals)
                continue
            }
            let id = nextClaim()
            claims[id] = retry.claim
            queue.append(id)
            changeSlot(of: retry.claim) { slot in
                slot.state = .claimed
                slot.retryAt = nil
            }
        }
        return (due.map(\.claim.event), withdrawals)
    }

    private mutating func scheduleRetry(
        of claim: Claim, after exchange: HTTPExchange, _ state: DeliveryState, at now: Moment
    ) -> Duration? {
        let retry = retry[claim.event]
        guard mode == .fire || claim.isAsked, state != .skipped, state != .acknowledged || retry.repeatsAnyAnswer else {
            return nil
        }
        var next = claim
        next.isSent = false
        next.attempt += 1
        if exchange.sentAfter != nil { next.due = nil }
        next.serverErrors += state == .rejected ? 1 : 0
        guard
            let wait = retry.wait(
                after: exchange, attempt: claim.attempt, serverErrors: next.serverErrors, at: now, random: &random),
            now.uptime + wait <= claim.deadline
        else { return nil }
        let at = now.uptime + wait
        retries.insert(Retry(at: at, claim: next), at: retries.partitioningIndex { $0.at > at })
        return at
    }

    /// Ends a claim without an answer of this attempt; `body` changes its URL further.
    @discardableResult
    mutating func settle(
        _ claim: Claim, as state: DeliveryState, _ body: (inout URLDelivery) -> Void = { _ in }
    ) -> UserSettlement? {
        changeSlot(of: claim) { slot in
            slot.state = state
            slot.retryAt = nil
            body(&slot)
        }
        note(state, of: claim)
        return settlement(claim, isAcknowledged: false)
    }

    /// Events that ask for the beacon of a claim later, also those of a session that follows, find what became of it.
    mutating func note(_ state: DeliveryState, of claim: Claim) {
        guard let slot = slot(claim.event, claim.slotURL), slot.insertion != Insertion.none else { return }
        insertions[slot.insertion].sent?.state = state
    }

    private mutating func settlement(_ claim: Claim, isAcknowledged: Bool) -> UserSettlement? {
        rounds.ended(claim.round, isAcknowledged: isAcknowledged).map {
            UserSettlement(round: claim.round, wasReported: $0)
        }
    }

    /// Whether this process made an earlier try of the beacon of a claim; one that follows the tries of another process, or one that did
    /// not leave, is the first here.
    package func isRetry(_ id: ClaimID) -> Bool {
        guard let claim = claims[id], claim.attempt > 1 else { return false }
        return slot(claim.event, claim.slotURL)?.attempts.contains { $0.claim != id && !$0.didNotLeave } ?? false
    }

    mutating func changeSlot(of claim: Claim, evenIfOld: Bool = false, _ body: (inout URLDelivery) -> Void) {
        _ = change(claim.event) { entry in
            guard let index = entry.delivery.urls.firstIndex(where: { $0.url == claim.slotURL }),
                evenIfOld || entry.delivery.urls[index].round == claim.round
            else { return }
            body(&entry.delivery.urls[index])
        }
    }

    /// How the journal keeps a claim whose request does not leave: as none, or, where tries were made before, as they ended. The next process
    /// would otherwise take the beacon for one that was never sent.
    func outcomeOfUnsent(_ id: ClaimID, _ claim: Claim, at now: Moment) -> OutcomeRecord {
        outcome(of: id, claim, claim.attempt > 1 ? stateWithout(claim) : .skipped, status: nil, at: now)
    }

    private func outcome(
        of id: ClaimID, _ claim: Claim, _ state: DeliveryState, status: Int?, at now: Moment
    ) -> OutcomeRecord {
        OutcomeRecord(
            id: id, key: claim.key, round: claim.round, attempt: claim.attempt, state: state, status: status, at: now)
    }

    /// The state of a beacon after the answer to its last try, with a reason where nothing was sent.
    static func state(after answer: BeaconAnswer) -> (DeliveryState, SkipReason?) {
        if let failure = answer.failure {
            return answer.didNotLeave
                ? (.skipped, .hostNotAllowed)
                : (answer.hops.isEmpty && failure.kind.mayHaveArrived ? .unknown : .failed, nil)
        }
        guard let status = answer.status else { return (.failed, nil) }
        return ((200..<300).contains(status) ? .acknowledged : .rejected, nil)
    }
}
