package import Ports

/// Withdrawing: claims that are not sent after all, because they are not wanted any more, or were refused.
extension Ledger {
    /// Switches between sending and observing. Beacons that are queued but not yet being written to the journal become
    /// observed; observed beacons are never sent later. What a person requested continues.
    @discardableResult
    package mutating func modeChanged(to mode: ReportingMode) -> Withdrawals {
        self.mode = mode
        var result = Withdrawals()
        guard mode == .observe else { return result }
        for id in queue where claims[id]?.isAsked == false {
            if let claim = claims.removeValue(forKey: id) { withdraw(claim, &result) }
        }
        queue.removeAll { claims[$0] == nil }
        let waiting = retries.filter { !$0.claim.isAsked }
        retries.removeAll { !$0.claim.isAsked }
        for retry in waiting { withdraw(retry.claim, &result) }
        return result
    }

    /// Claims whose requests are not sent any more.
    package struct Withdrawals: Hashable, Sendable {
        /// Those of which nothing was sent.
        package var unsent: [UnsentBeacon] = []
        /// Those of which an earlier try was made, each with the state that its beacon keeps.
        package var givenUp: [DeliveryChange] = []
        package var settlements: [UserSettlement] = []

        package init() {}
    }

    /// Ends a claim that will not be sent.
    mutating func withdraw(_ claim: Claim, _ result: inout Withdrawals) {
        withdraw(claim, as: stateWithout(claim), &result)
    }

    /// - Parameters:
    ///   - state: what its beacon is from now on, and `reason` why.
    ///   - refusal: why it is not sent, where that was not decided here.
    mutating func withdraw(
        _ claim: Claim, as state: DeliveryState, reason: SkipReason? = nil, refusal: ClaimRefusal? = nil,
        _ result: inout Withdrawals
    ) {
        let settlement = settle(claim, as: state) { $0.reason = reason }
        if let settlement { result.settlements.append(settlement) }
        if claim.attempt > 1 {
            // The tries of an earlier process were not counted here. An event that has expired meanwhile has none any more.
            if let slot = slot(claim.event, claim.slotURL), slot.attempts.isEmpty { return }
            result.givenUp.append(
                DeliveryChange(
                    event: claim.event, url: claim.slotURL, state: state, attempt: claim.attempt - 1,
                    round: claim.round, refusal: refusal))
        } else if let beacon = noteWithdrawn(claim) {
            result.unsent.append(beacon)
        }
    }

    /// The state of a beacon if this claim of it is not sent: what is known of the try before.
    /// - Parameter id: that of the claim, where it was handed over as a try.
    func stateWithout(_ claim: Claim, _ id: ClaimID? = nil) -> DeliveryState {
        guard claim.attempt > 1 else { return .observed }
        guard let slot = slot(claim.event, claim.slotURL), slot.round == claim.round else { return .failed }
        guard let last = slot.attempts.last(where: { $0.claim != id && !$0.didNotLeave }) else {
            return earlierState(of: slot)
        }
        return last.answer.map { Self.state(after: $0).0 } ?? .unknown
    }

    /// What another process left of a beacon of which this one made no try. It makes one where the last one failed, or a person asks.
    private func earlierState(of slot: URLDelivery) -> DeliveryState {
        guard slot.insertion != Insertion.none, let sent = insertions[slot.insertion].sent,
            sent.state == .unknown || sent.state == .rejected
        else { return .failed }
        return sent.state
    }

    /// Notes a withdrawn claim as not sent, unless the viewer has acted again since: then that action has the state.
    private mutating func noteWithdrawn(_ claim: Claim) -> UnsentBeacon? {
        guard let entry = entries[claim.event], let slot = slot(claim.event, claim.slotURL), slot.round == claim.round
        else { return nil }
        return noteUnsent(slot, of: entry)
    }

    /// The journal did not grant these claims, or the edge did not let their requests leave: nothing of them was sent. They are neither
    /// sent later nor lost: each has a state and a reason. Unknown claims are ignored.
    package mutating func claimsRefused(
        _ refused: [RefusedClaim], at now: Moment
    ) -> (effects: [LedgerEffect], withdrawals: Withdrawals) {
        var outcomes: [OutcomeRecord] = []
        var withdrawals = Withdrawals()
        for refusal in refused {
            guard let claim = claims.removeValue(forKey: refusal.id) else { continue }
            inFlight -= 1
            if claim.isSent {
                takeBack(refusal.id, claim)
                // The journal granted it, and must not keep it as unknown.
                outcomes.append(outcomeOfUnsent(refusal.id, claim, at: now))
            }
            withdraw(claim, becauseOf: refusal.refusal, &withdrawals)
        }
        return (outcomes.isEmpty ? [] : [.writeOutcomes(outcomes)], withdrawals)
    }

    /// The try of a claim was none: its request did not leave.
    private mutating func takeBack(_ id: ClaimID, _ claim: Claim) {
        changeSlot(of: claim, evenIfOld: true) { slot in
            slot.attempts.removeAll { $0.claim == id }
            if slot.round == claim.round { slot.attemptCount -= 1 }
        }
    }

    /// A beacon of which an earlier try was made keeps what is known of that; where another claim of the refused try is there, what became of
    /// it is unknown here.
    private mutating func withdraw(_ claim: Claim, becauseOf refusal: ClaimRefusal, _ result: inout Withdrawals) {
        guard claim.attempt > 1 else {
            let (state, reason) = refusal.stateOfFirstTry
            withdraw(claim, as: state, reason: reason, &result)
            // The owner of the other claim may have sent it: a session that follows must not, under whatever name.
            if refusal == .taken { note(.unknown, of: claim) }
            return
        }
        withdraw(claim, as: refusal == .taken ? .unknown : stateWithout(claim), refusal: refusal, &result)
    }
}

extension ClaimRefusal {
    /// What a claim leaves that is refused before anything was sent.
    fileprivate var stateOfFirstTry: (DeliveryState, SkipReason?) {
        switch self {
        case .taken: (.skipped, .duplicate)
        case .tooOld: (.skipped, .expired)
        case .notOwner: (.observed, .notOwner)
        case .storeAway: (.observed, .storeAway)
        case .observing: (.observed, nil)
        }
    }
}
