package import AdTracking
package import Ports

package struct BreakView: Sendable, Equatable, Identifiable {
    /// Stable across polls, unique in the session.
    package var id: String
    /// Name in metadata; unredacted text from outside.
    package var name: String
    /// Short label of its order in the session, `B1`, `B2`, …
    package var label: String
    package var start: UnixTime
    /// Duration stitched so far (growing edge).
    package var duration: Duration
    /// End planned by the last event of the last ad; at least `start + duration`.
    package var plannedEnd: UnixTime
    /// `metadata`, `marker`, …; `metadata+marker` or `metadata+signaling` when both describe it.
    package var source: String
    package var isOnAir: Bool
    package var hasEnded: Bool
    /// No longer in the metadata; kept for the record of what was sent.
    package var hasVanished: Bool
    package var ads: [AdView]
    /// The sources that describe it, if there are several; empty otherwise.
    package var evidence: [BreakEvidenceView] = []
    /// Contradictions between the sources, one sentence each.
    package var differences: [String] = []
    /// Why the assets of an interstitial could not be loaded, as one clause: nothing of it plays. Nil for any other break.
    package var problem: String?
    /// Which document brought it, and what each later one changed; empty where no document lists it.
    package var growth = BreakGrowth()

    /// Whether it is an interstitial whose length is known. It is not stitched piece by piece, and what lies beyond its X-PLAYOUT-LIMIT
    /// (rfc8216bis-22 appendix D) is never played, whatever its ads announce.
    var isMeasured: Bool { origin == .interstitial && duration > .zero }

    /// Whether nothing of it can grow any more.
    private var isWhole: Bool { hasEnded || isMeasured }

    /// The length that metadata and cues announce, at least what is stitched so far; of a break that is known as a whole what it
    /// lasts.
    package var announcedDuration: Duration {
        guard !isWhole else { return duration }
        let cues = evidence.lazy.filter { $0.source == AdBreak.Source.marker.rawValue }.compactMap(\.duration)
        return max(duration, plannedEnd - start, cues.max() ?? .zero)
    }

    /// The length of one of its ads: until the break is known as a whole its last ad may still grow, so what is announced for that
    /// one.
    package func length(of ad: AdView) -> Duration {
        !isWhole && ads.last?.id == ad.id ? ad.announcedDuration : ad.duration
    }

    /// What announced it first; nil for a name of no source.
    package var origin: AdBreak.Source? { AdBreak.Source.allCases.first { source.hasPrefix($0.rawValue) } }

    /// Whether only playlist cues announce it, so that there is nothing to report.
    package var isCuesOnly: Bool { ads.isEmpty && source == AdBreak.Source.marker.rawValue }

    /// Whether what was listed for it has no ad at all, and so no length: an asset list that is empty.
    package var isEmpty: Bool { ads.isEmpty && !isCuesOnly && announcedDuration == .zero }
}

package struct AdView: Sendable, Equatable, Identifiable {
    package var id: String
    package var name: String
    /// Label within its break: `A1`, `A2`, …
    package var label: String
    package var start: UnixTime
    package var duration: Duration
    package var isOnAir: Bool
    package var hasVanished: Bool
    /// Landing page; shown and never requested.
    package var clickThrough: String?
    package var events: [EventView]
    /// All other metadata of the ad as `name: value` lines for the detail pane (companions, icons, verifications,
    /// unknown fields).
    package var extras: [ExtraView]
    /// How it was found and what it plays; nil when only its events are known.
    package var creative: CreativeView?

    /// The length by its last event that time triggers, at least what is stitched so far: an ad on air may still grow.
    package var announcedDuration: Duration {
        guard let last = events.lazy.filter({ !$0.isUserTriggered }).map(\.start).max() else { return duration }
        return max(duration, last - start)
    }
}

package struct ExtraView: Sendable, Equatable {
    package var name: String
    package var value: String
}

