package import Ports

/// Schedules the metadata requests: one at a time, at an interval with jitter, less often after failures.
package struct PollSchedule: Hashable, Sendable {
    /// Relative spread of the interval, so that sessions do not poll in step.
    package static let jitter = 0.05
    /// Longest back-off delay, unless the server asks for more.
    package static let longestBackOff: Duration = .seconds(60)
    /// Upper limit for `Retry-After`; longer values are reduced to it.
    package static let longestRetryAfter: Duration = .seconds(300)

    package let interval: Duration
    package private(set) var isInFlight = false
    package private(set) var consecutiveFailures = 0
    /// Uptime of the next request; nil while one is in flight or before the start.
    package private(set) var nextPollAt: Duration?
    private var random: SplitMix64

    package init(interval: Duration = .seconds(4), seed: UInt64) {
        self.interval = interval
        random = SplitMix64(seed: seed)
    }

    /// The first request is due now.
    package mutating func started(at now: Moment) {
        nextPollAt = now.uptime
    }

    /// True when a request is due now; it then counts as in flight until `succeeded` or `failed`.
    package mutating func shouldPoll(at now: Moment) -> Bool {
        guard !isInFlight, let due = nextPollAt, due <= now.uptime else { return false }
        isInFlight = true
        nextPollAt = nil
        return true
    }

    /// Metadata arrived.
    package mutating func succeeded(at now: Moment) {
        isInFlight = false
        consecutiveFailures = 0
        nextPollAt = now.uptime + jittered(interval)
    }

    /// No metadata arrived; `retryAfter` is the value of the header field.
    package mutating func failed(retryAfter: String? = nil, at now: Moment) {
        isInFlight = false
        consecutiveFailures += 1
        let exponent = min(consecutiveFailures - 1, 10)
        let backOff = min(interval * (1 << exponent), max(Self.longestBackOff, interval))
        let asked = retryAfter.flatMap { RetryAfter.delay($0, at: now.wall) } ?? .zero
        nextPollAt = now.uptime + max(jittered(backOff), min(asked, Self.longestRetryAfter))
    }

    private mutating func jittered(_ span: Duration) -> Duration {
        .microseconds(Int64(Double(span.inMicroseconds) * random.factor(spread: Self.jitter)))
    }
}
