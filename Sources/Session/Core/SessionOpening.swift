import AdTracking
import HLS
import Ports

extension MonitorState {
    mutating func start(at now: Moment) {
        guard session.addresses == nil, desk.requests.isEmpty else { return }
        desk.note(.info, "session \(configuration.mediaURL.text)", at: now)
        absorb(playhead.setRate(configuration.rate, at: now, on: playlist.follower.timeline), at: now)
        if !continueSession(at: now) { initialise(at: now) }
    }

    mutating func retrySessionIfDue(at now: Moment) {
        guard let due = session.retryAt, due <= now.uptime else { return }
        session.retryAt = nil
        initialise(at: now)
    }

    /// The user does not wait for the next try. While one is under way there is nothing to do.
    mutating func openNow(at now: Moment) {
        guard desk.opening != nil else { return desk.note(.info, "the stream is open", at: now) }
        if session.addresses == nil, session.retryAt != nil {
            session.retryAt = now.uptime
        } else if session.addresses != nil, playlist.nextAt != nil {
            playlist.nextAt = now.uptime
        }
    }

    mutating func sessionAnswered(_ exchange: HTTPExchange, at now: Moment) {
        session.noteAsked(pause(askedBy: exchange, at: now), at: now)
        asked.note(exchange)
        guard let step = opening?.openingAnswered(exchange) else { return }
        // Where a session is replaced, one of that provider was open.
        if case .failed = step, configuration.namesProvider, !renewal.isRequesting, let name = metadata.providerName {
            session.noteForeignOpening(exchange, than: name, &desk, at: now)
        }
        perform(step, isAnswered: exchange.failure == nil, at: now)
    }

    /// The pause that a server asks for with `Retry-After`, which earlier versions did not keep while they opened a stream.
    func pause(askedBy exchange: HTTPExchange, at now: Moment) -> Duration {
        configuration.replaysEarlier ? .zero : RetryAfter.pause(of: exchange, at: now)
    }

    mutating func initialise(at now: Moment) {
        session.askedUntil = nil
        asked = OpeningAnswers()
        guard let step = opening?.open() else {
            let plain = SessionAddresses(manifestURL: configuration.mediaURL, metadataURL: nil, path: .manifest)
            return establish(plain, at: now)
        }
        perform(step, at: now)
    }

    /// The provider whose session is opened: that of the next session while it is requested.
    private var opening: (any AdMetadataProvider)? {
        get { renewal.opening ?? metadata.provider }
        set {
            if renewal.isRequesting { renewal.opening = newValue } else { metadata.provider = newValue }
        }
    }

    /// The answers to the requests that open it.
    private var asked: OpeningAnswers {
        get { renewal.isRequesting ? renewal.asked : session.answers }
        set {
            if renewal.isRequesting { renewal.asked = newValue } else { session.answers = newValue }
        }
    }

    /// - Parameter isAnswered: the server was reached, or needed not be: a provider may know the session from the URL alone.
    private mutating func perform(_ step: OpeningStep, isAnswered: Bool = true, at now: Moment) {
        switch step {
        case .request(let request):
            desk.fetch(.sessionInit, request, limit: Limits.playlistBytes, at: now)
        case .opened(let addresses):
            guard !opensRedirected(to: addresses, at: now) else { return }
            if let opening { session.noteOwnOpening(of: type(of: opening).name, &desk, at: now) }
            if renewal.isRequesting { sessionRenewed(addresses, at: now) } else { establish(addresses, at: now) }
        case .failed(let failure):
            guard renewal.isRequesting else { return sessionFailed(failure, at: now) }
            renewalFailed(Self.words(failure), isRefused: isAnswered, at: now)
        }
    }

    /// The manifest was redirected to an address of another provider (PRV-41), and no session was opened: that provider opens one there.
    /// - Returns: whether it does.
    private mutating func opensRedirected(to addresses: SessionAddresses, at now: Moment) -> Bool {
        guard configuration.provider == .auto, !configuration.replaysEarlier, addresses.path == .redirect,
            !addresses.isRecognised,
            let opening, let found = metadata.unopenedProvider(at: addresses.manifestURL, configuration),
            type(of: found).name != type(of: opening).name
        else { return false }
        let title = type(of: found).summary.title
        desk.note(.info, "the manifest is redirected to an address of \(title): opening its session", at: now)
        self.opening = found
        initialise(at: now)
        return true
    }

    private mutating func sessionFailed(_ failure: SessionInitFailure, at now: Moment) {
        desk.opening?.sessionFailed()
        let retry = session.nextAttempt(at: now)
        session.retryAt = retry
        let steps = Self.words(failure)
        let isNew = session.problem != steps
        session.problem = steps
        desk.errors.note(.network, "session: \(steps)", at: now)
        desk.activity.noteError(at: now)
        let wait = Wording.seconds(retry - now.uptime)
        desk.note(isNew ? .error : .debug, "session failed (\(steps)), next try in \(wait)", at: now)
    }

