package import Ports

/// One URL's state changed after something happened at the edge.
package struct DeliveryChange: Hashable, Sendable {
    package var event: EventID
    package var url: String
    package var state: DeliveryState
    package var attempt: Int
    /// Nil unless an answer came or failed to.
    package var answer: BeaconAnswer?
    /// Uptime of the next try.
    package var retryAt: Duration?
    package var round: Int
}

/// All beacons of a user action have their final answer.
package struct UserSettlement: Hashable, Sendable {
    package var round: Int
    /// Whether a beacon really went out and was acknowledged.
    package var wasReported: Bool

    package init(round: Int, wasReported: Bool) {
        self.round = round
        self.wasReported = wasReported
    }
}

/// What an answer led to.
package struct LedgerAnswer: Hashable, Sendable {
    package var change: DeliveryChange?
    package var settlement: UserSettlement?
    package var effects: [LedgerEffect] = []

    package init() {}
}

extension Ledger {
    /// A try that waits for its time.
    struct Retry: Sendable {
        var at: Duration
        var claim: Claim
    }

    /// The next claims to write to the journal, as many as may be under way.
    package mutating func takeEffects(at now: Moment) -> [LedgerEffect] {
        let free = max(0, Limits.beaconsInFlight - inFlight)
        let batch = queue.prefix(free)
        guard !batch.isEmpty else { return [] }
        queue.removeFirst(batch.count)
        let records = batch.compactMap { id -> ClaimRecord? in
            guard let claim = claims[id], let entry = entries[claim.event] else {
                claims[id] = nil
                return nil
            }
            return ClaimRecord(
                id: id, key: URLKey(event: entry.key, url: claim.slotURL), round: claim.round, attempt: claim.attempt,
                at: now, late: slot(claim.event, claim.slotURL)?.late)
        }
        inFlight += records.count
        return records.isEmpty ? [] : [.writeClaims(records)]
    }

    /// The claims are on disk: they may be sent. Claims nobody waits for are ignored.
    package mutating func claimsWritten(_ ids: [ClaimID], at now: Moment) -> [LedgerEffect] {
        var orders: [BeaconOrder] = []
        var outcomes: [OutcomeRecord] = []
        for id in ids {
            guard let claim = claims[id], !claim.isSent else { continue }
            // Disarmed while the journal wrote: what is on disk must not read as sent.
            guard mode == .fire else {
                claims[id] = nil
                inFlight -= 1
                if let record = outcome(of: id, claim, .skipped, status: nil, at: now) { outcomes.append(record) }
                settle(claim, as: .observed)
                continue
            }
            claims[id]?.isSent = true
            changeSlot(of: claim) { slot in
                slot.state = .sent
                slot.attemptCount += 1
                slot.attempts.append(BeaconAttempt(claim: id, at: now))
                slot.attempts.removeFirst(max(0, slot.attempts.count - Self.attemptsKept))
            }
            orders.append(BeaconOrder(claim: id, event: claim.event, url: claim.url, addressRule: gate.addressRule))
        }
        return (orders.isEmpty ? [] : [.send(orders)]) + (outcomes.isEmpty ? [] : [.writeOutcomes(outcomes)])
    }

    /// What became of one request. The answer to a claim nobody waits for changes nothing.
    package mutating func answered(_ id: ClaimID, _ exchange: HTTPExchange, at now: Moment) -> LedgerAnswer {
        guard let claim = claims.removeValue(forKey: id) else { return LedgerAnswer() }
        inFlight -= 1
        let (state, reason) = Self.state(after: exchange)
        var answer = LedgerAnswer()
        if let record = outcome(of: id, claim, state, status: exchange.status, at: now) {
            answer.effects = [.writeOutcomes([record])]
        }
        let kept = BeaconAnswer(exchange)
        // A newer action of the viewer may have begun: then this is history of the slot, not its state.
        let isCurrent = slot(claim.event, claim.slotURL)?.round == claim.round
        let retryAt = isCurrent ? scheduleRetry(of: claim, after: exchange, state, at: now) : nil
        changeSlot(of: claim, evenIfOld: true) { slot in
            if let index = slot.attempts.lastIndex(where: { $0.claim == id }) { slot.attempts[index].answer = kept }
            guard isCurrent else { return }
            slot.state = retryAt == nil ? state : .waiting
            slot.reason = reason
            slot.retryAt = retryAt
        }
        answer.change = DeliveryChange(
            event: claim.event, url: claim.slotURL, state: retryAt == nil ? state : .waiting, attempt: claim.attempt,
            answer: kept, retryAt: retryAt, round: claim.round)
        if retryAt == nil { answer.settlement = settlement(claim, isAcknowledged: state == .acknowledged) }
        return answer
    }

    /// Queues the tries whose time has come.
    package mutating func retriesDue(at now: Moment) -> [EventID] {
        let due = retries.prefix { $0.at <= now.uptime }
        retries.removeFirst(due.count)
        for retry in due {
            guard slot(retry.claim.event, retry.claim.slotURL)?.state == .waiting else { continue }
            let id = nextClaim()
            claims[id] = retry.claim
            queue.append(id)
            changeSlot(of: retry.claim) { slot in
                slot.state = .claimed
                slot.retryAt = nil
            }
        }
        return due.map(\.claim.event)
    }

    private mutating func scheduleRetry(
        of claim: Claim, after exchange: HTTPExchange, _ state: DeliveryState, at now: Moment
    ) -> Duration? {
        guard mode == .fire, state == .failed || state == .rejected else { return nil }
        var next = claim
        next.isSent = false
        next.attempt += 1
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

    /// Ends a claim without an answer.
    mutating func settle(_ claim: Claim, as state: DeliveryState) {
        changeSlot(of: claim) { slot in
            slot.state = state
            slot.retryAt = nil
        }
        _ = settlement(claim, isAcknowledged: false)
    }

    private mutating func settlement(_ claim: Claim, isAcknowledged: Bool) -> UserSettlement? {
        rounds.ended(claim.round, isAcknowledged: isAcknowledged).map {
            UserSettlement(round: claim.round, wasReported: $0)
        }
    }

    private mutating func changeSlot(of claim: Claim, evenIfOld: Bool = false, _ body: (inout URLDelivery) -> Void) {
        _ = change(claim.event) { entry in
            guard let index = entry.delivery.urls.firstIndex(where: { $0.url == claim.slotURL }),
                evenIfOld || entry.delivery.urls[index].round == claim.round
            else { return }
            body(&entry.delivery.urls[index])
        }
    }

    private func outcome(
        of id: ClaimID, _ claim: Claim, _ state: DeliveryState, status: Int?, at now: Moment
    ) -> OutcomeRecord? {
        guard let key = entries[claim.event]?.key else { return nil }
        return OutcomeRecord(
            id: id, key: URLKey(event: key, url: claim.slotURL), round: claim.round, attempt: claim.attempt,
            state: state,
            status: status, at: now)
    }

    private static func state(after exchange: HTTPExchange) -> (DeliveryState, SkipReason?) {
        if let failure = exchange.failure {
            // The name resolved to a forbidden address and nothing was sent.
            return failure.kind == .addressNotAllowed && exchange.hops.isEmpty
                ? (.skipped, .hostNotAllowed) : (.failed, nil)
        }
        guard exchange.status != nil else { return (.failed, nil) }
        return (exchange.isSuccess ? .acknowledged : .rejected, nil)
    }
}
