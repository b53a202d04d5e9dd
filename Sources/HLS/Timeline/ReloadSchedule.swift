package import Ports

/// When to request the media playlist next, and whether it is stale (HLS-8, HLS-9, rfc8216bis-22 section 6.3.4).
package struct ReloadSchedule: Equatable, Sendable {
    /// Delay after the first of consecutive errors; doubled with each further error, up to the target duration.
    package static let firstErrorDelay: Duration = .seconds(1)
    /// Longest error delay while no target duration is known.
    package static let errorDelayLimit: Duration = .seconds(8)
    /// Time without any playlist after which the stream is stuck: 3.5 target durations of 6 s, since its own is not known yet (HLS-31).
    package static let openingPatience: Duration = .seconds(21)
    /// Longest delay, whatever lengths a playlist states: they may be in the wrong unit for one answer.
    package static let longestDelay: Duration = .seconds(60)
    /// A target duration that is so many times as long as the longest segment is wrong, and so is the length of a segment that is so many
    /// times as long as the target duration.
    private static let plausibleFactor = 10
    /// Number of consecutive timeouts after which the request is repeated at once.
    package static let promptRetries = 2
    /// Range of the jitter, as a fraction of the delay.
    package static let jitterSpread = 0.05

    /// The result of the last answer; nil before the first.
    package private(set) var lastOutcome: ReloadOutcome?
    /// When to request next; nil after ENDLIST and before the first answer.
    package private(set) var nextReload: Moment?
    /// Consecutive answers without a usable playlist.
    package private(set) var consecutiveErrors = 0
    /// Consecutive requests without an answer in time.
    private var consecutiveTimeouts = 0
    /// When the playlist last grew: the start of that request, or its end if the server held it.
    package private(set) var lastAdvance: Moment?
    /// The start of the first request that was answered.
    private var opened: Moment?

    private var jitter: SplitMix64?
    private let minimumDelay: Duration

    /// Without a seed, delays are exact, as the conformance sequences require. With a seed, for live use, delays vary
    /// by `jitterSpread` so that many monitors do not poll in step. Requests are never closer together than
    /// `minimumDelay`.
    package init(jitterSeed: UInt64? = nil, minimumDelay: Duration = .zero) {
        jitter = jitterSeed.map { SplitMix64(seed: $0) }
        self.minimumDelay = minimumDelay
    }

    /// How one answer was delivered.
    package struct Delivery: Equatable, Sendable {
        /// Whether the server held the request until there was new media.
        package var wasBlocking = false
        /// Whether it may hold the next one.
        package var mayBlock = true
        /// Retry-After of the answer.
        package var retryAfter: Duration?
        /// Whether no answer came in time.
        package var isTimeout = false

        package init(
            wasBlocking: Bool = false, mayBlock: Bool = true, retryAfter: Duration? = nil, isTimeout: Bool = false
        ) {
            self.isTimeout = isTimeout
            self.wasBlocking = wasBlocking
            self.mayBlock = mayBlock
            self.retryAfter = retryAfter
        }
    }

    /// Records an answer and schedules the next request. `requested` and `answered` are the start and the end of the
    /// exchange. Returns `stale-playlist` or `playlist-stuck` when one applies.
    package mutating func noteAnswer(
        _ outcome: ReloadOutcome, hasAdvanced: Bool = false, timeline: Timeline, requested: Moment, answered: Moment,
        delivery: Delivery = Delivery()
    ) -> [Finding] {
        // The time that a server held a request is not part of the age of its answer.
        let news = delivery.wasBlocking ? answered : requested
        let repeatsIncompleteDelta = outcome == .deltaIncomplete && lastOutcome == .deltaIncomplete
        switch outcome {
        case .changed, .unchanged: consecutiveErrors = 0
        case .error, .invalid: consecutiveErrors += 1
        case .deltaIncomplete: consecutiveErrors = repeatsIncompleteDelta ? consecutiveErrors + 1 : 0
        }
        consecutiveTimeouts = delivery.isTimeout ? consecutiveTimeouts + 1 : 0
        lastOutcome = outcome
        opened = opened ?? requested
        if hasAdvanced || lastAdvance == nil && outcome == .changed { lastAdvance = news }
        plan(outcome, timeline: timeline, requested: requested, answered: answered, delivery: delivery)
        return outcome == .unchanged || outcome == .error || outcome == .invalid
            ? staleness(at: news, timeline: timeline) : []
    }

    /// Uptime at which the playlist becomes stale unless it grows; nil when it cannot become stale.
    package func staleUptime(timeline: Timeline) -> Duration? {
        guard let lastAdvance, let target = Self.target(of: timeline), !timeline.hasEnded else { return nil }
        return lastAdvance.uptime + target * 3 / 2
    }

    /// Uptime from which on the playlist is stuck (``ReloadRule/playlistStuck``) unless it grows; nil when it cannot be.
    /// Before any playlist was read that is ``openingPatience`` after the first request.
    package func stuckUptime(timeline: Timeline) -> Duration? {
        guard timeline.playlist != nil else { return opened.map { $0.uptime + Self.openingPatience } }
        guard let lastAdvance, let target = Self.target(of: timeline), !timeline.hasEnded else { return nil }
        return lastAdvance.uptime + target * 7 / 2 + .microseconds(1)
    }

    /// Schedules the playlist of another variant at once, or after consecutive errors at the time already planned.
    mutating func variantChanged(at moment: Moment) {
        guard consecutiveErrors <= VariantChoice.failureLimit else { return }
        nextReload = moment
    }

    /// Schedules the playlist of a variant that was not tried yet: those are few, and each is tried once.
    mutating func tryAtOnce(at moment: Moment) {
        nextReload = moment.advanced(by: minimumDelay)
    }

    /// One finding for one cause: `stale-playlist` (no growth for 1.5 target durations, rfc8216bis-22 section 6.3.4), and beyond 3.5
    /// `playlist-stuck` in its place.
    package func staleness(at moment: Moment, timeline: Timeline) -> [Finding] {
        guard let lastAdvance, let target = Self.target(of: timeline), !timeline.hasEnded else { return [] }
        let age = moment.uptime - lastAdvance.uptime
        guard age * 2 >= target * 3 else { return [] }
        let isStuck = age * 2 > target * 7
        return [
            Finding(
                rule: isStuck ? ReloadRule.playlistStuck : .stalePlaylist, severity: isStuck ? .error : .warning,
                message: "no new media for \(age.tenthsText) s with a target duration of \(target.secondsText) s",
                section: "rfc8216bis-22 6.3.4")
        ]
    }

    private mutating func plan(
        _ outcome: ReloadOutcome, timeline: Timeline, requested: Moment, answered: Moment, delivery: Delivery
    ) {
        guard !timeline.hasEnded else {
            nextReload = nil
            return
        }
        guard var delay = delay(after: outcome, timeline: timeline, mayBlock: delivery.mayBlock) else {
            // A blocking server paces the requests itself.
            nextReload = max(answered, requested.advanced(by: minimumDelay))
            return
        }
        if jitter != nil { delay = delay * (jitter?.factor(spread: Self.jitterSpread) ?? 1) }
        // The server's pause begins with its answer, and jitter does not shorten it (RFC 9110 section 10.2.3).
        let pause = min(delivery.retryAfter ?? .zero, Limits.retryAfter)
        nextReload = max(answered.advanced(by: pause), requested.advanced(by: max(delay, minimumDelay)))
    }

    /// The delay from the start of the request; nil means at once.
    private func delay(after outcome: ReloadOutcome, timeline: Timeline, mayBlock: Bool) -> Duration? {
        let target = Self.target(of: timeline)
        let isBlocking =
            mayBlock && timeline.prefersLowLatency && timeline.playlist?.serverControl?.canBlockReload == true
        switch outcome {
        case .changed:
            let length = timeline.listed.last.map { Self.plausible($0.duration, target: target) }
            return isBlocking ? nil : length ?? target ?? Self.firstErrorDelay
        case .unchanged:
            return (target ?? Self.firstErrorDelay) / 2
        case .deltaIncomplete where consecutiveErrors == 0:
            return nil
        // The time of a wait in vain has passed already.
        case .error where (1...Self.promptRetries).contains(consecutiveTimeouts):
            return nil
        case .deltaIncomplete, .error, .invalid:
            let doublings = min(max(0, consecutiveErrors - 1), 16)
            return min(Self.firstErrorDelay * (1 << doublings), target ?? Self.errorDelayLimit)
        }
    }

    /// The length of the last segment, also where it breaks the target duration (rfc8216bis-22 section 6.3.4); in its place the target
    /// duration where the length is in another unit.
    private static func plausible(_ length: Duration, target: Duration?) -> Duration {
        guard let target, length > target * plausibleFactor else { return min(length, longestDelay) }
        return target
    }

    /// The target duration as far as it is plausible.
    package static func target(of timeline: Timeline) -> Duration? {
        guard let target = timeline.targetDuration else { return nil }
        let longest = timeline.listed.lazy.map(\.duration).max() ?? target
        return min(target, longest > .zero ? longest * plausibleFactor : target, longestDelay)
    }
}

private func max(_ left: Moment, _ right: Moment) -> Moment {
    left.uptime < right.uptime ? right : left
}
