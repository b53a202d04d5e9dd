import AdTracking
import HLS
import Ports

extension MonitorState {
    /// Counts an answer by which the server rejects a feed of the session, or a ping whose answer would bring metadata.
    /// - Parameter cause: why the body of a good answer is no metadata.
    mutating func noteRefusal(
        of feed: SessionFeed, _ exchange: HTTPExchange, cause: MetadataProblem? = nil, isPing: Bool = false,
        at now: Moment
    ) {
        guard configuration.renewal != nil, hasSession, !desk.isStopped, playhead.state != .ended else { return }
        let isRefusal = RenewalPart.isRefusal(exchange) || isUnknownHost(exchange, of: feed)
        let lack = lack(in: exchange, of: feed, because: cause)
        guard isRefusal || lack != nil, renewal.refused(feed) else { return }
        guard !renewal.isConfirmed else {
            if renewal.nextAt == nil, !renewal.isRequesting { renewal.plan(at: now) }
            return
        }
        let hasMetadata = renewal.delivered.contains(.metadata) || session.addresses?.metadataURL == nil
        renewal.ended(hasDelivered: hasMetadata && renewal.delivered.contains(.playlist), at: now)
        // The refusals may be those of the playlist: no answer of the metadata ends the wait for its next poll.
        metadata.record.planned(at: nil, now: now)
        let times = "\(RenewalPart.refusalsUntilOver) times in a row"
        let without = lack.map { " without \($0)" } ?? ""
        let subject = isPing ? "the pings" : "the \(feed.rawValue)"
        let reason = "\(subject) of the session \(Wording.problem(exchange))\(without) \(times)"
        let finding = Finding(
            rule: SessionRule.sessionOver, severity: .error, message: "session over: \(reason)", section: "TRK-32")
        desk.noteFindings([finding], from: feed == .playlist ? .playlist : .metadata, at: now)
        guard configuration.renewal == .automatic else {
            let remedy = "no new session is requested (--no-renew); start again to open one"
            return desk.noteError(.network, "session over: \(reason); \(remedy)", at: now)
        }
        renewal.plan(at: now)
        desk.noteError(.network, "session over: \(reason), \(nextSession(at: now))", at: now)
    }

    /// Whether the addresses may be those of a session, so that other ones may be had by initialisation. A stream that is
    /// followed at its own address has none.
    private var hasSession: Bool {
        guard metadata.provider != nil, let addresses = session.addresses else { return false }
        return addresses.isRecognised || addresses.path != .manifest
    }

    /// An address damaged in the answer of initialisation may name a host that does not exist, while the rest of the
    /// network works.
    private func isUnknownHost(_ exchange: HTTPExchange, of feed: SessionFeed) -> Bool {
        guard exchange.failure?.kind == .resolve, exchange.hops.isEmpty, !renewal.delivered.contains(feed) else {
            return false
        }
        switch feed {
        case .playlist: return playlist.choice == nil
        case .metadata: return playlist.record.health.state == .good
        }
    }

    /// What the session never had and a good answer is without, in words; nil where the answer proves nothing. The address of a session may
    /// lead to something else from the start. Once a playlist or metadata has arrived, an answer without it may pass.
    private func lack(
        in exchange: HTTPExchange, of feed: SessionFeed, because cause: MetadataProblem?
    ) -> String? {
        guard !renewal.delivered.contains(feed) else { return nil }
        switch feed {
        case .playlist: return playlist.isNoFirstPlaylist(exchange) ? "a playlist" : nil
        case .metadata: return cause?.isOfAnotherKind == true ? "metadata" : nil
        }
    }

    private func nextSession(at now: Moment) -> String {
        guard let next = renewal.nextAt, next > now.uptime else { return "requesting a new session" }
        return "requesting a new session in \(Wording.seconds(next - now.uptime))"
    }

    mutating func renewIfDue(at now: Moment) {
        if let successor = renewal.successor { return takeOver(successor, at: now) }
        guard let due = renewal.nextAt, due <= now.uptime else { return }
        renewal.nextAt = nil
        renewal.opening = nextState.metadata.provider
        initialise(at: now)
    }

    /// Initialisation has new addresses. A server that rejects the request for a session and still serves a plain
    /// playlist has none: this is not the stream that was followed.
    mutating func sessionRenewed(_ addresses: SessionAddresses, at now: Moment) {
        guard addresses.isRecognised || session.addresses?.isRecognised == false else {
            return renewalFailed("the answer names no session", isRefused: true, at: now)
        }
        if addresses == session.addresses { return sessionConfirmed(at: now) }
        let successor = RenewalPart.Successor(
            addresses: addresses, provider: renewal.opening, answers: renewal.asked,
            until: now.uptime + RenewalPart.patience)
        renewal.opening = nil
        renewal.successor = successor
        takeOver(successor, at: now)
    }

