package import Ports

/// Tracks the ads of one session: the breaks metadata describes, the ranges that were played and the beacons that were
/// sent. It connects merge, due events and ledger; its owner reports what happened and carries out the effects of each
/// ``Outcome``.
package struct AdTracker: Sendable {
    package struct Settings: Sendable {
        /// Part of every identity; two sessions never share beacons.
        package var sessionID: String
        /// What the server calls the session; nil where it has no name. URLs of beacons may have it.
        package var sessionName: String?
        /// How long breaks are kept behind the playhead after they left the metadata.
        package var keep: Duration = .seconds(7_200)
        package var mode: ReportingMode
        package var gate = SendGate()
        package var retry = RetryPolicy.safe
        package var policy = TrackingPolicy()
        /// Whether what two parties may report is sent all the same (`--fire-anyway`).
        package var reportsAnyway = false
        /// Whether ``AdTracker/takeUnsent()`` returns the beacons that were due and not sent.
        package var keepsUnsent = false
        /// Seed of the retry jitter.
        package var seed: UInt64

        /// How long after its due time a beacon may still be sent (TRK-11).
        var latestLate: Duration { min(policy.latestLate ?? keep, keep) }

        package init(sessionID: String, mode: ReportingMode, seed: UInt64 = 0) {
            self.sessionID = sessionID
            self.mode = mode
            self.seed = seed
        }
    }

    package let settings: Settings
    package internal(set) var book: BreakBook
    package internal(set) var ledger: Ledger
    /// Data range of the newest document that had one.
    package internal(set) var dataRange: DataRange?
    /// Date before which the ads of the newest document do not grow; nil where it has a data range, and where none grows.
    var settledUntil: UnixTime?

    /// Corrections of the dates of known media, and of its ads.
    var redating = Redating()
    /// What date ranges of the stream describe.
    var signaled = SignaledLayer()
    /// Number of times that metadata and date ranges were composed, those of earlier sessions included: while it is the same, so are the
    /// ads, their times and what grows.
    package internal(set) var compositions = 0
    var plans = EventRows<PlannedEvent>()
    /// Ads that documents do not list any more, and that are not packed yet.
    var leaving: Set<MergeReport.AdPlace> = []
    /// Playback of the stream, and of each interstitial that has breaks.
    var tracks: [AdTrack: TrackPlay] = [.primary: TrackPlay()]

    package init(_ settings: Settings) {
        self.settings = settings
        book = BreakBook(session: settings.sessionID)
        ledger = Ledger(mode: settings.mode, gate: settings.gate, retry: settings.retry, seed: settings.seed)
        ledger.keepsUnsent = settings.keepsUnsent
        if let name = settings.sessionName { ledger.busters.noteSession(name) }
    }

    /// Takes the place of the tracker of an earlier session: what that one sent is not sent again, and no number of a
    /// claim, break, ad or event repeats.
    package mutating func follow(_ former: AdTracker) {
        ledger.follow(former.ledger)
        if let name = settings.sessionName { ledger.busters.noteSession(name) }
        book.follow(former.book)
        compositions = former.compositions + 1
    }

    /// Whether no beacon waits for the journal or for an answer.
    package var isIdle: Bool { ledger.inFlight == 0 && ledger.queued == 0 }

    /// The beacons that were sent and whose answer or next try is awaited, each with its state if the session ends now. In the
    /// order of the events.
    package var unended: [DeliveryChange] { ledger.unended }

    /// Restores the beacons of a journal; call it before the first metadata. Beacons of other sessions are ignored.
    /// - Parameters:
    ///   - completeFrom: beacons due before this media date may be missing; nil if none is.
    ///   - reached: nothing due at these media dates is sent: an earlier session of the viewer reached them.
    package mutating func restored(
        _ beacons: [RestoredBeacon], completeFrom: UnixTime? = nil, reached: DateStretches = DateStretches()
    ) {
        if let completeFrom { ledger.forget(through: completeFrom) }
        ledger.sendNothing(in: reached)
        ledger.restored(beacons.filter { $0.key.event.session == settings.sessionID })
    }

    /// Returns what was due and not sent since the last call; empty unless ``Settings/keepsUnsent``.
    package mutating func takeUnsent() -> [UnsentBeacon] { ledger.takeUnsent() }

    /// The break, ad and times of an event; nil when the event is unknown or expired.
    package func plan(of event: EventID) -> PlannedEvent? { plans[event] }

    /// Ranges of the stream that were played at a rate that counts.
    package var played: PlayedRanges { tracks[.primary]?.played ?? PlayedRanges() }

    /// Where playback of the stream began; nil before anything was played.
    package var firstPlayed: UnixTime? { tracks[.primary]?.firstPlayed }

    /// Media date of the playhead as last reported.
    package var position: UnixTime? { tracks[.primary]?.position }

    /// The ad a viewer at `playhead` of `track` sees, with its break.
    package func adOnAir(
        at playhead: UnixTime, on track: AdTrack = .primary
    ) -> (adBreak: KnownBreak, ad: KnownAd)? {
        book.adOnAir(at: playhead, on: track, dataRange: dataRange, slack: settings.policy.adEndSlack) { start in
            track == .primary && awaitsStep(start)
        }
    }

    /// The first time of `track` after `time` at which an event is due.
    package func nextDue(after time: UnixTime, on track: AdTrack = .primary) -> UnixTime? {
        tracks[track]?.index.nextStart(after: time)
    }

    /// Whether events may be due as soon as play begins at `time` (TRK-12): those at that place, and those with a length that lasts. Not
    /// while play continues what was played before, nor at a rate that does not count.
    package func isDue(whenPlayBeginsAt time: UnixTime, rate: Double, on track: AdTrack = .primary) -> Bool {
        guard let play = tracks[track], play.openEnd == nil, settings.policy.rates.contains(rate) else { return false }
        return mayBeDue(play.index.touched(from: time, through: time, tick: settings.policy.tick))
    }

    /// Whether events of the stream may be due as soon as play continues at `time`, because dates have changed since it was played (TRK-33):
    /// those between, and others if the place of ads in these dates shows only with the next media.
    package func isDue(whenPlayContinuesAt time: UnixTime, rate: Double) -> Bool {
        guard let play = tracks[.primary], let end = play.openEnd, settings.policy.rates.contains(rate) else {
            return false
        }
        guard settings.policy.isContinuous(end, time) else { return true }
        return end < time && mayBeDue(play.index.starting(after: end, through: time))
    }

    private func mayBeDue(_ events: [EventID]) -> Bool {
        events.contains { event in plans[event].map { !isAhead($0) } ?? true }
    }

    /// The data range that limits breaks of `source`; nil for sources other than metadata.
    package func dataRange(of source: AdBreak.Source) -> DataRange? { source == .metadata ? dataRange : nil }
}

