import AdTracking
import HLS
import Ports

extension MonitorState {
    mutating func reloadIfDue(at now: Moment) {
        playlist.noticeStaleness(&desk, at: now)
        guard let manifest = session.addresses?.manifestURL, let due = nextReload, due <= now.uptime else { return }
        guard playlist.clock == nil else { return passTime(at: now) }
        playlist.nextAt = nil
        if playlist.wantsManifest {
            desk.fetch(.multivariant, manifest, limit: Limits.playlistBytes, at: now)
        } else {
            if !playlist.reviewIfDue(manifest, &desk, at: now) { playlist.returnToPreferredVariant(&desk, at: now) }
            playlist.fetchMedia(playlist.variantURL ?? manifest, &desk, at: now)
        }
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

    /// Uptime of the next request; nil while none is due, or the server has ended the session.
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
        desk.counters.playlistReloads += 1
        playlist.staleAt = nil
        if exchange.status == 304, exchange.failure == nil, playlist.follower.timeline.playlist != nil {
            return playlistUnchanged(exchange, requested: requested, at: now)
        }
        guard exchange.isSuccess else {
            return playlistFailed(exchange, Wording.problem(exchange), requested: requested, at: now)
        }
        let parsed = playlist.read(exchange, isStrict: !configuration.following.isLenient)
        desk.noteFindings(parsed.findings, from: .playlist, at: now)
        if playlist.follower.timeline.playlist == nil { noteOtherService(exchange, at: now) }
        playlist.lintType(of: parsed, exchange, &desk, at: now)
        switch parsed.kind {
        case .multivariant(let multivariant):
            let problem =
                isManifest || playlist.choice == nil
                ? playlist.select(from: multivariant, exchange, &desk, at: now)
                : "received a multivariant playlist instead of a media playlist"
            if let problem { playlistFailed(exchange, problem, requested: requested, at: now) }
        case .media:
            playlistParsed(parsed, exchange, requested: requested, at: now)
        case .invalid(let rule):
            let reason = "not a playlist: \(parsed.findings.first { $0.rule == rule }?.message ?? rule)"
            let isDASH = DASHManifest.isOne(exchange)
            playlistFailed(exchange, isDASH ? DASHManifest.problem : reason, requested: requested, at: now)
        }
    }

    /// A cache in front of the server answers that the newest playlist is still the one it gave.
    private mutating func playlistUnchanged(_ exchange: HTTPExchange, requested: Moment, at now: Moment) {
        let reload = playlist.follower.noteUnchanged(
            playlist.reloadExchange(exchange, requested: requested, configuration, at: now))
        desk.noteFindings(reload.findings, from: .playlist, at: now)
        took(exchange, reload, at: now)
    }

    /// Reports that the first playlists are of a service whose session was not opened: its ads are not seen (PRV-41).
    private mutating func noteOtherService(_ exchange: HTTPExchange, at now: Moment) {
        guard configuration.provider != .none, !session.showsOtherService, !configuration.replaysEarlier,
            let found = Recognition(of: configuration.mediaURL, text: exchange.body), found.hasSessions,
            found.name != metadata.providerName
        else { return }
        session.showsOtherService = true
        noteOtherService(found.title, found.name, at: now)
    }

    private mutating func noteOtherService(_ title: String, _ name: String, at now: Moment) {
        let finding = Finding(
            rule: SessionRule.otherProvider, severity: .warning,
            message: "the stream is of \(title): start again with --provider \(name)", section: "PRV-41")
        desk.noteFindings([finding], from: .metadata, at: now)
    }

    /// Whether ads get a place in a complete stream without dates: VMAP, and services that count from the start of the stream.
    private var datesRecordings: Bool {
        configuration.decision != nil || metadata.provider != nil && !configuration.replaysEarlier
    }

    /// Whether ads get a place in a live stream without dates: positions become dates that end at the arrival of the first playlist.
    private var datesLiveStreams: Bool {
        metadata.provider.map { type(of: $0).placesWithoutDates } ?? false && !configuration.replaysEarlier
    }

