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
    package mutating func claimsRefused(_ refused: [RefusedClaim], at now: Moment) -> [LedgerEffect] {
        var outcomes: [OutcomeRecord] = []
        for refusal in refused {
            guard let claim = claims.removeValue(forKey: refusal.id) else { continue }
            inFlight -= 1
            // The journal granted it, and must not keep it as unknown.
            if claim.isSent, let record = outcome(of: refusal.id, claim, .skipped, status: nil, at: now) {
                outcomes.append(record)
            }
            withdraw(claim, refusal)
        }
        return outcomes.isEmpty ? [] : [.writeOutcomes(outcomes)]
    }

    private mutating func withdraw(_ claim: Claim, _ refused: RefusedClaim) {
        let (state, reason) = refused.refusal.state(ofAttempt: claim.attempt)
        settle(claim, as: state) { slot in
            slot.reason = reason
            guard claim.isSent else { return }
            slot.attemptCount -= 1
            slot.attempts.removeAll { $0.claim == refused.id }
        }
        _ = noteWithdrawn(claim)
    }
}

extension ClaimRefusal {
    /// What a refused claim leaves. A beacon of which an earlier try failed stays failed; where another claim of that try is there, what
    /// became of it is unknown here.
    fileprivate func state(ofAttempt attempt: Int) -> (DeliveryState, SkipReason?) {
        guard attempt == 1 else { return (self == .taken ? .unknown : .failed, nil) }
        return switch self {
        case .taken: (.skipped, .duplicate)
        case .tooOld: (.skipped, .expired)
        case .notOwner: (.observed, .notOwner)
        case .storeAway: (.observed, .storeAway)
        case .observing: (.observed, nil)
        }
    }
}
