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
