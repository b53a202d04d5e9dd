package import Ports

/// What became of one event: its URLs and their aggregate.
package struct EventDelivery: Sendable, Hashable {
    /// In the order of metadata, later additions last.
    package var urls: [URLDelivery]

    package init(urls: [URLDelivery] = []) {
        self.urls = urls
    }
}

/// What became of one URL of an event.
package struct URLDelivery: Sendable, Hashable {
    package var url: String
    package var state: DeliveryState
    /// Why, for `skipped`.
    package var reason: SkipReason?
    /// Counts the user's actions on a user event; 0 for others.
    package var round: Int
    /// Newest last, at most ``Ledger/attemptsKept``.
    package var attempts: [BeaconAttempt]
    /// Attempts ever made in the current round.
    package var attemptCount: Int
    /// Uptime of the next try, when `waiting`.
    package var retryAt: Duration?
    /// Media time that had passed since its moment when it was claimed; nil before.
    package var late: Duration?
    /// Still in metadata; one that is not is kept for what was sent.
    package var isListed: Bool
}

/// One try at one URL.
package struct BeaconAttempt: Sendable, Hashable {
    package var at: Moment
    /// Nil while in flight, and for ever when the process did not live to see it.
    package var answer: BeaconAnswer?
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
