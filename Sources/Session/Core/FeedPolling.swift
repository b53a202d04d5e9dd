import AdTracking
import HLS
import Ports

/// Polling the playlist: when, and what its answers mean for the other parts. The playlist itself is ``PlaylistPart``.
extension MonitorState {
    mutating func reloadIfDue(at now: Moment) {
        playlist.noticeStaleness(&desk, at: now)
        guard let manifest = session.addresses?.manifestURL, let due = nextReload, due <= now.uptime else { return }
        guard playlist.clock == nil else { return passTime(at: now) }
        playlist.reload(manifest, &desk, at: now)
    }

    /// What a reload is to a session without a playlist.
    private mutating func passTime(at now: Moment) {
        playlist.extendClock(at: now)
        desk.opening = nil
        if playhead.state == .idle, let date = playlist.clock?.joining(configuration.start) {
            playhead = playhead.joining(at: .date(date))
        }
        showTimelineToPlayhead(at: now)
    }

    /// Uptime of the next request; nil while none is due, or the server has ended the session. A function, for the same reason.
    var nextReload: Duration? { renewal.polls(.playlist) ? playlist.nextAt : nil }

    /// Uptime of the next request for a steering manifest, likewise.
    var nextSteering: Duration? { renewal.polls(.playlist) ? playlist.steering.nextAt : nil }

    mutating func steerIfDue(at now: Moment) {
        if renewal.polls(.playlist) { playlist.steerIfDue(&desk, at: now) }
    }

    /// - Parameter isManifest: whether the request was for the manifest, and not for the playlist of a variant.
    mutating func playlistAnswered(
        _ exchange: HTTPExchange, isManifest: Bool, requested: Moment, at now: Moment
    ) {
        switch playlist.answered(exchange, requested: requested, &desk, at: now) {
        case .unchanged(let reload):
            playlistSucceeded(exchange, reload, at: now)
            mergeWaiting(requested: requested, at: now)
        case .failed(let problem): playlistFailed(exchange, problem, requested: requested, at: now)
        case .text(let parsed):
            if playlist.follower.timeline.playlist == nil {
                session.noteOtherService(in: exchange, than: metadata.providerName, &desk, at: now)
            }
            let reached = reachedMedia()
            let taken = playlist.take(
                parsed, exchange, isManifest: isManifest, dating: dating, requested: requested, &desk, at: now)
            switch taken {
            case .awaitsMedia: break
            case .failed(let problem): playlistFailed(exchange, problem, requested: requested, at: now)
            case .media(let reload):
                noteRedating(of: reached)
                playlistSucceeded(exchange, reload, at: now)
                joinBreaks(at: now)
                mergeWaiting(requested: requested, at: now)
            }
        }
    }

    /// The media before the viewer's place. A function: for a property, a mutating function copies the whole state.
    private func reachedMedia() -> ReachedMedia? {
        playhead.state == .idle
            ? nil : ReachedMedia(before: playhead.position, on: playlist.follower.timeline)
    }

    /// Whether tags alone bring ads, as far as is known.
    var hasOnlyTags: Bool { configuration.decision != nil && (metadata.provider == nil || mayBePlain) }

    /// A recording of an earlier version is replayed with the dates that it had.
    private var dating: PlaylistPart.Dating {
        let isNow = !configuration.replaysEarlier
        let provider = isNow ? metadata.provider : nil
        // Ads of a tag are placed by markers. Metadata in dates must not be placed by dates that are assumed.
        return PlaylistPart.Dating(
            ofRecordings: configuration.decision != nil || provider != nil,
            ofLiveStreams: provider.map { type(of: $0).placesWithoutDates } ?? false || isNow && hasOnlyTags)
    }

    /// What follows from an answer with a playlist, or that it has not changed.
    private mutating func playlistSucceeded(_ exchange: HTTPExchange, _ reload: Reload, at now: Moment) {
        renewal.succeeded(.playlist)
        playlist.succeeded(exchange, reload, &desk, at: now)
        showTimelineToPlayhead(at: now)
        let (planned, stream) = inPlace { ($0.nextPoll(), $0.streamFacts()) }
        metadata.provider?.playlistArrived(on: stream)
        let next = inPlace { $0.nextPoll() }
        if next != planned { metadata.record.planned(at: next, now: now) }
    }

    private mutating func playlistFailed(
        _ exchange: HTTPExchange, _ problem: String, requested: Moment, at now: Moment
    ) {
        guard !playlist.ended.isLooking else { return playlist.lookFailed(exchange, problem, &desk, at: now) }
        let failure: PlaylistPart.FailedAnswer
        if playlist.isKnown {
            failure = playlist.failed(exchange, problem, requested: requested, &desk, at: now)
            showTimelineToPlayhead(at: now)
        } else if renewedAsEarlier(exchange, at: now) {
            return
        } else {
            failure = playlist.openingFailed(exchange, problem, pause: pause(askedBy: exchange, at: now), at: now)
        }
        playlist.note(failure, &desk, at: now)
        if failure.load == .counts { noteRefusal(of: .playlist, exchange, at: now) }
        playlist.plannedReload(at: renewal.polls(.playlist) ? failure.next : nil, now: now)
    }
}

