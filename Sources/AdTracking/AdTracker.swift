package import Ports

/// One session's ads: what metadata says, what was played, what was sent. Ties merge, due events and ledger together, so that
/// its owner only reports what happened and does what the outcomes say.
package struct AdTracker: Sendable {
    package struct Settings: Sendable {
        /// Part of every identity; two sessions never share beacons.
        package var sessionID: String
        /// How long breaks are kept behind the playhead after they left the metadata.
        package var keep: Duration = .seconds(7_200)
        package var mode: ReportingMode
        package var policy = TrackingPolicy()
        /// For retry jitter.
        package var seed: UInt64

        package init(sessionID: String, mode: ReportingMode, seed: UInt64 = 0) {
            self.sessionID = sessionID
            self.mode = mode
            self.seed = seed
        }
    }

    /// What something that happened led to.
    package struct Outcome: Sendable {
        /// To be done in order.
        package var effects: [LedgerEffect] = []
        /// Events claimed (or observed), in media order.
        package var claimed: [Claimed] = []
        /// Breaks of which something visible changed.
        package var touched: Set<BreakID> = []
        /// Only after metadata.
        package var changes: [MergeChange] = []
        package var findings: [Finding] = []

        package init() {}
    }

    /// An event whose moment was reached.
    package struct Claimed: Hashable, Sendable {
        package var breakID: BreakID
        package var event: EventID
        /// Media time since its moment; more than a second or so means late metadata.
        package var late: Duration
    }

    /// What a user action led to.
    package struct UserOutcome: Sendable {
        package var outcome: Outcome
        /// Counts the user's actions of the session that found an event.
        package var round: Int?
        /// The ad on air, if any.
        package var ad: AdID?
        /// Why nothing is sent, nil when something is.
        package var refusal: Refusal?

        package enum Refusal: Hashable, Sendable {
            case noPlayhead, noAdOnAir, noEvent, notSendable(SkipReason), observed
        }
    }

    /// An event's state as people see it.
    package struct Status: Hashable, Sendable {
        package var state: ReportingState
        /// Why it is skipped, observed, or still idle.
        package var reason: SkipReason?
    }

    package private(set) var book = BreakBook()
    package private(set) var ledger: Ledger
    package private(set) var dataRange: DataRange?

    package init(_ settings: Settings) {
        ledger = Ledger(mode: settings.mode)
    }

    /// What the journal knew; before the first metadata.
    package mutating func restored(_ beacons: [RestoredBeacon]) {}

    /// A document was read: merges it and claims what was played before it was known.
    package mutating func metadataArrived(_ document: DecodedMetadata, at now: Moment) -> Outcome { Outcome() }

    /// The playhead moved without a gap: claims what lies in it.
    package mutating func played(_ stretch: PlayedStretch, at now: Moment) -> Outcome { Outcome() }

    /// The viewer did something; `playhead` is the media date, nil when there is none.
    package mutating func userActed(_ action: UserAction, playhead: UnixTime?, at now: Moment) -> UserOutcome {
        UserOutcome(outcome: Outcome(), refusal: .noPlayhead)
    }

    package mutating func claimsWritten(_ claims: [ClaimID], at now: Moment) -> Outcome { Outcome() }

    package mutating func answered(_ claim: ClaimID, _ exchange: HTTPExchange, at now: Moment) -> Outcome { Outcome() }

    /// Call at ``nextRetry`` or later.
    package mutating func retriesDue(at now: Moment) -> Outcome { Outcome() }

    /// A person asks to send a failed, rejected or unknown URL (nil: all such of the event) again, whatever the policy says.
    package mutating func retryAsked(_ event: EventID, url: Int?, at now: Moment) -> Outcome { Outcome() }

    package mutating func modeChanged(to mode: ReportingMode) {}

    /// Uptime of the next retry.
    package var nextRetry: Duration? { nil }

    /// The first media date after `time` at which an event is due or a break or ad begins or ends.
    package func nextMoment(after time: UnixTime) -> UnixTime? { nil }

    package func status(of event: EventID, isPaused: Bool) -> Status? { nil }
}
