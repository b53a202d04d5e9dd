package import Ports

/// What became of one event: its URLs and their aggregate.
package struct EventDelivery: Sendable, Hashable {
    /// In the order of metadata, later additions last.
    package internal(set) var urls: [URLDelivery]

    /// The state of the event (TRK-13): what its URLs, the skipped ones aside, have in common.
    package var state: ReportingState {
        func has(_ states: DeliveryState...) -> Bool { urls.contains { states.contains($0.state) } }
        if has(.claimed, .sent, .waiting) { return .connecting }
        if has(.acknowledged) { return has(.rejected, .failed, .unknown) ? .partial : .done }
        if has(.unknown) { return .unknown }
        if has(.rejected, .failed) { return .failed }
        if has(.observed) { return .observed }
        return has(.skipped) && !has(.planned) ? .skipped : .idle
    }

    /// Of the first URL that was skipped.
    package var skipReason: SkipReason? { urls.lazy.compactMap(\.reason).first }
}

/// What became of one URL of an event.
package struct URLDelivery: Sendable, Hashable {
    /// As written: with its event it is the identity of the beacon.
    package internal(set) var url: String
    /// With its macros filled, once claimed; nil where there are none to fill.
    package internal(set) var filled: String?
    package internal(set) var state = DeliveryState.planned
    /// Why, for `skipped`.
    package internal(set) var reason: SkipReason?
    /// Counts the user's actions on a user event; 0 for others.
    package internal(set) var round = 0
    /// Newest last, at most ``Ledger/attemptsKept``.
    package internal(set) var attempts: [BeaconAttempt] = []
    /// Tries of the current round, forgotten ones included.
    package internal(set) var attemptCount = 0
    /// Uptime of the next try, when `waiting`.
    package internal(set) var retryAt: Duration?
    /// Media time that had passed since its moment when it was claimed; nil before.
    package internal(set) var late: Duration?
    /// Still in metadata; one that is not is kept for what was sent.
    package internal(set) var isListed = true

    init(url: String) {
        self.url = url
    }
}

/// One try at one URL.
package struct BeaconAttempt: Sendable, Hashable {
    let claim: ClaimID
    package let at: Moment
    /// Nil while in flight.
    package internal(set) var answer: BeaconAnswer?
}

/// What is kept of a beacon's answer.
package struct BeaconAnswer: Sendable, Hashable {
    package var status: Int?
    package var failure: HTTPFailure?
    /// All but the last are redirects; fields reduced to ``keptFields``.
    package var hops: [HTTPExchange.Hop]
    package var timings: HTTPExchange.Timings
    package var contentType: String?
    package var bytes: Int

    /// Header fields worth keeping of every hop (lower case).
    package static let keptFields: Set<String> = ["location", "content-type", "retry-after", "server"]

    package init(_ exchange: HTTPExchange) {
        status = exchange.status
        failure = exchange.failure
        hops = exchange.hops.map { hop in
            HTTPExchange.Hop(
                url: hop.url, status: hop.status,
                fields: hop.fields.filter { Self.keptFields.contains($0.name.lowercased()) })
        }
        timings = exchange.timings
        contentType = exchange.contentType
        bytes = exchange.bodyBytes
    }
}
