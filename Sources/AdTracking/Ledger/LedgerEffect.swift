package import Ports

/// Identifies a claim while the process lives; sends and answers refer to it.
package struct ClaimID: Hashable, Comparable, Sendable {
    /// Whose beacon is sent. Each owner has a ledger of its own; all of them share one journal.
    package enum Owner: Sendable, CaseIterable {
        /// The ads of the stream.
        case stream
        /// The ad spaces beside the stream.
        case adSpace
        /// The notices of auctions.
        case notice
        /// The pings by which the service of the stream learns the position of its player.
        case ping

        /// The number of the owner's first claim: recordings and journals have claims as plain numbers.
        package var firstNumber: Int {
            switch self {
            case .stream: 1
            case .adSpace: 1 << 40
            case .notice: 1 << 50
            case .ping: 1 << 52
            }
        }
    }

    package var number: Int
    package init(_ number: Int) { self.number = number }

    package var owner: Owner {
        if number >= Owner.ping.firstNumber { return .ping }
        if number >= Owner.notice.firstNumber { return .notice }
        return number >= Owner.adSpace.firstNumber ? .adSpace : .stream
    }

    package static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// A claim as the journal stores it before the beacon is sent.
package struct ClaimRecord: Hashable, Sendable {
    package var id: ClaimID
    package var key: URLKey
    /// Number of the user action for a user event; 0 for other events.
    package var round: Int
    /// Attempt number, from 1.
    package var attempt: Int
    package var at: Moment
    /// Media time between the due time and the first claim; nil for events without a due time.
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

/// The end of a claim as the journal stores it.
package struct OutcomeRecord: Hashable, Sendable {
    package var id: ClaimID
    package var key: URLKey
    package var round: Int
    package var attempt: Int
    /// One of `acknowledged`, `rejected`, `failed` and `skipped`.
    package var state: DeliveryState
    package var status: Int?
    package var at: Moment
    /// How late the beacon was when its request was written, where that was later than its claim.
    package var late: Duration?

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

/// A beacon as the journal recorded it before the process started: its last claim, and the end of that claim if known.
package struct RestoredBeacon: Hashable, Sendable {
    package var key: URLKey
    package var round: Int
    package var attempt: Int
    /// Nil when the process ended between claim and answer.
    package var outcome: DeliveryState?
    /// Whether the viewer continues in this process, so that a try that failed may be followed by another one.
    package var goesOn = false

    package init(key: URLKey, round: Int, attempt: Int, outcome: DeliveryState?) {
        self.key = key
        self.round = round
        self.attempt = attempt
        self.outcome = outcome
    }

    /// Whether another try may follow in this process.
    var mayBeTriedAgain: Bool { goesOn && outcome == .failed && round == 0 }
}

/// A beacon to send now.
package struct BeaconOrder: Hashable, Sendable {
    package var claim: ClaimID
    package var event: EventID
    package var url: WebURL
    package var addressRule: AddressRule
    package var redirectRule: RedirectRule

    package init(claim: ClaimID, event: EventID, url: WebURL, gate: SendGate) {
        self.claim = claim
        self.event = event
        self.url = url
        addressRule = gate.addressRule
        redirectRule = gate.redirectRule
    }
}

/// Work for the edge, to be done in this order.
package enum LedgerEffect: Hashable, Sendable {
    /// Write and flush, then call ``Ledger/claimsWritten(_:at:)``: a claim is sent only when it is on disk.
    case writeClaims([ClaimRecord])
    case send([BeaconOrder])
    case writeOutcomes([OutcomeRecord])
}
