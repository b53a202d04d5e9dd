package import Ports

/// Schedules the metadata requests: one at a time, at an interval with jitter, at most half as often after failures
/// (TRK-20).
///
/// A break is listed only for a while, so what is not asked for in time is lost: the back-off is short and counts from
/// the start of the failed request, so that waiting in vain does not add to it.
package struct PollSchedule: Hashable, Sendable {
    /// Relative spread of the interval, so that sessions do not poll in step.
    package static let jitter = 0.05
    /// Longest back-off delay in intervals, unless the server asks for more.
    package static let longestBackOff = 2
    /// Longest back-off delay of earlier versions.
    private static let longestBackOffEarlier: Duration = .seconds(60)
    /// Shortest and longest time limit of a request.
    package static let timeouts: ClosedRange<Duration> = .seconds(5)...Limits.requestTimeout

    package private(set) var interval: Duration
    package private(set) var isInFlight = false
    package private(set) var consecutiveFailures = 0
    /// Uptime of the next request; nil while one is in flight or before the start.
    package private(set) var nextPollAt: Duration?
    private var random: SplitMix64
    /// Uptime at which the request in flight was made.
    private var startedAt: Duration = .zero
    /// Whether the next request gets the longest time limit, because one with the usual limit ran into it.
    private var isPatient = false

    /// Whether delays double up to a minute, as in earlier versions, so that their recordings replay.
    private let isEarlier: Bool

    package init(interval: Duration = .seconds(4), seed: UInt64, isEarlier: Bool = false) {
        self.interval = interval
        self.isEarlier = isEarlier
        random = SplitMix64(seed: seed)
    }

    /// The first request is due now.
    package mutating func started(at now: Moment) {
        nextPollAt = now.uptime
    }

    /// Another interval, which counts from the next answer on.
    package mutating func changeInterval(to interval: Duration) {
        self.interval = interval
    }

    /// The next request is due now, unless one is in flight or a server that fails is spared.
    package mutating func hurry() {
        if nextPollAt != nil, consecutiveFailures == 0 { nextPollAt = startedAt }
    }

    /// True when a request is due now; it then counts as in flight until `succeeded` or `failed`.
    package mutating func shouldPoll(at now: Moment) -> Bool {
        guard !isInFlight, let due = nextPollAt, due <= now.uptime else { return false }
        isInFlight = true
        nextPollAt = nil
        startedAt = now.uptime
        return true
    }

    /// Time limit of the next request: together with ``pause`` the longest back-off, so that a server that does not
    /// answer is asked as often as one that answers with an error. After a timeout the limit is the longest one, and
    /// stays while answers arrive; the next timeout makes it the usual one again. So a slow server is heard, and one
    /// that hangs is not waited for twice.
    package var timeout: Duration {
        let usual = max(Self.timeouts.lowerBound, interval * Self.longestBackOff - pause)
        return isPatient ? Self.timeouts.upperBound : min(usual, Self.timeouts.upperBound)
    }

    /// Shortest time between a failure and the next request.
    private var pause: Duration { interval / 4 }

    /// Metadata arrived.
    package mutating func succeeded(at now: Moment) {
        isInFlight = false
        consecutiveFailures = 0
        nextPollAt = now.uptime + jittered(interval)
    }

    /// No metadata arrived.
    /// - Parameters:
    ///   - retryAfter: the field of that name.
    ///   - date: the `Date` field.
    package mutating func failed(
        retryAfter: String? = nil, answered date: String? = nil, isTimeout: Bool = false, at now: Moment
    ) {
        isInFlight = false
        consecutiveFailures += 1
        if isTimeout { isPatient.toggle() }
        let asked = retryAfter.flatMap { RetryAfter.delay($0, answered: date, at: now.wall) } ?? .zero
        let wanted = now.uptime + min(asked, Limits.retryAfter)
        guard !isEarlier else {
            let doubled = interval * (1 << min(consecutiveFailures - 1, 10))
            nextPollAt = max(now.uptime + jittered(min(doubled, max(Self.longestBackOffEarlier, interval))), wanted)
            return
        }
        let backOff = jittered(interval * min(consecutiveFailures, Self.longestBackOff))
        nextPollAt = max(startedAt + backOff, now.uptime + jittered(pause), wanted)
    }

    private mutating func jittered(_ span: Duration) -> Duration {
        .microseconds(Int64(Double(span.inMicroseconds) * random.factor(spread: Self.jitter)))
    }
}