/// Polling the metadata. The feed itself is ``MetadataPart``.
extension MonitorState {
    mutating func pollIfDue(at now: Moment) {
        guard let due = nextPoll(), due <= now.uptime else { return }
        metadata.poll(on: streamFacts(), &desk, at: now)
    }

    /// What the provider may know of the stream.
    func streamFacts() -> StreamFacts {
        metadata.facts(playlist.facts(playhead: playheadDate), playedTo: playhead.position)
    }

    /// Uptime of the next request; nil while none is due, or the server has ended the session.
    func nextPoll() -> Duration? { renewal.polls(.metadata) ? metadata.nextAt : nil }

    mutating func metadataAnswered(_ exchange: HTTPExchange, at now: Moment) {
        switch metadata.answered(exchange, on: streamFacts(), &desk, at: now) {
        case .document(let document):
            metadataRead(document, exchange, poll: desk.counters.metadataPolls, at: now)
        case .unchanged:
            renewal.succeeded(.metadata)
            if let tracker { join.documentArrived(in: tracker, edge: listedEdge) }
        case .failed(let failure):
            metadataFailed(failure, at: now)
            if failure.cause != nil { noteOtherReader(of: exchange, at: now) }
        case .unread: break
        }
        metadata.record.planned(at: nextPoll(), now: now)
    }

    /// - Parameters:
    ///   - poll: number of the answer among those of metadata; nil where no poll brought it.
    ///   - ping: number of the ping whose answer it is.
    private mutating func metadataRead(
        _ document: DecodedMetadata, _ exchange: HTTPExchange, poll: Int? = nil, ping: Int? = nil, at now: Moment
    ) {
        renewal.succeeded(.metadata)
        metadata.took(exchange, &desk, at: now)
        let answer = AnsweredDocument(document: document, exchange: exchange, poll: poll, ping: ping)
        let mayWait = playlist.clock == nil && tracker?.mayPrecedePlaylist(document, at: now) == true
        if !metadata.waiting.keep(answer, ifItMay: mayWait, at: now) { merge(answer, at: now) }
    }

    /// A playlist that was requested at `requested` shows which dates count.
    private mutating func mergeWaiting(requested: Moment, at now: Moment) {
        if let answer = metadata.waiting.take(requested: requested) { merge(answer, at: now) }
    }

    /// Takes in what an answer lists.
    private mutating func merge(_ answer: AnsweredDocument, at now: Moment) {
        let (document, exchange, poll, ping) = (answer.document, answer.exchange, answer.poll, answer.ping)
        guard let outcome = tracker?.metadataArrived(document, at: now) else { return }
        if let tracker { join.documentArrived(in: tracker, edge: listedEdge) }
        desk.keepPoll(.metadata, exchange, changes: outcome.merge, at: now)
        noteGrowth(outcome.merge, poll: poll, ping: ping, at: now)
        if let tracker { air.replan(after: outcome.merge, tracker) }
        let stream = inPlace { $0.streamFacts() }
        if let book = tracker?.book { metadata.lint(document, outcome, book, on: stream, &desk, at: now) }
        metadata.describe(outcome.merge, exchange, isPoll: poll != nil, in: tracker?.book, air, &desk, at: now)
        merged(outcome, at: now)
        noteSignaledDifferences(at: now)
        if let range = tracker?.dataRange, let date = inPlace({ $0.playheadDate }), metadata.documents > 0 {
            join.noteUnmatched(playedUntil: date, in: range, &desk, at: now)
        }
        moveToInterstitials(at: now)
        noteOtherReader(of: exchange, at: now)
    }

    /// What follows from the ads of a document, wherever it came from.
    private mutating func merged(_ outcome: AdTracker.Outcome, at now: Moment) {
        take(outcome, at: now)
        if let tracker { desk.noteFindings(verdicts.documentArrived(in: tracker), from: .delivery, at: now) }
        if outcome.merge.changesAnything { views.metadataChanged() }
        joinBreaks(at: now)
    }

    /// Notes for people what a document changed in each break.
    /// - Parameters:
    ///   - poll: number of the answer; nil where no poll brought it.
    ///   - ping: number of the ping that brought it.
    mutating func noteGrowth(_ merge: MergeReport, poll: Int?, ping: Int? = nil, at now: Moment) {
        guard let tracker, !merge.changes.isEmpty else { return }
        let date = playheadDate.map { tracker.adTime(of: $0) }
        views.touch(growth.noted(merge, poll: poll, ping: ping, viewerAt: date, in: tracker.book, at: now))
    }