    private mutating func playlistParsed(
        _ parsed: ParsedPlaylist, _ exchange: HTTPExchange, requested: Moment, at now: Moment
    ) {
        let isFirst = playlist.follower.timeline.playlist == nil
        let parsed = isFirst && datesRecordings ? parsed.dated : parsed
        let isUndated = playlist.follower.timeline.dateOfZero == nil
        if isFirst, isUndated, datesLiveStreams, parsed.isUndatedLive, let length = parsed.media?.duration {
            playlist.follower.date(zero: now.wall - length)
        }
        let reload = playlist.follower.noteParsed(
            parsed, playlist.reloadExchange(exchange, requested: requested, configuration, at: now))
        desk.noteFindings(reload.findings, from: .playlist, at: now)
        guard reload.outcome != .deltaIncomplete else { return deltaIsIncomplete(exchange, at: now) }
        playlist.finalURL = exchange.finalURL.map { DeliveryDirectives.removed(from: $0) }
        if let media = parsed.media, playlist.follower.timeline.listsEnd(of: media) {
            playlist.text = PlaylistText(number: (playlist.text?.number ?? 0) + 1, parsed, media, exchange, at: now)
        }
        let isFirstOrAgain = isFirst || playlist.record.isFailing
        if isFirstOrAgain { desk.keepPoll(.playlist, exchange, at: now) }
        if isFirst { playlist.describe(&desk, at: now) }
        took(exchange, reload, at: now)
        joinBreaks(at: now)
    }

    /// A delta update skips what is not held. The whole playlist is requested then; a server that answers that with a delta update, too, or a
    /// cache that drops the query, serves none.
    private mutating func deltaIsIncomplete(_ exchange: HTTPExchange, at now: Moment) {
        playlist.asked = nil
        if playlist.follower.schedule.consecutiveErrors > 0 {
            let problem = "delta update that was not asked for; a cache may drop the query"
            _ = playlist.leaveFailedVariant(exchange, problem, &desk, at: now)
            notePlaylistFailure(exchange, problem, next: playlist.follower.schedule.nextReload?.uptime, at: now)
        }
        playlist.plannedReload(at: playlist.follower.schedule.nextReload?.uptime, now: now)
    }

    /// What follows from an answer with a playlist, or that it has not changed.
    private mutating func took(_ exchange: HTTPExchange, _ reload: Reload, at now: Moment) {
        playlist.asked = nil
        if playlist.record.succeeded(exchange, at: now) {
            desk.note(.info, "playlist recovered: \(Wording.answer(exchange))", from: .playlist, at: now)
        }
        playlist.backOff.succeeded()
        playlist.choice?.succeeded()
        renewal.succeeded(.playlist)
        desk.opening = nil
        if reload.isStale { playlist.leaveStaleVariant(&desk, at: now) }
        playlist.plannedReload(at: nextReload(after: reload, at: now), now: now)
        showTimelineToPlayhead(at: now)
    }

    /// When the playlist is requested next: as its schedule wants, or later if the channel has ended.
    private mutating func nextReload(after reload: Reload, at now: Moment) -> Duration? {
        let scheduled = playlist.follower.schedule.nextReload?.uptime
        guard configuration.following.isLenient else { return scheduled }
        let hasEnded = playlist.follower.timeline.hasEnded
        if let span = playlist.ended.noted(hasEnded: hasEnded, at: now) {
            let numbers = reload.isReset ? "begin again" : "continue"
            let message =
                "the channel ended and returned \(Wording.seconds(span)) later; its media sequence numbers \(numbers)"
            let finding = Finding(
                rule: SessionRule.channelReturned, severity: .warning, message: message, section: "HLS-32")
            desk.noteFindings([finding], from: .playlist, at: now)
            desk.note(
                .info, "channel returned after \(Wording.seconds(span)): following it again", from: .playlist, at: now)
        }
        return scheduled ?? playlist.ended.nextLook(at: now)
    }

    /// The channel has ended, and the look whether it returned brought nothing: no error of a stream that plays.
    private mutating func lookFailed(_ exchange: HTTPExchange, _ problem: String, at now: Moment) {
        playlist.asked = nil
        playlist.ended.lookFailed(isRefused: RenewalPart.isRefusal(exchange))
        let next = playlist.ended.nextLook(at: now)
        let wait = next.map { Wording.seconds($0 - now.uptime) } ?? ""
        desk.note(
            .debug, "the channel has ended (playlist: \(problem)), next look in \(wait)", from: .playlist, at: now)
        playlist.plannedReload(at: next, now: now)
    }