extension AdTracker {
    /// The result of one call.
    package struct Outcome: Hashable, Sendable {
        /// Effects to carry out in order.
        package var effects: [LedgerEffect] = []
        /// Events claimed (or observed), in media order.
        package var claimed: [Claimed] = []
        /// URLs that were due and are not sent: observed, or skipped.
        package var unsent: [UnsentBeacon] = []
        /// URLs whose request was answered, and, without an answer, those whose next try was given up.
        package var deliveries: [DeliveryChange] = []
        /// States that were final until a person asked for another try.
        package var takenBack: [DeliveryState] = []
        /// User actions whose last beacon was answered.
        package var settlements: [UserSettlement] = []
        /// Breaks with a visible change.
        package var touched: Set<BreakID> = []
        /// The merge report; empty unless metadata arrived.
        package var merge = MergeReport()

        package init() {}

        fileprivate mutating func add(_ withdrawals: Ledger.Withdrawals) {
            unsent += withdrawals.unsent
            deliveries += withdrawals.givenUp
            settlements += withdrawals.settlements
        }
    }

    /// An event whose due time was reached and that has at least one URL to send.
    package struct Claimed: Hashable, Sendable {
        package var breakID: BreakID
        package var adID: AdID
        package var event: EventID
        /// Media time since the event's due time.
        package var late: Duration
        /// Whether the event was found in an already played range when its metadata arrived.
        package var isLatePath: Bool
    }
}

