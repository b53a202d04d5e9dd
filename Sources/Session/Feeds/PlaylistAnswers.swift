import AdTracking
import HLS
import Ports

/// What answers about the playlist mean for the one that is followed. What the rest of the session makes of them is decided above.
extension PlaylistPart {
    /// What an answer is.
    enum Answer {
        /// A text that is to be taken.
        case text(ParsedPlaylist)
        /// The playlist is still the one that is known.
        case unchanged(Reload)
        /// The answer is of no use; the reason is a clause.
        case failed(String)
    }

    /// What came of a text.
    enum Taken {
        /// The media playlist: its segments are on the timeline.
        case media(Reload)
        /// A multivariant playlist, or a delta update without its base: the media playlist is requested next.
        case awaitsMedia
        case failed(String)
    }

    /// Which streams without dates get some, so that ads have a place in them.
    struct Dating {
        /// A complete stream: VMAP, and services that count from the start of the stream.
        var ofRecordings: Bool
        /// A live stream: positions become dates that end at the arrival of the first playlist.
        var ofLiveStreams: Bool
    }

    /// A load that failed.
    struct FailedAnswer {
        var exchange: HTTPExchange
        /// A clause.
        var problem: String
        var load = FailedLoad.counts
        /// Uptime of the next request.
        var next: Duration?
    }

    /// Requests what is due: the manifest, or the playlist of the variant.
    mutating func reload(_ manifest: WebURL, _ desk: inout Desk, at now: Moment) {
        nextAt = nil
        if wantsManifest {
            desk.fetch(.multivariant, manifest, limit: Limits.playlistBytes, at: now)
            askedURL = manifest.text
        } else {
            if !reviewIfDue(manifest, &desk, at: now) { returnToPreferredVariant(&desk, at: now) }
            fetchMedia(variantURL ?? manifest, &desk, at: now)
        }
    }

    /// Whether a playlist is known, or which one to request.
    var isKnown: Bool { choice != nil || follower.timeline.playlist != nil }

    /// Reads an answer.
    mutating func answered(
        _ exchange: HTTPExchange, requested: Moment, _ desk: inout Desk, at now: Moment
    ) -> Answer {
        desk.counters.playlistReloads += 1
        staleAt = nil
        // A cache in front of the server answers that the newest playlist is still the one it gave.
        if exchange.status == 304, exchange.failure == nil, follower.timeline.playlist != nil {
            let reload = follower.noteUnchanged(
                reloadExchange(exchange, requested: requested, desk.configuration, at: now))
            desk.noteFindings(reload.findings, from: .playlist, at: now)
            return .unchanged(reload)
        }
        guard exchange.isSuccess else { return .failed(Wording.problem(exchange)) }
        let parsed = read(exchange, isStrict: !desk.configuration.following.isLenient)
        desk.noteFindings(parsed.findings, from: .playlist, at: now)
        return .text(parsed)
    }

    /// Takes the text of an answer.
    /// - Parameter isManifest: whether the request was for the manifest, and not for the playlist of a variant.
    mutating func take(
        _ parsed: ParsedPlaylist, _ exchange: HTTPExchange, isManifest: Bool, dating: Dating, requested: Moment,
        _ desk: inout Desk, at now: Moment
    ) -> Taken {
        lintType(of: parsed, exchange, &desk, at: now)
        switch parsed.kind {
        case .multivariant(let multivariant):
            let problem =
                isManifest || choice == nil
                ? select(from: multivariant, exchange, &desk, at: now)
                : "received a multivariant playlist instead of a media playlist"
            return problem.map(Taken.failed) ?? .awaitsMedia
        case .media:
            return takeMedia(parsed, exchange, dating, requested: requested, &desk, at: now)
        case .invalid(let rule):
            let reason = "not a playlist: \(parsed.findings.first { $0.rule == rule }?.message ?? rule)"
            return .failed(DASHManifest.isOne(exchange) ? DASHManifest.problem : reason)
        }
    }

    private mutating func takeMedia(
        _ parsed: ParsedPlaylist, _ exchange: HTTPExchange, _ dating: Dating, requested: Moment, _ desk: inout Desk,
        at now: Moment
    ) -> Taken {
        let isFirst = follower.timeline.playlist == nil
        let parsed = dated(parsed, dating, at: now)
        let reload = follower.noteParsed(
            parsed, reloadExchange(exchange, requested: requested, desk.configuration, at: now))
        desk.noteFindings(reload.findings, from: .playlist, at: now)
        guard reload.outcome != .deltaIncomplete else {
            deltaIsIncomplete(exchange, &desk, at: now)
            return .awaitsMedia
        }
        finalURL = exchange.finalURL.map { DeliveryDirectives.removed(from: $0) }
        if let media = parsed.media, follower.timeline.listsEnd(of: media) {
            text = PlaylistText(number: (text?.number ?? 0) + 1, parsed, media, exchange, at: now)
        }
        if isFirst || record.isFailing { desk.keepPoll(.playlist, exchange, at: now) }
        if isFirst { describe(&desk, at: now) }
        return .media(reload)
    }

