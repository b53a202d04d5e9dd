package import Ports

/// Why a journal that several processes share did not grant a claim. The process that asked sent nothing of the beacon.
package enum ClaimRefusal: String, Hashable, Sendable, CaseIterable {
    /// Another claim of the same beacon is there, so the beacon is done.
    case taken
    /// The viewer belongs to another agent now.
    case notOwner = "not-owner"
    /// Due before the time from which the owner may claim.
    case tooOld = "too-old"
    /// The agent had no lease when the request was to leave.
    case storeAway = "store-away"
    /// The whole fleet observes.
    case observing

    /// The reason as a clause.
    package var words: String {
        switch self {
        case .taken: "another claim of it is there"
        case .notOwner: SkipReason.notOwner.words.sentence
        case .tooOld: SkipReason.expired.words.sentence
        case .storeAway: SkipReason.storeAway.words.sentence
        case .observing: SkipReason.observeMode.words.sentence
        }
    }
}

/// A claim that was not granted, or whose request may no longer leave.
package struct RefusedClaim: Hashable, Sendable {
    package var id: ClaimID
    package var refusal: ClaimRefusal

    package init(id: ClaimID, refusal: ClaimRefusal) {
        self.id = id
        self.refusal = refusal
    }
}

extension Ledger {
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
