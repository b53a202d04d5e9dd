package import Ports

/// When to ask for metadata next: one request at a time, at an interval with jitter, slower after failures.
package struct PollSchedule: Hashable, Sendable {
    /// Spread of the interval, so that many sessions do not ask in step.
    package static let jitter = 0.05
    /// Back-off never waits longer than this, unless the server asks for more.
    package static let longestBackOff: Duration = .seconds(60)
    /// A `Retry-After` beyond this is not believed.
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

    /// True when a request is to be sent now; it then counts as in flight until `succeeded` or `failed`.
    package mutating func shouldPoll(at now: Moment) -> Bool {
        guard !isInFlight, let due = nextPollAt, due <= now.uptime else { return false }
        isInFlight = true
        nextPollAt = nil
        return true
    }

    /// Metadata came.
    package mutating func succeeded(at now: Moment) {
        isInFlight = false
        consecutiveFailures = 0
        nextPollAt = now.uptime + jittered(interval)
    }

    /// No metadata came; `retryAfter` is the field's text.
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