    /// The playlist with the dates that its stream gets, decided by the first one with segments: a live stream that ends keeps its own, and so does
    /// a recording in each of its variants (HLS-15).
    private mutating func dated(_ parsed: ParsedPlaylist, _ dating: Dating, at now: Moment) -> ParsedPlaylist {
        if follower.timeline.segments.isEmpty, follower.timeline.dateOfZero == nil {
            isDatedRecording = dating.ofRecordings && parsed.isUndatedRecording
            if dating.ofLiveStreams, parsed.isUndatedLive, let length = parsed.media?.duration {
                follower.date(zero: now.wall - length)
            }
        }
        return isDatedRecording ? parsed.dated : parsed
    }

    /// A delta update skips what is not held. The whole playlist is requested then; a server that answers that with a delta update, too, or a
    /// cache that drops the query, serves none.
    private mutating func deltaIsIncomplete(_ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        asked = nil
        if follower.schedule.consecutiveErrors > 0 {
            let problem = "delta update that was not asked for; a cache may drop the query"
            _ = leaveFailedVariant(exchange, problem, &desk, at: now)
            let next = follower.schedule.nextReload?.uptime
            note(FailedAnswer(exchange: exchange, problem: problem, next: next), &desk, at: now)
        }
        plannedReload(at: follower.schedule.nextReload?.uptime, now: now)
    }

    /// What follows from an answer with a playlist, or that it has not changed.
    mutating func succeeded(_ exchange: HTTPExchange, _ reload: Reload, _ desk: inout Desk, at now: Moment) {
        asked = nil
        if record.succeeded(exchange, at: now) {
            desk.note(.info, "playlist recovered: \(Wording.answer(exchange))", from: .playlist, at: now)
        }
        backOff.succeeded()
        choice?.succeeded()
        desk.opening = nil
        if reload.isStale { leaveStaleVariant(&desk, at: now) }
        plannedReload(at: nextReload(after: reload, &desk, at: now), now: now)
    }

    /// When the playlist is requested next: as its schedule wants, or later if the channel has ended.
    private mutating func nextReload(after reload: Reload, _ desk: inout Desk, at now: Moment) -> Duration? {
        let scheduled = follower.schedule.nextReload?.uptime
        guard desk.configuration.following.isLenient else { return scheduled }
        let hasEnded = follower.timeline.hasEnded
        if let span = ended.noted(hasEnded: hasEnded, at: now) {
            let numbers = reload.isReset ? "begin again" : "continue"
            let message =
                "the channel ended and returned \(Wording.seconds(span)) later; its media sequence numbers \(numbers)"
            let finding = Finding(
                rule: SessionRule.channelReturned, severity: .warning, message: message, section: "HLS-32")
            desk.noteFindings([finding], from: .playlist, at: now)
            desk.note(
                .info, "channel returned after \(Wording.seconds(span)): following it again", from: .playlist, at: now)
        }
        return scheduled ?? ended.nextLook(at: now)
    }

    // MARK: Failures

    /// The channel has ended, and the look whether it returned brought nothing: no error of a stream that plays.
    mutating func lookFailed(_ exchange: HTTPExchange, _ problem: String, _ desk: inout Desk, at now: Moment) {
        asked = nil
        ended.lookFailed(isRefused: RenewalPart.isRefusal(exchange))
        let next = ended.nextLook(at: now)
        let wait = next.map { Wording.seconds($0 - now.uptime) } ?? ""
        desk.note(
            .debug, "the channel has ended (playlist: \(problem)), next look in \(wait)", from: .playlist, at: now)
        plannedReload(at: next, now: now)
    }

    /// A load of the playlist that is followed failed. It is not noted yet: ``note(_:_:at:)``.
    mutating func failed(
        _ exchange: HTTPExchange, _ problem: String, requested: Moment, _ desk: inout Desk, at now: Moment
    ) -> FailedAnswer {
        let reload = follower.noteFailure(
            status: exchange.status, reason: problem,
            reloadExchange(exchange, requested: requested, desk.configuration, at: now))
        desk.noteFindings(reload.findings, from: .playlist, at: now)
        let load = leaveFailedVariant(exchange, problem, &desk, at: now)
        return FailedAnswer(
            exchange: exchange, problem: problem, load: load, next: follower.schedule.nextReload?.uptime)
    }

    /// The first load failed, so that no playlist is known. It is not noted yet: ``note(_:_:at:)``.
    /// - Parameter pause: what the server asks for.
    mutating func openingFailed(
        _ exchange: HTTPExchange, _ problem: String, pause: Duration, at now: Moment
    ) -> FailedAnswer {
        FailedAnswer(exchange: exchange, problem: problem, next: backOff.failed(asked: pause, at: now))
    }

    /// Notes a failure, unless a variant was only tried.
    mutating func note(_ failure: FailedAnswer, _ desk: inout Desk, at now: Moment) {
        asked = nil
        guard failure.load != .isTry else { return }
        desk.errors.note(.network, "playlist: \(failure.problem)", at: now)
        desk.activity.noteError(at: now)
        guard record.failed(failure.exchange, problem: failure.problem, of: askedURL) else { return }
        desk.keepPoll(.playlist, failure.exchange, problem: failure.problem, at: now)
        let wait = failure.next.map { ", next try in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
        desk.note(.error, "playlist: \(failure.problem)\(wait)", from: .playlist, at: now)
    }
}