    private static func words(_ failure: SessionInitFailure) -> String {
        failure.steps.map { "\($0.name): \($0.problem)" }.joined(separator: "; ")
    }

    /// The addresses are known: the playlist and the journal start immediately; metadata starts when the journal has
    /// reported which beacons were sent before.
    /// - Parameter former: what the session before this one sent: nothing of it is sent again.
    mutating func establish(_ addresses: SessionAddresses, after former: AdTracker? = nil, at now: Moment) {
        let how = renewal.successor != nil ? "renewed, " : session.problem != nil ? "recovered, " : ""
        session.addresses = addresses
        session.problem = nil
        session.backOff.succeeded()
        desk.note(.info, "session \(how)\(addresses.path.words): \(describe(addresses))", at: now)
        renewal.established(at: now)
        var settings = AdTracker.Settings(
            sessionID: key(of: addresses).text, mode: desk.mode, seed: configuration.seed)
        settings.sessionName = addresses.sessionID
        settings.keep = configuration.keep
        settings.retry = configuration.retryPolicy
        settings.keepsUnsent = configuration.writesHistory
        settings.gate = desk.beaconGate
        settings.reportsAnyway = configuration.sending.reportsAnyway
        tracker = AdTracker(settings)
        if let former { tracker?.follow(former) }
        playlist.nextAt = now.uptime
        if playlist.clock != nil { playlist.record.becameNone() }
        if addresses.metadataURL == nil { metadata.becameNone() }
        // A stream without metadata may have beacons too, from its interstitials.
        openJournal(key(of: addresses))
    }

    /// The identity that two runs of a session share: the server's identifier, or else the manifest's address without its
    /// tokens.
    private func key(of addresses: SessionAddresses) -> SessionKey {
        let manifest = addresses.manifestURL
        if let id = addresses.sessionID { return SessionKey("\(manifest.origin) \(id)") }
        // Recordings of earlier versions name the whole address in their journals.
        guard !configuration.replaysEarlier else { return SessionKey(manifest.text) }
        return SessionKey(StreamIdentity.text(of: manifest), earlier: StreamIdentity.textAsWritten(of: manifest))
    }

    private func describe(_ addresses: SessionAddresses) -> String {
        guard metadata.provider != nil else { return "plain stream" }
        guard addresses.path != .tracking else { return addresses.metadataURL?.text ?? "" }
        return "manifest \(addresses.manifestURL.text), metadata \(addresses.metadataURL?.text ?? "none")"
    }

    /// What another process needs to continue this session.
    package var handover: SessionHandover {
        guard let addresses = session.addresses, let answers = session.answers.kept, !renewal.isOver else {
            return SessionHandover(claimedThrough: claimedThrough)
        }
        var running = RunningSession(
            mediaURL: configuration.mediaURL, provider: metadata.providerName, addresses: addresses, answers: answers,
            anchor: playlist.follower.timeline.anchor)
        running.delivered = renewal.delivered
        running.memory = metadata.provider?.memory(on: streamFacts())
        let isShort = running.memory.map { $0.text().utf8.count <= RunningSession.longestMemory } ?? true
        return SessionHandover(running: isShort ? running : nil, claimedThrough: claimedThrough)
    }

    /// The media date up to which what was due has been claimed, and the journal has answered.
    private var claimedThrough: UnixTime? {
        guard let date = playheadDate else { return nil }
        let earliest = date - Self.longestWait
        let undecided = tracker?.ledger.firstUndecided(from: earliest).map { $0 - .microseconds(1) }
        // What was due is not known before the first document, where media was not read, and where an answer has to explain it.
        let unknown = [
            metadata.awaitsFirst ? metadata.media.readFrom : streamFacts().reading.awaited,
            metadata.provider?.unexplainedFrom.map { $0 - .microseconds(1) },
        ]
        let recent = unknown.compactMap(\.self).filter { $0 >= earliest }
        return (recent + [date, undecided].compactMap(\.self)).min()
    }

    /// What is open for longer holds nothing back: it may stay open for ever, and a successor does not go back much farther.
    private static let longestWait: Duration = .seconds(30)

    /// Continues the session that another process opened; false where there is none, or where what is known of it opens another one.
    mutating func continueSession(at now: Moment) -> Bool {
        guard let running = configuration.following.running, running.mediaURL == configuration.mediaURL,
            running.provider == metadata.providerName
        else { return false }
        if var provider = metadata.provider {
            guard provider.reopen(with: running.answers) == running.addresses else { return false }
            if let memory = running.memory { provider.recall(memory) }
            metadata.provider = provider
        }
        for answer in running.answers { session.answers.note(answer) }
        if let anchor = running.anchor { playlist.follower.continues(anchor) }
        desk.note(.info, "continuing the session of another process", at: now)
        establish(running.addresses, at: now)
        renewal.continued(running.delivered)
        return true
    }
}