    /// The address to which a session is attached lists no break that its provider can read, nor do the first answers to one that was named.
    private mutating func noteOtherReader(of exchange: HTTPExchange, at now: Moment) {
        let isNamed = configuration.namesProvider && session.searchedAnswers < Self.answersOfNamed
        guard playlist.clock != nil || isNamed, tracker?.book.presentBreaks.isEmpty != false else { return }
        session.searchedAnswers += 1
        session.noteOtherReader(of: exchange, than: metadata.providerName, &desk, at: now)
    }

    /// Number of answers that show whether the provider that was named reads them; each further one would be read by all others too.
    private static var answersOfNamed: Int { 3 }

    private mutating func metadataFailed(_ failure: MetadataPart.Failure, at now: Moment) {
        guard metadata.failed(failure, mayBePlain: mayBePlain, &desk, at: now) else { return }
        noteRefusal(
            of: .metadata, failure.exchange, cause: failure.cause, isPing: failure.ping != nil, at: now)
    }

    /// Whether only the guessed URL suggests metadata, and no document ever arrived.
    private var mayBePlain: Bool {
        configuration.provider == .auto && !renewal.delivered.contains(.metadata)
            && session.addresses?.isRecognised == false
    }
}

/// What a provider knows beside its documents: what opened the session lists, what pings bring, and what the media shows.
extension MonitorState {
    /// Takes in what no request for documents brought.
    mutating func takeDocuments(at now: Moment) {
        takeDocuments(of: \.provider, at: now)
        takeDocuments(of: \.confirming, at: now)
    }

    private mutating func takeDocuments(
        of source: WritableKeyPath<MetadataPart, (any AdMetadataProvider)?>, at now: Moment
    ) {
        guard metadata[keyPath: source]?.hasDocument == true else { return }
        let stream = streamFacts()
        while let document = metadata[keyPath: source]?.takeDocument(on: stream) { take(document, at: now) }
    }

    private mutating func take(_ document: ProviderDocument, at now: Moment) {
        switch document {
        case .answer(let content, let exchange, let ping): metadataRead(content, exchange, ping: ping, at: now)
        case .media(let content): mediaShows(content, at: now)
        case .findings(let findings): desk.noteFindings(findings, from: .metadata, at: now)
        }
    }

    /// More of the ads. It is no answer to a poll.
    mutating func mediaShows(_ document: DecodedMetadata, at now: Moment) {
        desk.noteFindings(document.findings, from: .metadata, at: now)
        guard let outcome = tracker?.metadataArrived(document, at: now) else { return }
        if let tracker { join.documentArrived(in: tracker, edge: listedEdge) }
        noteGrowth(outcome.merge, poll: nil, at: now)
        if let tracker { air.replan(after: outcome.merge, tracker) }
        merged(outcome, at: now)
        moveToInterstitials(at: now)
    }

    mutating func pingIfDue(at now: Moment) {
        let position = playhead.state == .playing ? playhead.position : nil
        pings.player(at: position, in: pingedSession, &metadata, &desk, at: now)
    }

    /// The session that pings report to: the one that is watched, unless the server has ended it.
    private var pingedSession: String? {
        guard let addresses = session.addresses, renewal.successor == nil, renewal.polls(.metadata) else { return nil }
        return addresses.sessionID ?? ""
    }

    /// Uptime of the next ping; nil while its position is unknown, or beyond what the playlist lists.
    var nextPing: Duration? {
        guard pingedSession != nil, let position = metadata.provider?.nextPing else { return nil }
        // At the position itself it is not due yet.
        return playhead.uptime(reaching: position + .milliseconds(1))
    }

    mutating func pingAnswered(_ claim: ClaimID, _ exchange: HTTPExchange, at now: Moment) {
        guard let failure = pings.answered(claim, exchange, &metadata, &desk, at: now) else { return }
        metadataFailed(failure, at: now)
        if failure.cause != nil { noteOtherReader(of: exchange, at: now) }
    }

    /// Uptime of the next attempt to read a segment.
    var nextMediaRead: Duration? { desk.journal.isSettled ? metadata.media.nextAt : nil }

    /// Reads segments once the journal has reported what was sent in an earlier run: their beacons may be due at once.
    mutating func readMediaIfDue(at now: Moment) {
        guard desk.journal.isSettled, tracker != nil, let provider = metadata.provider,
            type(of: provider).readsMedia, renewal.polls(.metadata)
        else { return }
        let stream = inPlace { $0.streamFacts() }
        if let number = playlist.text?.number, metadata.playlistArrived(number, on: stream) { takeDocuments(at: now) }
        guard playhead.state != .idle, stream.timeline.playlist != nil else { return }
        metadata.media.read(from: playhead.position, on: stream, for: provider, &desk, at: now)
    }

    mutating func segmentAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        if metadata.segmentAnswered(id, exchange, on: streamFacts(), &desk, at: now) { takeDocuments(at: now) }
    }
}
