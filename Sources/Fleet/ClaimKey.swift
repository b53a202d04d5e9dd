/// What a claim in the store is of: unique over all agents (FLT-8).
package struct ClaimKey: Hashable, Comparable, Sendable {
    package var viewer: Int
    /// When the event was due as the owner that claimed it first saw it.
    package var due: Duration
    package var beacon: BeaconID
    /// Number of the viewer's action; 0 for other beacons.
    package var round: Int
    /// 1 for the first try.
    package var attempt: Int

    package init(viewer: Int, due: Duration, beacon: BeaconID, round: Int = 0, attempt: Int = 1) {
        self.viewer = viewer
        self.due = due
        self.beacon = beacon
        self.round = round
        self.attempt = attempt
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.viewer, left.due, left.beacon, left.round, left.attempt)
            < (right.viewer, right.due, right.beacon, right.round, right.attempt)
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
    /// As it was seen, so that a successor knows it again.
    package var beacon: DueBeacon
    package var epoch: Int
    /// Counts the claims of an owner in its epoch: (viewer, epoch, number) names one claim for ever.
    package var number: Int

    package init(_ beacon: DueBeacon, epoch: Int, number: Int) {
        self.beacon = beacon
        self.epoch = epoch
        self.number = number
    }

    package var key: ClaimKey { beacon.key }
    package var owner: ViewerEpoch { ViewerEpoch(viewer: beacon.key.viewer, epoch: epoch) }
}

/// A claim as the store keeps it.
package struct StoredClaim: Hashable, Sendable {
    package var request: ClaimRequest
    package var outcome: ClaimOutcome?
    /// The status of the answer.
    package var status: Int?
    /// Time from the grant to the outcome.
    package var took: Duration?

    package init(request: ClaimRequest, outcome: ClaimOutcome? = nil, status: Int? = nil, took: Duration? = nil) {
        self.request = request
        self.outcome = outcome
        self.status = status
        self.took = took
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
