package import Ports

/// When the media playlist is asked for next, and whether it has gone stale (hls-timeline 2.1, rfc8216bis-22 section
/// 6.3.4).
package struct ReloadSchedule: Equatable, Sendable {
    /// Delay after the first of several errors; doubled with each further one up to the target duration.
    package static let firstErrorDelay: Duration = .seconds(1)
    /// Where no target duration is known yet.
    package static let errorDelayLimit: Duration = .seconds(8)
    /// The longest Retry-After that is honoured.
    package static let retryAfterLimit: Duration = .seconds(300)
    /// Spread of the delay, as a part of it, when jitter is on.
    package static let jitterSpread = 0.05

    /// The result of the last answer; nil before the first.
    package private(set) var lastOutcome: ReloadOutcome?
    /// Nil when there is nothing more to ask for: after ENDLIST or before the first answer.
    package private(set) var nextReload: Moment?
    /// Answers without a usable playlist in a row.
    package private(set) var consecutiveErrors = 0
    /// When the playlist last grew: the start of that request, or its end where the server held it.
    package private(set) var lastAdvance: Moment?

    private var jitter: SplitMix64?
    private let minimumDelay: Duration

    /// Exact delays, as the conformance sequences have them; with a seed, for live use, delays vary by `jitterSpread`
    /// so that many monitors do not ask in step, and requests are never closer than `minimumDelay`.
    package init(jitterSeed: UInt64? = nil, minimumDelay: Duration = .zero) {
        jitter = jitterSeed.map { SplitMix64(seed: $0) }
        self.minimumDelay = minimumDelay
    }

    /// The delivery of one answer.
    package struct Delivery: Equatable, Sendable {
        /// The server held the request until there was something new.
        package var wasBlocking = false
        /// It may hold the next one.
        package var mayBlock = true
        /// Retry-After of the answer.
        package var retryAfter: Duration?

        package init(wasBlocking: Bool = false, mayBlock: Bool = true, retryAfter: Duration? = nil) {
            self.wasBlocking = wasBlocking
            self.mayBlock = mayBlock
            self.retryAfter = retryAfter
        }
    }

    /// Notes an answer and plans the next request. `requested` and `answered` are start and end of the exchange.
    /// Returns `stale-playlist` and `playlist-stuck` where they apply.
    package mutating func noteAnswer(
        _ outcome: ReloadOutcome, hasAdvanced: Bool = false, timeline: Timeline, requested: Moment, answered: Moment,
        delivery: Delivery = Delivery()
    ) -> [Finding] {
        // How long a server held a request says nothing about the age of what it answered with in the end.
        let news = delivery.wasBlocking ? answered : requested
        let repeatsIncompleteDelta = outcome == .deltaIncomplete && lastOutcome == .deltaIncomplete
        switch outcome {
        case .changed, .unchanged: consecutiveErrors = 0
        case .error, .invalid: consecutiveErrors += 1
        case .deltaIncomplete: consecutiveErrors = repeatsIncompleteDelta ? consecutiveErrors + 1 : 0
        }
        lastOutcome = outcome
        if hasAdvanced || lastAdvance == nil && outcome == .changed { lastAdvance = news }
        plan(outcome, timeline: timeline, requested: requested, answered: answered, delivery: delivery)
        return outcome == .unchanged || outcome == .error || outcome == .invalid
            ? staleness(at: news, timeline: timeline) : []
    }

    /// Uptime from which on the playlist counts as stale unless it grows; nil where it cannot become so.
    package func staleUptime(timeline: Timeline) -> Duration? {
        guard let lastAdvance, let target = timeline.targetDuration, !timeline.hasEnded else { return nil }
        return lastAdvance.uptime + target * 3 / 2
    }

    /// Asks for the playlist of another variant at once; where several failed one after the other, when it was planned.
    mutating func variantChanged(at moment: Moment) {
        guard consecutiveErrors <= VariantChoice.failureLimit else { return }
        nextReload = moment
    }

    /// The rules `stale-playlist` (nothing new for 1.5 target durations, rfc8216bis-22 section 6.3.4) and
    /// `playlist-stuck` (3.5).
    package func staleness(at moment: Moment, timeline: Timeline) -> [Finding] {
        guard let lastAdvance, let target = timeline.targetDuration, !timeline.hasEnded else { return [] }
        let age = moment.uptime - lastAdvance.uptime
        let message = "nothing new for \(age.inSeconds) s, the target duration is \(target.inSeconds) s"
        var findings: [Finding] = []
        if age * 2 >= target * 3 {
            findings.append(
                Finding(rule: "stale-playlist", severity: .warning, message: message, section: "rfc8216bis-22 6.3.4"))
        }
        if age * 2 > target * 7 {
            findings.append(
                Finding(rule: "playlist-stuck", severity: .error, message: message, section: "rfc8216bis-22 6.3.4"))
        }
        return findings
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
        if let retryAfter = delivery.retryAfter { delay = max(delay, min(retryAfter, Self.retryAfterLimit)) }
        if jitter != nil { delay = delay * (jitter?.factor(spread: Self.jitterSpread) ?? 1) }
        nextReload = max(answered, requested.advanced(by: max(delay, minimumDelay)))
    }

    /// Counted from the start of the request; nil: at once.
    private func delay(after outcome: ReloadOutcome, timeline: Timeline, mayBlock: Bool) -> Duration? {
        let target = timeline.targetDuration
        let isBlocking =
            mayBlock && timeline.prefersLowLatency && timeline.playlist?.serverControl?.canBlockReload == true
        switch outcome {
        case .changed:
            return isBlocking ? nil : timeline.listed.last?.duration ?? target ?? Self.firstErrorDelay
        case .unchanged:
            return (target ?? Self.firstErrorDelay) / 2
        case .deltaIncomplete where consecutiveErrors == 0:
            return nil
        case .deltaIncomplete, .error, .invalid:
            let doublings = min(max(0, consecutiveErrors - 1), 16)
            return min(Self.firstErrorDelay * (1 << doublings), target ?? Self.errorDelayLimit)
        }
    }
}

private func max(_ left: Moment, _ right: Moment) -> Moment {
    left.uptime < right.uptime ? right : left
}
