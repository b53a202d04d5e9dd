import Ports

/// When a beacon that did not arrive is tried again (TRK-15).
package struct RetryPolicy: Hashable, Sendable {
    /// Waits before the second, third and fourth try.
    package var delays: [Duration]
    /// Spread of each wait.
    package var jitter: Double
    /// Tries again after an answer of 500 to 599.
    package var retriesAfterServerError: Int
    /// No try begins later than this after the end of the ad.
    package var afterAdEnd: Duration

    package static let standard = RetryPolicy(
        delays: [.milliseconds(500), .seconds(2), .seconds(8)], jitter: 0.2, retriesAfterServerError: 1,
        afterAdEnd: .seconds(30))
    /// One try and no more, as the reference libraries do.
    package static let never = RetryPolicy(delays: [], jitter: 0, retriesAfterServerError: 0, afterAdEnd: .zero)

    package init(delays: [Duration], jitter: Double, retriesAfterServerError: Int, afterAdEnd: Duration) {
        self.delays = delays
        self.jitter = jitter
        self.retriesAfterServerError = retriesAfterServerError
        self.afterAdEnd = afterAdEnd
    }

    /// How long to wait after try number `attempt` (from 1) ended with `exchange`; nil when there is no further one.
    ///
    /// Where a redirect was followed the named tracker has answered, and has counted: a later hop's failure is final.
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
    /// Whether another try can end otherwise.
    fileprivate var mayPass: Bool {
        switch self {
        case .resolve, .connect, .connectTimeout, .tls, .timeout, .reset, .protocolError: true
        case .bodyTooLarge, .tooManyRedirects, .badRedirect, .addressNotAllowed, .cancelled: false
        }
    }
}