    /// Matches markers and breaks again after the playlist or the breaks changed.
    mutating func joinBreaks(at now: Moment) {
        let timeline = playlist.follower.timeline
        let edge = timeline.hasEnded ? nil : timeline.window?.endDate
        let known = tracker.map { join.known($0, edge: edge) } ?? []
        if let date = playheadDate { playlist.follower.forgetBreaks(endedBefore: date - configuration.keep) }
        if join.match(known, playlist.follower.breaks.breaks, &desk, at: now) { views.markersChanged() }
        if let tracker { join.judgeStitching(in: tracker, on: timeline, &desk, at: now) }
    }

    /// A playhead that has not joined yet waits until the playlist is as new as possible.
    private mutating func showTimelineToPlayhead(at now: Moment) {
        guard playhead.state != .idle || !playlist.follower.isTuningIn else { return }
        let progress = playhead.timelineChanged(playlist.follower.timeline, at: now)
        placeInterstitials(at: now)
        placeSignaledBreaks(at: now)
        absorb(progress, at: now)
    }

    /// The pause that a server asks for with `Retry-After`, which earlier versions did not keep while they opened a stream.
    func pause(askedBy exchange: HTTPExchange, at now: Moment) -> Duration {
        configuration.replaysEarlier ? .zero : RetryAfter.pause(of: exchange, at: now)
    }

    mutating func playlistFailed(_ exchange: HTTPExchange, _ problem: String, requested: Moment, at now: Moment) {
        guard !playlist.ended.isLooking else { return lookFailed(exchange, problem, at: now) }
        let next: Duration?
        var load = PlaylistPart.FailedLoad.counts
        if playlist.choice != nil || playlist.follower.timeline.playlist != nil {
            let reload = playlist.follower.noteFailure(
                status: exchange.status, reason: problem,
                playlist.reloadExchange(exchange, requested: requested, configuration, at: now))
            desk.noteFindings(reload.findings, from: .playlist, at: now)
            load = playlist.leaveFailedVariant(exchange, problem, &desk, at: now)
            next = playlist.follower.schedule.nextReload?.uptime
            showTimelineToPlayhead(at: now)
        } else if renewedAsEarlier(exchange, at: now) {
            return
        } else {
            next = playlist.backOff.failed(asked: pause(askedBy: exchange, at: now), at: now)
        }
        playlist.asked = nil
        if load != .isTry { notePlaylistFailure(exchange, problem, next: next, at: now) }
        if load == .counts { noteRefusal(of: .playlist, exchange, at: now) }
        playlist.plannedReload(at: renewal.polls(.playlist) ? next : nil, now: now)
    }

    /// - Parameter next: uptime of the next request.
    private mutating func notePlaylistFailure(
        _ exchange: HTTPExchange, _ problem: String, next: Duration?, at now: Moment
    ) {
        desk.errors.note(.network, "playlist: \(problem)", at: now)
        desk.activity.noteError(at: now)
        if playlist.record.failed(exchange, problem: problem) {
            desk.keepPoll(.playlist, exchange, problem: problem, at: now)
            let wait = next.map { ", next try in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
            desk.note(.error, "playlist: \(problem)\(wait)", from: .playlist, at: now)
        }
    }
}

/// Polling the metadata.
extension MonitorState {
    mutating func pollIfDue(at now: Moment) {
        guard let due = nextPoll, due <= now.uptime, let request = metadata.request(on: streamFacts, at: now) else {
            return
        }
        desk.fetch(.metadata, request, limit: Limits.metadataBytes, at: now)
    }

    /// Takes in what no request for documents brought: what the answer that opened the session lists, and those to pings, and what
    /// the media shows.
    mutating func takeDocuments(at now: Moment) {
        takeDocuments(of: \.provider, at: now)
        takeDocuments(of: \.confirming, at: now)
    }

    private mutating func takeDocuments(
        of source: WritableKeyPath<MetadataPart, (any AdMetadataProvider)?>, at now: Moment
    ) {
        guard metadata[keyPath: source]?.hasDocument == true else { return }
        let stream = streamFacts
        while let document = metadata[keyPath: source]?.takeDocument(on: stream) { take(document, at: now) }
    }

