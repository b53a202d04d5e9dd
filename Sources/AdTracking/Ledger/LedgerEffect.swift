package import Ports

/// Names one claim while the process lives: what a send and its answer refer to.
package struct ClaimID: Hashable, Comparable, Sendable {
    package var number: Int
    package init(_ number: Int) { self.number = number }
    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A claim as the journal stores it before the beacon is sent.
package struct ClaimRecord: Hashable, Sendable {
    package var id: ClaimID
    package var key: URLKey
    /// Counts the user's actions on a user event; 0 for others.
    package var round: Int
    /// 1 for the first try.
    package var attempt: Int
    package var at: Moment
    /// Media time that had passed since its moment when it was first claimed; nil where it has none.
    package var late: Duration?

    package init(id: ClaimID, key: URLKey, round: Int, attempt: Int, at: Moment, late: Duration? = nil) {
        self.id = id
        self.key = key
        self.round = round
        self.attempt = attempt
        self.at = at
        self.late = late
    }
}

/// How a claim ended, as the journal stores it.
package struct OutcomeRecord: Hashable, Sendable {
    package var id: ClaimID
    package var key: URLKey
    package var round: Int
    package var attempt: Int
    /// `acknowledged`, `rejected`, `failed` or `skipped`.
    package var state: DeliveryState
    package var status: Int?
    package var at: Moment

    package init(
        id: ClaimID, key: URLKey, round: Int, attempt: Int, state: DeliveryState, status: Int?, at: Moment
    ) {
        self.id = id
        self.key = key
        self.round = round
        self.attempt = attempt
        self.state = state
        self.status = status
        self.at = at
    }
}

/// What a journal knew of a beacon when the process began: its last claim, and that claim's end if it had one.
package struct RestoredBeacon: Hashable, Sendable {
    package var key: URLKey
    package var round: Int
    package var attempt: Int
    /// Nil when the process died between claim and answer.
    package var outcome: DeliveryState?

    package init(key: URLKey, round: Int, attempt: Int, outcome: DeliveryState?) {
        self.key = key
        self.round = round
        self.attempt = attempt
        self.outcome = outcome
    }
}

/// A beacon to send now.
package struct BeaconOrder: Hashable, Sendable {
    package var claim: ClaimID
    package var event: EventID
    package var url: WebURL
    package var addressRule: AddressRule

    package init(claim: ClaimID, event: EventID, url: WebURL, addressRule: AddressRule) {
        self.claim = claim
        self.event = event
        self.url = url
        self.addressRule = addressRule
    }
}

/// What the ledger wants done at the edge, in this order.
package enum LedgerEffect: Hashable, Sendable {
    /// Write and flush, then call ``Ledger/claimsWritten(_:at:)``: a claim that is not on disk is not sent.
    case writeClaims([ClaimRecord])
    case send([BeaconOrder])
    case writeOutcomes([OutcomeRecord])
}