package struct EventView: Sendable, Equatable, Identifiable {
    package var id: String
    /// The event's name in metadata.
    package var event: String
    package var start: UnixTime
    package var duration: Duration
    package var state: ReportingState
    /// Why it is `skipped`, `observed` or still idle.
    package var reason: SkipReason?
    /// True for mute, pause and the like: reported on the user's action, not by time.
    package var isUserTriggered: Bool
    package var urls: [URLView]
    /// Whether it is older than everything that was played: the session joined after it.
    package var isBeforeJoin = false
    /// Whether metadata listed it and does not any more, before it was sent.
    package var isWithdrawn = false

    /// Why it is not sent, only observed, or still idle, in words; nil without a reason.
    package var reasonWords: ReasonWord? {
        if let reason {
            return ReasonWord(
                reason, isBeforeJoin: isBeforeJoin, isWithdrawn: isWithdrawn, isUserTriggered: isUserTriggered)
        }
        if isBeforeJoin { return .beforeJoin }
        if state == .unknown { return .unknownOutcome }
        return isWithoutURL ? .withoutURL : nil
    }

    /// How late its URLs were claimed, the latest of them; nil before.
    package var late: Duration? { urls.lazy.compactMap(\.late).max() }

    /// Whether it was due for more than a moment before one of its URLs was claimed: the limit is that of ``Counters/late``.
    package var isLate: Bool { urls.contains(where: \.isLate) }

    /// Whether it is not sent because nothing lists a URL for it.
    package var isWithoutURL: Bool { state == .skipped && reason == nil && urls.isEmpty }
}

package struct URLView: Sendable, Equatable, Identifiable {
    package var id: String
    package var url: String { didSet { changedAddress(from: requested ?? oldValue) } }
    package var state: DeliveryState
    package var reason: SkipReason?
    /// The URL with its macros filled and with escapes, once claimed; nil when it is requested as written.
    package var requested: String? { didSet { changedAddress(from: oldValue ?? url) } }
    package var retryAt: Moment?
    /// As the ledger has them, so that a view of a beacon takes no memory for them.
    private var tries: BeaconTries

    /// The URL of a ledger; its ``retryAt`` is not among what that knows.
    init(_ delivery: URLDelivery, id: String) {
        (self.id, url, state, reason) = (id, delivery.url, delivery.state, delivery.reason)
        (requested, tries) = (delivery.filled, delivery.tries)
    }

    package init(
        id: String, url: String, state: DeliveryState, reason: SkipReason? = nil, requested: String? = nil,
        attempts: [AttemptView], retryAt: Moment? = nil, late: Duration? = nil
    ) {
        (self.id, self.url, self.state, self.reason) = (id, url, state, reason)
        (self.requested, self.retryAt, tries) = (requested, retryAt, BeaconTries())
        keep(attempts, late: late)
    }

    /// Why it is not sent, in words. A URL for the viewer's action has no reason of its own until that was taken.
    package var reasonWords: ReasonWord? {
        reason.map { ReasonWord($0, isBeforeJoin: false, isWithdrawn: false, isUserTriggered: false) }
    }
    package var attempts: [AttemptView] {
        get { attempts(of: requested ?? url) }
        set { keep(newValue, late: late) }
    }
    /// Time between the due time and the first attempt, real or hypothetical: positive when late.
    package var late: Duration? {
        get { tries.late }
        set { keep(attempts, late: newValue) }
    }

    /// Whether it was due for more than a moment before it was claimed.
    package var isLate: Bool { late.map { $0 > Counters.punctual } ?? false }

    private func attempts(of address: String) -> [AttemptView] {
        tries.attempts(of: address).map { AttemptView(at: $0.at, exchange: $0.answer) }
    }

    private mutating func keep(_ attempts: [AttemptView], late: Duration?) {
        tries = BeaconTries(
            count: tries.count, late: late, attempts.map { BeaconAttempt(at: $0.at, answer: $0.exchange) },
            of: requested ?? url)
    }

    private mutating func changedAddress(from address: String) { keep(attempts(of: address), late: late) }
}

/// One attempt at one URL.
package struct AttemptView: Sendable, Equatable {
    package var at: Moment
    /// Nil while in flight.
    package var exchange: BeaconAnswer?
}
