import AdTracking
import CreativeCache
import HLS
package import Ports

/// The complete state and rules of a session. `apply` is synchronous and total, reads only its arguments, and returns
/// the work for the edge. Each concern is an extension in its own file.
package struct MonitorState: Sendable {
    /// A wall clock that changes against uptime by more than this at once was set; smaller steps are clock discipline.
    static let clockJump: Duration = .seconds(2)

    package let configuration: MonitorConfiguration
    var mode: ReportingMode
    /// A person armed the session, which allows what the default of the mode does not.
    var isArmedByPerson = false
    var session: SessionPart
    var renewal: RenewalPart
    var journal: JournalPart
    var history = HistoryPart()
    var playlist: PlaylistPart
    var metadata: MetadataPart
    var tracker: AdTracker?
    /// Metadata lint across polls; nil before there is a session.
    var feedLint: FeedLint?
    var userLint = UserActionLint()
    var verdicts = BreakVerdicts()
    var playhead: Playhead
    /// Media date at the end of what was played last.
    var lastPlayedDate: UnixTime?
    var interstitials: InterstitialPart
    var beacons = BeaconPart()
    var decisions: DecisionPart
    var auction: AuctionPart
    var formats: FormatsPart
    var plugins: SessionPlugins
    var air = AirPart()
    var join = JoinPart()
    var views = BreakViews()
    var log: SessionLog
    var errors = ErrorBook()
    var findings = FindingsTable()
    var activity = ActivityRecord()
    var deliveries = DeliveryTally()
    var counters = Counters()
    package internal(set) var reports = UserReports()
    /// The last report of the creative cache; nil without a cache.
    var cache: CacheReport?
    var isStopped = false
    /// Effects collected while one input is applied.
    var effects: [Effect] = []
    /// Requests in flight.
    var requests: [RequestID: PendingRequest] = [:]
    private var nextRequest = 1
    private var scheduledWake: Duration?
    /// Wall clock minus uptime, in microseconds since the epoch.
    private var clockOffset: Int64?

    /// A request in flight.
    struct PendingRequest {
        var purpose: FetchPurpose
        var at: Moment
    }

    package init(_ configuration: MonitorConfiguration) {
        self.configuration = configuration
        var seeds = SplitMix64(seed: configuration.seed)
        mode = configuration.isReadonly ? .observe : configuration.mode
        session = SessionPart(configuration, seed: seeds.next())
        playlist = PlaylistPart(seed: seeds.next(), prefersLowLatency: configuration.prefersLowLatency)
        metadata = MetadataPart(configuration, seed: seeds.next())
        playhead = Playhead(
            start: Playhead.Start(configuration.start), playsInterstitials: configuration.playsInterstitials,
            rebuffers: !configuration.replaysEarlier)
        interstitials = InterstitialPart(seed: seeds.next())
        log = SessionLog(capacity: configuration.logLines)
        decisions = DecisionPart(configuration.decision, seed: seeds.next())
        journal = JournalPart(seed: seeds.next())
        auction = AuctionPart(configuration.auction, retry: configuration.retry ?? .standard)
        plugins = SessionPlugins(configuration)
        formats = FormatsPart(
            configuration.formats, mode: mode, gate: configuration.gate(isArmed: false),
            retry: configuration.retryPolicy, seed: seeds.next())
        renewal = RenewalPart(seed: seeds.next())
    }

    /// True when the session has ended and nothing is pending.
    package var isQuiet: Bool { isStopped && beacons.inFlight.isEmpty && beacons.unwritten.isEmpty }

    /// Applies `input` and returns the effects to carry out.
    ///
    /// Every input first plays up to `now`, so that events due before it are seen; the number of inputs does not change
    /// the result.
    package mutating func apply(_ input: Input, at now: Moment) -> [Effect] {
        noticeClock(now)
        if !isStopped { move(to: now) }
        take(input, at: now)
        if !isStopped {
            askForWhatIsDue(at: now)
            watchAir(at: now)
        }
        writeHistory(at: now)
        planWake(at: now)
        defer { effects = [] }
        return effects
    }

    private mutating func take(_ input: Input, at now: Moment) {
        switch input {
        case .beaconAnswered(let claim, let exchange): beaconAnswered(claim, exchange, at: now)
        case .claimsWritten(let claims): claimsWritten(claims, at: now)
        case .journalFailed(let message, let kind): journalFailed(message, kind: kind, at: now)
        case .journalLost(let message): journalLost(message, at: now)
        case .journalFellBehind(let dropped): journalFellBehind(dropped, at: now)
        case .stopped: stop(at: now)
        case _ where isStopped: break
        case .started:
            start(at: now)
            startAuction(at: now)
            formatsStarted(at: now)
        case .fetched(let id, let exchange): fetched(id, exchange, at: now)
        case .answerHandled(let purpose, let took): answerHandled(purpose, took: took, at: now)
        case .woke: scheduledWake = nil
        case .journalOpened(let opening): journalOpened(opening, at: now)
        case .userActed(let action): act(action, at: now)
        case .toggled(let toggle): self.toggle(toggle, at: now)
        case .playerCommanded(let command): perform(command, at: now)
        case .modeChosen(let mode): choose(mode, at: now)
        case .retryAsked(let target): retry(target, at: now)
        case .auctionCommanded(let command): self.command(command, at: now)
        case .formatActed(let slot, let action): formatActed(slot, action, at: now)
        case .recordingFailed(let problem):
            noteError(.recording, "recording stopped: \(problem)", at: now)
        case .pluginReported(let run, let news): pluginReported(run, news, at: now)
        case .logCleared: log.clear(capacity: configuration.logLines)
        case .libraryLogged(let level, let message): note(level, message, at: now)
        case .cacheReported(let report): take(report, at: now)
        case .zoneLookedUp(let unit, let lookup): zoneLookedUp(unit, lookup, at: now)
        case .zoneLoaded(let number, let delivery): zoneLoaded(number, delivery, at: now)
        case .zoneDiscarded(let unit): zoneDiscarded(unit, at: now)
        case .zoneRemoved(let unit, let removal): zoneRemoved(unit, removal, at: now)
        case .creativesKept(let round, let creatives): creativesKept(round: round, creatives, at: now)
        }
    }

    private mutating func stop(at now: Moment) {
        guard !isStopped else { return }
        isStopped = true
        if let tracker { noteFindings(verdicts.sessionEnded(in: tracker), from: .delivery, at: now) }
        // Claims that are not sent yet are cancelled; the journal records that they were not sent.
        if let outcome = tracker?.modeChanged(to: .observe) { take(outcome, at: now) }
        formats.ledger.modeChanged(to: .observe)
        auction.notices.disarm()
        pluginsClosed(at: now)
        abandonReports()
        // No answer from the journal is expected any more: unconfirmed claims were not sent.
        if journal.state == .opening { claimsWritten(beacons.unwritten.sorted(), at: now) }
        note(.info, "session ended", at: now)
    }

    /// Sends a request; its answer arrives as the input `fetched`.
    @discardableResult
    mutating func fetch(
        _ purpose: FetchPurpose, _ url: WebURL, method: HTTPMethod = .get, limit: Int,
        timeout: Duration = Limits.requestTimeout, at now: Moment
    ) -> RequestID {
        let id = RequestID(nextRequest)
        nextRequest += 1
        requests[id] = PendingRequest(purpose: purpose, at: now)
        var request = HTTPRequest(
            method: method, url: url,
            fields: [HTTPField("User-Agent", configuration.userAgent), HTTPField("Accept", "*/*")],
            totalTimeout: timeout, maximumBodyBytes: limit, addressRule: configuration.feedAddressRule)
        request.trustedHost = configuration.mediaURL.host
        effects.append(.fetch(id, purpose, request))
        return id
    }

    /// Sends a prepared request; its answer arrives as the input `fetched`.
    @discardableResult
    mutating func fetch(_ purpose: FetchPurpose, _ request: HTTPRequest, at now: Moment) -> RequestID {
        let id = RequestID(nextRequest)
        nextRequest += 1
        requests[id] = PendingRequest(purpose: purpose, at: now)
        effects.append(.fetch(id, purpose, request))
        return id
    }

    private mutating func fetched(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let pending = requests.removeValue(forKey: id) else { return }
        noteAddress(of: exchange, for: pending.purpose.name, from: pending.purpose.source, at: now)
        switch pending.purpose {
        case .sessionInit: sessionAnswered(exchange, at: now)
        case .multivariant, .mediaPlaylist: playlistAnswered(exchange, requested: pending.at, at: now)
        case .steering: steeringAnswered(exchange, at: now)
        case .metadata: metadataAnswered(exchange, at: now)
        case .assetList, .asset: assetsAnswered(id, exchange, at: now)
        case .adDecision: decisionAnswered(id, exchange, at: now)
        case .adSchedule: scheduleAnswered(exchange, at: now)
        case .bid: bidAnswered(id, exchange, at: now)
        case .creative: creativeAnswered(id, exchange, at: now)
        case .adCall: adCallAnswered(id, exchange, at: now)
        case .adMedia: adMediaAnswered(id, exchange, at: now)
        }
    }

    private mutating func askForWhatIsDue(at now: Moment) {
        retrySessionIfDue(at: now)
        renewIfDue(at: now)
        reloadIfDue(at: now)
        steerIfDue(at: now)
        pollIfDue(at: now)
        askForAssets(at: now)
        decideIfDue(at: now)
        pluginsIfDue(at: now)
        formatsIfDue(at: now)
        retryBeaconsIfDue(at: now)
        openJournalIfDue(at: now)
        auctionIfDue(at: now)
    }

    mutating func note(_ level: LogLevel, _ message: String, at now: Moment) {
        log.append(level, message, at: now)
        keep(.log(level, message), at: now)
    }

    /// Records an error of the session: the newest of its kind, a mark on the sparkline, a line in the log.
    mutating func noteError(_ kind: ErrorKind, _ message: String, at now: Moment) {
        errors.note(kind, message, at: now)
        activity.noteError(at: now)
        note(.error, message, at: now)
    }

    /// A wall clock that was set changes only displayed latencies and dates: all waits use uptime.
    private mutating func noticeClock(_ now: Moment) {
        let offset = now.wall.microseconds.subtractingSaturating(now.uptime.inMicroseconds)
        defer { clockOffset = offset }
        guard let clockOffset else { return }
        let jump = Duration.microseconds(offset.subtractingSaturating(clockOffset))
        guard jump.magnitude > Self.clockJump else { return }
        note(.warning, "the clock of this machine jumped by \(Wording.signedSeconds(jump))", at: now)
    }

    /// Sets one alarm for the first instant at which something may happen without an input.
    private mutating func planWake(at now: Moment) {
        let instants =
            isStopped
            ? []
            : [
                session.retryAt, renewal.nextAt, renewal.successor?.until, nextReload, playlist.staleAt, nextSteering,
                nextPoll,
                tracker?.nextRetry, nextAssetRequest, nextDecision(at: now), auction.nextAt,
                formats.nextDue(after: now.uptime), plugins.nextDue, journal.retryAt,
                nextPlayed(at: now),
            ]
        // Work that is due now was done above; a minimum distance prevents a second wake-up caused by rounding.
        let wake = instants.compactMap { $0 }.min().map { max($0, now.uptime + Self.shortestSleep).roundedUp }
        guard wake != scheduledWake else { return }
        scheduledWake = wake
        effects.append(.wake(atUptime: wake))
    }

    private static let shortestSleep: Duration = .microseconds(500)
}

extension Duration {
    /// Rounded up to a whole microsecond, the resolution of clocks and recordings, so that an alarm is never early.
    fileprivate var roundedUp: Duration {
        let whole = Duration.microseconds(inMicroseconds)
        return whole < self ? whole + .microseconds(1) : whole
    }
}

extension Playhead.Start {
    fileprivate init(_ option: StartOption) {
        switch option {
        case .standard: self = .automatic
        case .behindEdge(let span): self = .offset(.zero - span)
        case .date(let date): self = .date(date)
        }
    }
}
