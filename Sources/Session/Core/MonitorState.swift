import AdFormats
import AdTracking
import CreativeCache
import HLS
package import Ports

/// The complete state of a session. `apply` is synchronous and total, reads only its arguments, and returns the work for
/// the edge. Each part owns its state; what happens to one and concerns another is an extension in its own file.
package struct MonitorState: Sendable {
    /// A wall clock that changes against uptime by more than this at once was set; smaller steps are clock discipline.
    static let clockJump: Duration = .seconds(2)

    /// What all parts share.
    var desk: Desk
    var session: SessionPart
    var renewal: RenewalPart
    var playlist: PlaylistPart
    var metadata: MetadataPart
    var tracker: AdTracker?
    var userLint = UserActionLint()
    var verdicts = BreakVerdicts()
    var signaledDifferences = SignaledDifferences()
    var playhead: Playhead
    /// Media date at the end of what was played last.
    var lastPlayedDate: UnixTime?
    var interstitials: InterstitialPart
    var decisions: DecisionPart
    /// The auction, ad spaces and the creative cache.
    var beside: Beside
    var pings: PingPart
    var air = AirPart()
    var join = JoinPart()
    var growth = GrowthPart()
    var views = BreakViews()
    package internal(set) var reports = UserReports()
    private var scheduledWake: Duration?
    /// Wall clock minus uptime, in microseconds since the epoch.
    private var clockOffset: Int64?
    private var standstill = Standstill()

    package init(_ configuration: MonitorConfiguration) {
        var seeds = SplitMix64(seed: configuration.seed)
        session = SessionPart(seed: seeds.next())
        playlist = PlaylistPart(configuration, seed: seeds.next())
        metadata = MetadataPart(configuration, seed: seeds.next())
        playhead = Playhead(
            start: Playhead.Start(configuration.start), playsInterstitials: configuration.playsInterstitials,
            rebuffers: !configuration.replaysEarlier)
        interstitials = InterstitialPart(seed: seeds.next())
        decisions = DecisionPart(configuration.decision, seed: seeds.next())
        desk = Desk(configuration, seed: seeds.next())
        pings = PingPart(mode: desk.mode, gate: desk.beaconGate)
        beside = Beside(configuration, mode: desk.mode, seed: seeds.next())
        renewal = RenewalPart(seed: seeds.next())
    }

    package var configuration: MonitorConfiguration { desk.configuration }

    /// True when the session has ended and nothing is pending. Stored, because the monitor asks after every input, and to ask the whole state
    /// is to copy it.
    package private(set) var isQuiet = false

    /// Applies `input` and returns the effects to carry out.
    ///
    /// Every input first plays up to `now`, so that events due before it are seen; the number of inputs does not change
    /// the result.
    package mutating func apply(_ input: Input, at now: Moment) -> [Effect] {
        noticeClock(now)
        noticeStandstill(now)
        if !desk.isStopped { move(to: now) }
        take(input, at: now)
        if !desk.isStopped {
            keepFromEdge(at: now)
            askForWhatIsDue(at: now)
            watchAir(at: now)
        }
        writeHistory(at: now)
        planWake(at: now)
        isQuiet = desk.isStopped && desk.beacons.inFlight.isEmpty && desk.beacons.unwritten.isEmpty
        return desk.takeEffects()
    }

    private mutating func take(_ input: Input, at now: Moment) {
        switch input {
        case .beaconAnswered(let claim, let exchange): beaconAnswered(claim, exchange, at: now)
        case .claimsWritten(let claims): claimsWritten(claims, at: now)
        case .claimsRefused(let refused): claimsRefused(refused, at: now)
        case .journalFailed(let message, let kind): journalFailed(message, kind: kind, at: now)
        case .journalLost(let message): journalLost(message, at: now)
        case .journalFellBehind(let dropped): journalFellBehind(dropped, at: now)
        case .stopped: stop(at: now)
        case _ where desk.isStopped: break
        case .started:
            start(at: now)
            beside.started(&desk, at: now)
        case .fetched(let id, let exchange): fetched(id, exchange, at: now)
        case .answerHandled(let purpose, let took): answerHandled(purpose, took: took, at: now)
        case .woke: scheduledWake = nil
        case .journalOpened(let opening): journalOpened(opening, at: now)
        case .userActed(let action): act(action, at: now)
        case .toggled(let toggle): self.toggle(toggle, at: now)
        case .playerCommanded(let command): perform(command, at: now)
        case .modeChosen(let mode): choose(mode, at: now)
        case .variantChosen(let wish): choose(wish, at: now)
        case .retryAsked(let target): retry(target, at: now)
        case .recordingFailed(let problem):
            desk.noteError(.recording, "recording stopped: \(problem)", at: now)
        case .logCleared: desk.log.clear(capacity: configuration.log.lines)
        case .libraryLogged(let level, let message): desk.note(level, message, at: now)
        case .beside(let input): beside.take(input, &desk, at: now)
        }
    }

    private mutating func stop(at now: Moment) {
        guard !desk.isStopped else { return }
        desk.isStopped = true
        if let tracker { desk.noteFindings(verdicts.sessionEnded(in: tracker), from: .delivery, at: now) }
        // Claims that are not sent yet are cancelled; the journal records that they were not sent.
        if let outcome = tracker?.modeChanged(to: .observe) { take(outcome, at: now) }
        pings.modeChanged(to: .observe, &metadata)
        beside.stop(&desk, at: now)
        abandonReports()
        // No answer from the journal is expected any more: unconfirmed claims were not sent.
        if desk.journal.state == .opening { claimsWritten(desk.beacons.unwritten.sorted(), at: now) }
        desk.note(.info, "session ended", at: now)
    }

    private mutating func fetched(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        guard let pending = desk.requests.removeValue(forKey: id) else { return }
        desk.noteAddress(of: exchange, for: pending.purpose.name, from: pending.purpose.source, at: now)
        desk.opening?.answered(id, exchange)
        switch pending.purpose {
        case .sessionInit: sessionAnswered(exchange, at: now)
        case .multivariant where id == playlist.review: playlist.reviewed(exchange, &desk, at: now)
        case .multivariant, .mediaPlaylist:
            let isManifest = pending.purpose == .multivariant
            playlistAnswered(exchange, isManifest: isManifest, requested: pending.at, at: now)
        case .steering: playlist.steeringAnswered(exchange, &desk, at: now)
        case .metadata: metadataAnswered(exchange, at: now)
        case .segment: segmentAnswered(id, exchange, at: now)
        case .assetList, .asset: assetsAnswered(id, exchange, at: now)
        case .adDecision: decisionAnswered(id, exchange, at: now)
        case .adSchedule: decisions.scheduleAnswered(exchange, &desk, at: now)
        case .bid, .creative, .adCall, .adMedia: beside.answered(pending.purpose, id, exchange, &desk, at: now)
        }
    }

    /// The purpose of the poll that a request is; nil for other requests.
    package func poll(_ id: RequestID) -> FetchPurpose? {
        guard let purpose = desk.requests[id]?.purpose, interval(of: purpose) != nil else { return nil }
        return purpose
    }

    private mutating func answerHandled(_ purpose: FetchPurpose, took: Duration, at now: Moment) {
        guard let finding = HandlingCost.finding(purpose, took: took, interval: interval(of: purpose)) else { return }
        desk.noteFindings([finding], from: purpose == .metadata ? .metadata : .playlist, at: now)
    }

    /// How often a feed is polled; nil for what is requested once.
    private func interval(of purpose: FetchPurpose) -> Duration? {
        switch purpose {
        case .metadata: metadata.provider?.pollInterval
        case .mediaPlaylist:
            playlist.follower.timeline.playlist?.partTarget ?? playlist.follower.timeline.targetDuration
                ?? PlaylistPart.shortestReload
        default: nil
        }
    }

    /// The log lines from `number` on that are still kept, oldest first.
    package func logEntries(from number: Int) -> [LogEntry] { desk.log.entries(from: number) }

    private mutating func askForWhatIsDue(at now: Moment) {
        retrySessionIfDue(at: now)
        renewIfDue(at: now)
        reloadIfDue(at: now)
        steerIfDue(at: now)
        pollIfDue(at: now)
        takeDocuments(at: now)
        pingIfDue(at: now)
        readMediaIfDue(at: now)
        askForAssets(at: now)
        decideIfDue(at: now)
        beside.spacesIfDue(&desk, at: now)
        retryBeaconsIfDue(at: now)
        openJournalIfDue(at: now)
        beside.auctionIfDue(&desk, at: now)
    }

    /// A wall clock that was set changes only displayed latencies and dates: all waits use uptime.
    private mutating func noticeClock(_ now: Moment) {
        let offset = now.wall.microseconds.subtractingSaturating(now.uptime.inMicroseconds)
        defer { clockOffset = offset }
        guard let clockOffset else { return }
        let jump = Duration.microseconds(offset.subtractingSaturating(clockOffset))
        guard jump.magnitude > Self.clockJump else { return }
        desk.note(.warning, "the clock of this machine jumped by \(Wording.signedSeconds(jump))", at: now)
    }

    /// The job was stopped (^Z) at some time after the last input, and the plugins with it: what they have to answer is not overdue.
    private mutating func noticeStandstill(_ now: Moment) {
        guard let span = standstill.inputArrived(at: now.uptime, alarm: scheduledWake) else { return }
        beside.plugins.stoodStill(for: span)
    }

    /// Sets one alarm for the first instant at which something may happen without an input.
    private mutating func planWake(at now: Moment) {
        // Work that is due now was done above; a minimum distance prevents a second wake-up caused by rounding.
        let wake = nextInstant(at: now).map { max($0, now.uptime + Self.shortestSleep).roundedUp }
        guard wake != scheduledWake else { return }
        scheduledWake = wake
        desk.effects.append(.wake(atUptime: wake))
    }

    /// Not part of a mutating function: there the compiler copies the whole state for each of these.
    private func nextInstant(at now: Moment) -> Duration? {
        guard !desk.isStopped else { return nil }
        let instants = [
            session.retryAt, renewal.nextAt, renewal.successor?.until, nextReload, playlist.staleAt, nextSteering,
            nextPoll(), nextMediaRead, tracker?.nextRetry, nextAssetRequest, nextDecision(at: now),
            beside.nextDue(after: now.uptime), desk.journal.retryAt, nextPlayed(at: now), nextPing,
        ]
        return instants.compactMap { $0 }.min()
    }

    private static let shortestSleep: Duration = .microseconds(500)

    /// Reads something in its place, for a function that changes the state: there the compiler copies all of it for a property that is worked
    /// out, and for many a function that changes nothing.
    mutating func inPlace<Value>(_ read: (inout MonitorState) -> Value) -> Value { read(&self) }
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
        case .resuming(let date, let uptime): self = .resuming(date, at: uptime)
        }
    }
}
