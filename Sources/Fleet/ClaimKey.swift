/// What a claim in the store is of: unique over all agents (FLT-8).
package struct ClaimKey: Hashable, Comparable, Sendable {
    package var viewer: Int
    /// When the event was due as the owner that claimed it first saw it.
    package var due: Duration
    /// Hash of what the beacon is, as a number.
    package var beacon: UInt64
    /// 1 for the first try.
    package var attempt: Int

    package init(viewer: Int, due: Duration, beacon: UInt64, attempt: Int = 1) {
        self.viewer = viewer
        self.due = due
        self.beacon = beacon
        self.attempt = attempt
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.viewer, left.due, left.beacon, left.attempt) < (right.viewer, right.due, right.beacon, right.attempt)
    }
}

/// What became of a request. A claim without one counts as `unknown` (FLT-5).
package enum ClaimOutcome: Hashable, Sendable {
    /// The tracker answered 2xx.
    case acknowledged
    /// The tracker answered something else.
    case rejected
    /// The request surely did not arrive.
    case failed
    /// A byte left and no answer came.
    case unknown
    /// Granted, and not used.
    case skipped
}

/// A claim as an agent asks for it.
package struct ClaimRequest: Hashable, Sendable {
    package var key: ClaimKey
    package var epoch: Int
    /// Counts the claims of an owner in its epoch: (viewer, epoch, number) names one claim for ever.
    package var number: Int
    /// Event type and URL as they were seen, by which a successor knows the beacon again.
    package var type: String
    package var url: String

    package init(key: ClaimKey, epoch: Int, number: Int, type: String, url: String) {
        self.key = key
        self.epoch = epoch
        self.number = number
        self.type = type
        self.url = url
    }
}

/// A claim as the store keeps it.
package struct StoredClaim: Hashable, Sendable {
    package var request: ClaimRequest
    package var outcome: ClaimOutcome?

    package init(request: ClaimRequest, outcome: ClaimOutcome? = nil) {
        self.request = request
        self.outcome = outcome
    }
}

/// The store's answer to one claim.
package enum ClaimResult: Hashable, Sendable {
    case granted
    /// Another claim of that key is there.
    case taken
    case notOwner
    /// Due before the epoch's `dueFrom`.
    case tooOld
}