    /// The server rejects the session and names it again: to begin it once more would lose what was played.
    private mutating func sessionConfirmed(at now: Moment) {
        metadata.confirming = renewal.opening
        metadata.confirming?.start(at: now)
        renewal.confirmed(at: now)
        metadata.record.planned(at: nextPoll(), now: now)
        desk.note(.warning, "the server names the same session again: following it", at: now)
        takeDocuments(at: now)
        guard playlist.nextAt == nil,
            !desk.requests.contains(where: { $0.value.purpose.isPlaylist && $0.key != playlist.review })
        else { return }
        playlist.plannedReload(
            at: max(now.uptime, playlist.follower.schedule.nextReload?.uptime ?? playlist.backOff.failed(at: now)),
            now: now)
    }

    /// - Parameter isRefused: the server answered; otherwise it was not reached.
    mutating func renewalFailed(_ problem: String, isRefused: Bool, at now: Moment) {
        renewal.opening = nil
        if isRefused {
            renewal.plan(after: session.askedUntil, at: now)
        } else {
            renewal.nextAt = session.nextAttempt(at: now)
        }
        desk.noteError(.network, "no new session (\(problem)), \(nextSession(at: now))", at: now)
    }

    /// Replaces the session when its beacons in flight have been answered, so that their outcomes reach its own journal
    /// entries; at the latest when the time for that is up.
    private mutating func takeOver(_ successor: RenewalPart.Successor, at now: Moment) {
        guard tracker?.isIdle ?? true || successor.until <= now.uptime else { return }
        let (former, formerProvider) = (tracker, metadata.provider)
        noteUnended(at: now)
        let viewer = rejoining()
        leaveSession()
        (metadata.provider, session.answers) = (successor.provider, successor.answers)
        if let former, let formerProvider {
            metadata.provider?.replaces(formerProvider, thatVerified: former.ledger.verified)
        }
        playhead = viewer
        establish(successor.addresses, after: former, at: now)
    }

    /// The same viewer in the new session: from where the old one stopped, if the new playlist shows that, so that
    /// nothing is played twice and nothing between is missed.
    private func rejoining() -> Playhead {
        let timeline = playlist.follower.timeline
        guard playhead.state != .idle else { return playhead.joining(at: playhead.start) }
        if let date = playheadDate { return playhead.joining(at: .continuing(date)) }
        guard timeline.hasEnded, let window = timeline.window else { return playhead.joining(at: .automatic) }
        return playhead.joining(at: .offset(playhead.position - window.start))
    }

    /// Drops everything that belongs to the session. Ad spaces, the auction, counters, findings and the log belong to the
    /// process and remain.
    private mutating func leaveSession() {
        let (new, wish) = (nextState, playlist.wish)
        (session, playlist, metadata, decisions) = (new.session, new.playlist, new.metadata, new.decisions)
        // A person's choice outlives the session in which it was made.
        playlist.wish = wish
        (interstitials, join, growth, views) = (new.interstitials, new.join, new.growth, new.views)
        air = air.renewed
        pings.left()
        // What waits for a verdict may still be sent by the next session.
        (verdicts, lastPlayedDate) = (BreakVerdicts(), nil)
        desk.requests = desk.requests.filter { $0.value.purpose.outlivesSession }
        desk.beacons.inFlight = desk.beacons.inFlight.filter { $0.key.owner != .stream }
        desk.beacons.unwritten = desk.beacons.unwritten.filter { $0.owner != .stream }
        desk.beacons.journaled = desk.beacons.journaled.filter { $0.owner != .stream }
        abandonReports()
    }

    /// The state with which the next session begins.
    private var nextState: MonitorState {
        var fresh = configuration
        // The numbers of a session must not repeat in the next one.
        fresh.seed &+= UInt64(renewal.count) &+ 1
        return MonitorState(fresh)
    }

    // MARK: Recordings of earlier versions

    /// Number of consecutive refusals of the manifest after which earlier versions replaced a session that never played;
    /// they never replaced one that had.
    private static let earlierRefusals = 5

    /// As earlier versions did, so that their recordings replay: true when initialisation starts again because the server
    /// rejects the manifest it announced.
    mutating func renewedAsEarlier(_ exchange: HTTPExchange, at now: Moment) -> Bool {
        guard configuration.renewal == nil, metadata.provider != nil, exchange.failure == nil,
            let status = exchange.status, (400..<500).contains(status), ![408, 425, 429].contains(status),
            playlist.backOff.consecutiveFailures >= Self.earlierRefusals
        else { return false }
        desk.noteError(
            .network, "the session's playlist \(Wording.problem(exchange)): requesting a new session", at: now)
        let new = MonitorState(configuration)
        session = new.session
        playlist = new.playlist
        metadata = new.metadata
        decisions = new.decisions
        tracker = nil
        air = new.air
        join = new.join
        growth = new.growth
        views = new.views
        desk.requests = desk.requests.filter { $0.value.purpose.outlivesSession }
        initialise(at: now)
        return true
    }
}

extension FetchPurpose {
    fileprivate var isPlaylist: Bool { self == .mediaPlaylist || self == .multivariant }

    /// Whether the request belongs to an ad space or a notice and not to the stream.
    fileprivate var outlivesSession: Bool {
        switch self {
        case .bid, .creative, .adCall, .adMedia: true
        case .sessionInit, .multivariant, .mediaPlaylist, .steering, .metadata, .segment, .assetList, .asset,
            .adDecision, .adSchedule:
            false
        }
    }
}