/// Results that the edge reports back.
extension AdTracker {
    /// The claims are written to the journal and flushed.
    package mutating func claimsWritten(_ claims: [ClaimID], at now: Moment) -> Outcome {
        var outcome = Outcome()
        var withdrawals = Ledger.Withdrawals()
        outcome.effects = ledger.claimsWritten(claims, &withdrawals, at: now)
        outcome.add(withdrawals)
        for case .send(let orders) in outcome.effects {
            for order in orders { touch(order.event, &outcome) }
        }
        outcome.effects += ledger.takeEffects(at: now)
        return outcome
    }

    /// The journal did not grant the claims, or the edge did not let their requests leave.
    package mutating func claimsRefused(_ refused: [RefusedClaim], at now: Moment) -> Outcome {
        var outcome = Outcome()
        for refusal in refused { if let claim = ledger.claims[refusal.id] { touch(claim.event, &outcome) } }
        let refusal = ledger.claimsRefused(refused, at: now)
        outcome.add(refusal.withdrawals)
        outcome.effects = refusal.effects + ledger.takeEffects(at: now)
        return outcome
    }

    /// The event of a claim that has no final answer yet; nil for a claim of another owner.
    package func event(of claim: ClaimID) -> EventID? { ledger.claims[claim]?.event }

    /// The host that a claim without a final answer is for.
    package func host(of claim: ClaimID) -> String? { ledger.claims[claim]?.url.host }

    /// Whether this process made an earlier try of the beacon of a claim that has no final answer.
    package func isRetry(_ claim: ClaimID) -> Bool { ledger.isRetry(claim) }

    /// Media time between the due time of a beacon and its claim, which has no final answer yet; nil where it had no due time.
    package func late(of claim: ClaimID) -> Duration? {
        ledger.claims[claim].flatMap { ledger.slot($0.event, $0.slotURL)?.late }
    }

    /// A beacon's request ended.
    package mutating func answered(_ claim: ClaimID, _ exchange: HTTPExchange, at now: Moment) -> Outcome {
        var outcome = Outcome()
        let answer = ledger.answered(claim, exchange, at: now)
        outcome.effects = answer.effects + ledger.takeEffects(at: now)
        if let change = answer.change {
            outcome.deliveries = [change]
            touch(change.event, &outcome)
        }
        if let settlement = answer.settlement { outcome.settlements = [settlement] }
        return outcome
    }

    /// Call at ``nextRetry``; earlier calls do nothing.
    package mutating func retriesDue(at now: Moment) -> Outcome {
        var outcome = Outcome()
        let due = ledger.retriesDue(at: now)
        for event in due.events { touch(event, &outcome) }
        outcome.add(due.withdrawals)
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// Uptime of the next retry.
    package var nextRetry: Duration? { ledger.nextRetry }

    /// Sends the beacons that did not arrive again at a person's request; `url` picks one of the event's URLs.
    package mutating func retryAsked(_ event: EventID, url: Int?, at now: Moment) -> Outcome {
        var outcome = Outcome()
        let former = ledger.retryAsked(event, url: url, at: now)
        guard !former.isEmpty else { return outcome }
        outcome.takenBack = former.compactMap(\.self)
        touch(event, &outcome)
        outcome.effects = ledger.takeEffects(at: now)
        return outcome
    }

    /// Switches between sending and observing. Every break counts as touched.
    package mutating func modeChanged(to mode: ReportingMode) -> Outcome {
        var outcome = Outcome()
        outcome.add(ledger.modeChanged(to: mode))
        outcome.touched = Set(book.breaks.map(\.id))
        return outcome
    }

    /// A person decided where beacons may go; applies to what is claimed afterwards.
    package mutating func gateChanged(to gate: SendGate) {
        ledger.gate = gate
    }

    func touch(_ event: EventID, _ outcome: inout Outcome) {
        if let plan = plans[event] { outcome.touched.insert(plan.breakID) }
    }
}