    private mutating func take(_ document: ProviderDocument, at now: Moment) {
        switch document {
        case .answer(let content, let exchange): metadataRead(content, exchange, at: now)
        case .media(let content): mediaShows(content, at: now)
        case .findings(let findings): desk.noteFindings(findings, from: .metadata, at: now)
        }
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
        metadataFailed(exchange, failure.problem, failure.kind, cause: failure.cause, at: now)
    }

    /// What the provider may know of the stream.
    var streamFacts: StreamFacts {
        metadata.facts(playlist.facts(playhead: playheadDate), playedTo: playhead.position)
    }

    /// Uptime of the next request; nil while none is due, or the server has ended the session.
    var nextPoll: Duration? { renewal.polls(.metadata) ? metadata.nextAt : nil }

    mutating func metadataAnswered(_ exchange: HTTPExchange, at now: Moment) {
        desk.counters.metadataPolls += 1
        defer { metadata.record.planned(at: nextPoll, now: now) }
        // A cache in front of the server answers that the newest document is still the one it gave.
        if exchange.status == 304, exchange.failure == nil, metadata.documents > 0 {
            return metadataUnchanged(exchange, at: now)
        }
        guard exchange.isSuccess else {
            desk.keepPoll(.metadata, exchange, problem: Wording.problem(exchange), at: now)
            let kind: ErrorKind = exchange.failure == nil ? .metadata : .network
            return metadataFailed(exchange, Wording.problem(exchange), kind, at: now)
        }
        do throws(MetadataProblem) {
            let stream = streamFacts
            guard let document = try metadata.provider?.read(exchange, on: stream) else { return }
            metadataRead(document, exchange, poll: desk.counters.metadataPolls, at: now)
        } catch {
            let type = exchange.contentType.map { " (\($0))" } ?? ""
            desk.keepPoll(.metadata, exchange, problem: "the body\(type) \(error.explanation)", at: now)
            metadataFailed(exchange, "the body\(type) \(error.explanation)", .metadata, cause: error, at: now)
            noteOtherReader(exchange, at: now)
        }
    }

    private mutating func metadataUnchanged(_ exchange: HTTPExchange, at now: Moment) {
        metadata.succeeded(at: now)
        renewal.succeeded(.metadata)
        guard metadata.record.succeeded(exchange, at: now) else { return }
        desk.note(.info, "metadata recovered: \(Wording.answer(exchange))", from: .metadata, at: now)
    }

    /// Reports that another provider finds breaks in what is at the address to which a session is attached, where this one has
    /// found none (PRV-41). Only the address says which provider an attached session has, and a provider may read any object.
    private mutating func noteOtherReader(_ exchange: HTTPExchange, at now: Moment) {
        guard playlist.clock != nil, tracker?.book.presentBreaks.isEmpty != false, !session.showsOtherService,
            let name = metadata.providerName, let reader = ProviderTable.reader(of: exchange.body, except: name)
        else { return }
        session.showsOtherService = true
        noteOtherService(reader.summary.title, reader.name, at: now)
    }

    /// Notes for people what a document changed in each break.
    /// - Parameter poll: number of the answer; nil where no poll brought it.
    private mutating func noteGrowth(_ merge: MergeReport, poll: Int?, at now: Moment) {
        guard let tracker, !merge.changes.isEmpty else { return }
        let date = playheadDate.map { tracker.adTime(of: $0) }
        views.touch(growth.noted(merge, poll: poll, viewerAt: date, in: tracker.book, at: now))
    }

