import Ports

/// Decides when a beacon that did not arrive is sent again (TRK-15).
package struct RetryPolicy: Hashable, Sendable {
    /// Delays before the second, third and fourth attempt.
    package var delays: [Duration]
    /// Relative spread of each delay.
    package var jitter: Double
    /// Number of further attempts after an answer of 500 to 599.
    package var retriesAfterServerError: Int
    /// No attempt starts later than this after the end of the ad.
    package var afterAdEnd: Duration

    package static let standard = RetryPolicy(
        delays: [.milliseconds(500), .seconds(2), .seconds(8)], jitter: 0.2, retriesAfterServerError: 1,
        afterAdEnd: .seconds(30))
    /// A single attempt, as in the reference libraries.
    package static let never = RetryPolicy(delays: [], jitter: 0, retriesAfterServerError: 0, afterAdEnd: .zero)

    package init(delays: [Duration], jitter: Double, retriesAfterServerError: Int, afterAdEnd: Duration) {
        self.delays = delays
        self.jitter = jitter
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
            return exchange.hops.isEmpty && failure.kind.mayPass ? jittered : nil
        }
        guard let status = exchange.status, (500..<600).contains(status), serverErrors <= retriesAfterServerError
        else { return nil }
        let asked = exchange.fields["retry-after"].flatMap { RetryAfter.delay($0, at: now.wall) } ?? .zero
        return max(jittered, asked)
    }
}

extension HTTPFailure.Kind {
    /// Whether another attempt may succeed.
    fileprivate var mayPass: Bool {
        switch self {
        case .resolve, .connect, .connectTimeout, .tls, .timeout, .reset, .protocolError: true
        case .bodyTooLarge, .tooManyRedirects, .badRedirect, .addressNotAllowed, .cancelled: false
        }
    }
}
