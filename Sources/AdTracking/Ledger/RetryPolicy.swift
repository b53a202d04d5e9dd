import Ports

/// Which beacons are repeated. The default repeats only what surely did not reach the tracker.
package enum RetrySetting: String, Hashable, Sendable, CaseIterable {
    /// Name resolution, connect and TLS handshake failed: no byte of the request left.
    case safe
    /// For tests of trackers: also timeouts, resets and, once, 5xx and 429. A tracker may count such a beacon twice.
    case standard
    case never

    package var policy: RetryPolicy {
        switch self {
        case .safe: .safe
        case .standard: .standard
        case .never: .never
        }
    }
}

/// When a beacon that did not arrive is tried again (TRK-15).
package struct RetryPolicy: Hashable, Sendable {
    /// Delays before the second, third and fourth attempt.
    package var delays: [Duration]
    /// Relative spread of each delay.
    package var jitter: Double
    /// Whether a request is repeated that may have arrived: its head was written, and no answer came.
    package var repeatsUnknown: Bool
    /// Tries again after an answer of 500 to 599, or 429.
    package var retriesAfterServerError: Int
    /// Whether a request is repeated after any answer but 200 and 204, as those of billing notices are (BID-20).
    package var repeatsAnyAnswer = false
    /// No attempt starts later than this after the end of the ad.
    package var afterAdEnd: Duration

    package static let safe = RetryPolicy(
        delays: delays, jitter: 0.2, repeatsUnknown: false, retriesAfterServerError: 0, afterAdEnd: .seconds(30))
    package static let standard = RetryPolicy(
        delays: delays, jitter: 0.2, repeatsUnknown: true, retriesAfterServerError: 1, afterAdEnd: .seconds(30))
    /// One try and no more, as the reference libraries do.
    package static let never = RetryPolicy(
        delays: [], jitter: 0, repeatsUnknown: false, retriesAfterServerError: 0, afterAdEnd: .zero)

    private static let delays: [Duration] = [.milliseconds(500), .seconds(2), .seconds(8)]

    package init(
        delays: [Duration], jitter: Double, repeatsUnknown: Bool, retriesAfterServerError: Int, afterAdEnd: Duration
    ) {
        self.delays = delays
        self.jitter = jitter
        self.repeatsUnknown = repeatsUnknown
        self.retriesAfterServerError = retriesAfterServerError
        self.afterAdEnd = afterAdEnd
    }

    /// Delay after attempt number `attempt` (from 1) ended with `exchange`; nil when there is no further attempt.
    ///
    /// If a redirect was followed, the named tracker has already answered and counted: a failure of a later hop is
    /// final.
    func wait(
        after exchange: HTTPExchange, attempt: Int, serverErrors: Int, at now: Moment, random: inout SplitMix64
    ) -> Duration? {
        guard attempt >= 1, attempt <= delays.count else { return nil }
        let delay = delays[attempt - 1]
        let jittered = Duration.microseconds(Int64(Double(delay.inMicroseconds) * random.factor(spread: jitter)))
        if let failure = exchange.failure {
            guard exchange.hops.isEmpty else { return nil }
            return failure.kind.isBeforeSending || repeatsUnknown && failure.kind.mayHaveArrived ? jittered : nil
        }
        guard let status = exchange.status else { return nil }
        if repeatsAnyAnswer { return status == 200 || status == 204 ? nil : jittered }
        guard (500..<600).contains(status) || status == 429, serverErrors <= retriesAfterServerError else { return nil }
        return max(jittered, RetryAfter.delay(of: exchange, at: now) ?? .zero)
    }
}

extension HTTPFailure.Kind {
    /// No byte of the request had left.
    package var isBeforeSending: Bool {
        switch self {
        case .resolve, .connect, .connectTimeout, .tls, .proxy: true
        case .timeout, .reset, .protocolError, .cancelled, .bodyTooLarge, .tooManyRedirects, .badRedirect,
            .redirectToReport, .addressNotAllowed:
            false
        }
    }

    /// The request was written, wholly or in part, and it is unknown whether the server received it.
    package var mayHaveArrived: Bool {
        switch self {
        case .timeout, .reset, .protocolError, .cancelled: true
        case .resolve, .connect, .connectTimeout, .tls, .proxy, .bodyTooLarge, .tooManyRedirects, .badRedirect,
            .redirectToReport, .addressNotAllowed:
            false
        }
    }
}

/// The policies of one ledger.
struct RetryPolicies: Sendable {
    /// The schedule of most events.
    let general: RetryPolicy
    /// Those of events with one of their own.
    var own: [EventID: RetryPolicy] = [:]

    subscript(event: EventID) -> RetryPolicy { own[event] ?? general }
}