    /// - Parameter poll: number of the answer among those of metadata; nil where no poll brought it.
    private mutating func metadataRead(
        _ document: DecodedMetadata, _ exchange: HTTPExchange, poll: Int? = nil, at now: Moment
    ) {
        let appeared = metadata.isNone
        metadata.succeeded(at: now)
        renewal.succeeded(.metadata)
        if metadata.record.succeeded(exchange, at: now) || appeared {
            desk.note(
                .info, "metadata \(appeared ? "appeared" : "recovered"): \(Wording.answer(exchange))", from: .metadata,
                at: now)
        }
        metadata.lint(exchange, problem: nil, &desk, at: now)
        guard let outcome = tracker?.metadataArrived(document, at: now) else { return }
        desk.keepPoll(.metadata, exchange, changes: outcome.merge, at: now)
        noteGrowth(outcome.merge, poll: poll, at: now)
        if let tracker { air.replan(after: outcome.merge, tracker) }
        lint(document, outcome, at: now)
        let count = outcome.merge.changesAnything ? tracker?.book.presentBreaks.count ?? 0 : 0
        metadata.describe(outcome.merge, exchange, of: count, air, &desk, at: now)
        merged(outcome, at: now)
        if let range = tracker?.dataRange, let date = playheadDate, metadata.documents > 0 {
            join.noteUnmatched(playedUntil: date, in: range, &desk, at: now)
        }
        moveToInterstitials(at: now)
        noteOtherReader(exchange, at: now)
    }

    /// What follows from the ads of a document, wherever it came from.
    private mutating func merged(_ outcome: AdTracker.Outcome, at now: Moment) {
        take(outcome, at: now)
        if let tracker { desk.noteFindings(verdicts.documentArrived(in: tracker), from: .delivery, at: now) }
        if outcome.merge.changesAnything { views.metadataChanged() }
        joinBreaks(at: now)
    }

    private mutating func lint(_ document: DecodedMetadata, _ outcome: AdTracker.Outcome, at now: Moment) {
        let stream = streamFacts
        guard let book = tracker?.book,
            let findings = metadata.provider?.lint(document, outcome, book, on: stream, at: now)
        else { return }
        desk.noteFindings(findings, from: .metadata, at: now)
    }

    private mutating func metadataFailed(
        _ exchange: HTTPExchange, _ problem: String, _ kind: ErrorKind, cause: MetadataProblem? = nil, at now: Moment
    ) {
        let failure = MetadataPart.Failure(exchange: exchange, problem: problem, kind: kind, cause: cause)
        if metadata.failed(failure, mayBePlain: mayBePlain, &desk, at: now) {
            noteRefusal(of: .metadata, exchange, at: now)
        }
    }

    /// Whether only the guessed URL suggests metadata, and no document ever arrived.
    private var mayBePlain: Bool {
        configuration.provider == .auto && metadata.documents == 0 && session.addresses?.isRecognised == false
    }
}

/// Reading the media, for a provider whose ads it places.
extension MonitorState {
    /// Uptime of the next attempt to read a segment.
    var nextMediaRead: Duration? { desk.journal.isSettled ? metadata.media.nextAt : nil }

    /// Reads segments once the journal has reported what was sent in an earlier run: their beacons may be due at once.
    mutating func readMediaIfDue(at now: Moment) {
        guard desk.journal.isSettled, tracker != nil, let provider = metadata.provider,
            type(of: provider).readsMedia, renewal.polls(.metadata)
        else { return }
        let stream = streamFacts
        // A playlist may place ads by itself.
        if let number = playlist.text?.number, number != metadata.media.seenPlaylist {
            metadata.media.seenPlaylist = number
            metadata.provider?.mediaRead([], on: stream)
            takeDocuments(at: now)
        }
        guard playhead.state != .idle, stream.timeline.playlist != nil else { return }
        metadata.media.read(from: playhead.position, on: stream, for: provider, &desk, at: now)
    }

    mutating func segmentAnswered(_ id: RequestID, _ exchange: HTTPExchange, at now: Moment) {
        let stream = streamFacts
        let marks = metadata.media.answered(id, exchange, on: stream.timeline, &desk, at: now)
        guard !marks.isEmpty else { return }
        metadata.provider?.mediaRead(marks, on: stream)
        takeDocuments(at: now)
    }

    /// More of the ads. It is no answer to a poll.
    mutating func mediaShows(_ document: DecodedMetadata, at now: Moment) {
        desk.noteFindings(document.findings, from: .metadata, at: now)
        guard let outcome = tracker?.metadataArrived(document, at: now) else { return }
        noteGrowth(outcome.merge, poll: nil, at: now)
        if let tracker { air.replan(after: outcome.merge, tracker) }
        merged(outcome, at: now)
        moveToInterstitials(at: now)
    }
}
