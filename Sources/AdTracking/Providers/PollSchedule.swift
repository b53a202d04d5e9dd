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
    /// Why ``nextPollAt`` is what it is.
    package private(set) var reason = PollReason.start
    /// Where ``interval`` comes from.
    private var origin = PollReason.interval
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

    /// The first request is due now, or one more at once for that reason.
    package mutating func started(at now: Moment, because reason: PollReason = .start) {
        (nextPollAt, self.reason) = (now.uptime, reason)
    }

    /// Another interval, which counts from the next answer on.
    /// - Parameter origin: where it comes from.
    package mutating func changeInterval(to interval: Duration, from origin: PollReason) {
        (self.interval, self.origin) = (interval, origin)
    }

    /// What no answer has listed is in the media: the next request is due now, unless one is in flight or a server that fails is spared.
    package mutating func hurry() {
        if nextPollAt != nil, consecutiveFailures == 0 { (nextPollAt, reason) = (startedAt, .media) }
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

    /// The next request; nil while one is in flight or before the start.
    package var next: NextPoll? { nextPollAt.map { NextPoll(at: $0, reason: reason) } }

    /// The same of documents that need a playlist and come to an end.
    /// - Parameter earliest: uptime before which no playlist is looked for; nil while none is missing.
    func next(notBefore earliest: Duration?, until end: PollingEnd) -> NextPoll? {
        guard let next, let due = next.at else { return nil }
        if end.isReached { return NextPoll(at: nil, reason: .complete) }
        guard let earliest, earliest > due else { return next }
        return NextPoll(at: earliest, reason: .playlist)
    }

    /// Shortest time between a failure and the next request.
    private var pause: Duration { interval / 4 }

    /// Metadata arrived.
    package mutating func succeeded(at now: Moment) {
        isInFlight = false
        consecutiveFailures = 0
        (nextPollAt, reason) = (now.uptime + jittered(interval), origin)
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
        let own = backOff(at: now)
        (nextPollAt, reason) = wanted > own ? (wanted, .retryAfter) : (own, .failure)
    }

    /// Uptime of the request after a failure at `now`, as the schedule has it.
    private mutating func backOff(at now: Moment) -> Duration {
        guard !isEarlier else {
            let doubled = interval * (1 << min(consecutiveFailures - 1, 10))
            return now.uptime + jittered(min(doubled, max(Self.longestBackOffEarlier, interval)))
        }
        let backOff = jittered(interval * min(consecutiveFailures, Self.longestBackOff))
        return max(startedAt + backOff, now.uptime + jittered(pause))
    }

    private mutating func jittered(_ span: Duration) -> Duration {
        .microseconds(Int64(Double(span.inMicroseconds) * random.factor(spread: Self.jitter)))
    }
}
