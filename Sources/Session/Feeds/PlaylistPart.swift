import AdTracking
import HLS
import Ports

/// Following the playlist: multivariant once, then the media playlist of one variant.
struct PlaylistPart {
    /// Minimum interval of live reloads, whatever the playlist requests.
    static let shortestReload: Duration = .milliseconds(250)
    /// After this many consecutive failed reloads the multivariant playlist is requested again: the variant may have
    /// moved.
    static let failuresBeforeReselect = 5

    /// Nil while only the manifest is known, and for a single media playlist.
    var choice: VariantChoice?
    var variantCount = 0
    /// Variables for IMPORT in media playlists.
    var variables: [String: String] = [:]
    var follower: PlaylistFollower
    var record = FeedRecord()
    var steering = SteeringPart()
    /// Ad breaks that date ranges of the stitched stream describe.
    var signaled = SignaledRanges()
    /// Address without delivery directives.
    var finalURL: String?
    /// The newest valid text of the media playlist.
    var text: PlaylistText?
    /// Uptime of the next request; nil while one is in flight or none is due.
    var nextAt: Duration?
    /// The request in flight and its directives.
    var asked: (id: RequestID, directives: DeliveryDirectives)?
    /// Uptime at which a blocking request counts as a stale playlist; nil when there is none.
    var staleAt: Duration?
    var backOff: BackOff

    init(seed: UInt64, prefersLowLatency: Bool) {
        follower = PlaylistFollower(
            prefersLowLatency: prefersLowLatency,
            schedule: ReloadSchedule(jitterSeed: seed, minimumDelay: Self.shortestReload))
        backOff = BackOff(seed: seed &+ 1)
    }

    var variantURL: WebURL? { choice?.current.url }

    /// Whether the next request is for the multivariant playlist, or is the first one, whose kind is unknown.
    var wantsManifest: Bool {
        let failures = follower.schedule.consecutiveErrors
        return follower.timeline.playlist == nil && choice == nil
            || choice != nil && failures > 0 && failures.isMultiple(of: Self.failuresBeforeReselect)
    }
}

extension MonitorState {
    mutating func reloadIfDue(at now: Moment) {
        noticeStaleness(at: now)
        guard let manifest = session.addresses?.manifestURL, let due = nextReload, due <= now.uptime else { return }
        playlist.nextAt = nil
        if playlist.wantsManifest {
            fetch(.multivariant, manifest, limit: Limits.playlistBytes, at: now)
        } else {
            returnToPreferredVariant(at: now)
            fetchMedia(playlist.variantURL ?? manifest, at: now)
        }
    }

    /// Uptime of the next request; nil while none is due, or the server has ended the session.
    var nextReload: Duration? { renewal.polls(.playlist) ? playlist.nextAt : nil }

    /// Requests the media playlist, with delivery directives if the server supports them.
    mutating func fetchMedia(_ url: WebURL, at now: Moment) {
        var directives = playlist.follower.directives(at: now)
        var target = url
        if !directives.isEmpty {
            do throws(WebURLProblem) {
                target = try url.with(path: url.path, query: directives.added(to: url.query))
            } catch {
                // The address is too long with directives: request it without them.
                directives = DeliveryDirectives()
            }
        }
        let id = fetch(
            .mediaPlaylist, target, limit: Limits.playlistBytes,
            timeout: directives.timeout(on: playlist.follower.timeline), at: now)
        playlist.asked = (id, directives)
        playlist.staleAt =
            directives.isBlocking
            ? playlist.follower.schedule.staleUptime(timeline: playlist.follower.timeline) : nil
    }

    mutating func playlistAnswered(_ exchange: HTTPExchange, requested: Moment, at now: Moment) {
        counters.playlistReloads += 1
        playlist.staleAt = nil
        guard exchange.isSuccess else {
            return playlistFailed(exchange, Wording.problem(exchange), requested: requested, at: now)
        }
        let parsed = PlaylistParser.parse(
            exchange.body, uri: exchange.finalURL ?? "", variables: playlist.variables)
        noteFindings(parsed.findings, from: .playlist, at: now)
        switch parsed.kind {
        case .multivariant(let multivariant):
            select(from: multivariant, exchange, requested: requested, at: now)
        case .media:
            playlistParsed(parsed, exchange, requested: requested, at: now)
        case .invalid(let rule):
            let reason = parsed.findings.first { $0.rule == rule }?.message ?? rule
            playlistFailed(exchange, "not a playlist: \(reason)", requested: requested, at: now)
        }
    }

    private mutating func playlistParsed(
        _ parsed: ParsedPlaylist, _ exchange: HTTPExchange, requested: Moment, at now: Moment
    ) {
        let isFirst = playlist.follower.timeline.playlist == nil
        let parsed = isFirst ? dated(parsed) : parsed
        let reload = playlist.follower.noteParsed(parsed, reloadExchange(exchange, requested: requested, at: now))
        noteFindings(reload.findings, from: .playlist, at: now)
        playlist.asked = nil
        playlist.finalURL = exchange.finalURL.map { DeliveryDirectives.removed(from: $0) }
        if let media = parsed.media, playlist.follower.timeline.listsEnd(of: media) {
            playlist.text = PlaylistText(number: (playlist.text?.number ?? 0) + 1, parsed, media, exchange, at: now)
        }
        let isFirstOrAgain = isFirst || playlist.record.isFailing
        if isFirstOrAgain { keepPoll(.playlist, exchange, at: now) }
        if playlist.record.succeeded(exchange, at: now) {
            note(.info, "playlist recovered: \(Wording.answer(exchange))", at: now)
        }
        playlist.backOff.succeeded()
        playlist.choice?.succeeded()
        renewal.succeeded(.playlist)
        if isFirst { describePlaylist(at: now) }
        if reload.isStale { leaveStaleVariant(at: now) }
        plannedReload(at: playlist.follower.schedule.nextReload?.uptime, now: now)
        showTimelineToPlayhead(at: now)
        joinBreaks(at: now)
    }

    /// A playhead that has not joined yet waits until the playlist is as new as possible.
    private mutating func showTimelineToPlayhead(at now: Moment) {
        guard playhead.state != .idle || !playlist.follower.isTuningIn else { return }
        let progress = playhead.timelineChanged(playlist.follower.timeline, at: now)
        placeInterstitials(at: now)
        placeSignaledBreaks(at: now)
        absorb(progress, at: now)
    }

    mutating func playlistFailed(_ exchange: HTTPExchange, _ problem: String, requested: Moment, at now: Moment) {
        let next: Duration?
        if playlist.choice != nil || playlist.follower.timeline.playlist != nil {
            let reload = playlist.follower.noteFailure(
                status: exchange.status, reason: problem, reloadExchange(exchange, requested: requested, at: now))
            noteFindings(reload.findings, from: .playlist, at: now)
            leaveFailedVariant(problem, at: now)
            next = playlist.follower.schedule.nextReload?.uptime
            showTimelineToPlayhead(at: now)
        } else if renewedAsEarlier(exchange, at: now) {
            return
        } else {
            next = playlist.backOff.failed(at: now)
        }
        playlist.asked = nil
        errors.note(.network, "playlist: \(problem)", at: now)
        activity.noteError(at: now)
        if playlist.record.failed(exchange, problem: problem) {
            keepPoll(.playlist, exchange, problem: problem, at: now)
            let wait = next.map { ", next try in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
            note(.error, "playlist: \(problem)\(wait)", at: now)
        }
        noteRefusal(of: .playlist, exchange, at: now)
        plannedReload(at: renewal.polls(.playlist) ? next : nil, now: now)
    }

    private func reloadExchange(_ exchange: HTTPExchange, requested: Moment, at now: Moment) -> ReloadExchange {
        ReloadExchange(
            requested: requested, answered: now, directives: playlist.asked?.directives ?? DeliveryDirectives(),
            age: exchange.fields["age"].flatMap(Int64.init).flatMap { Duration(finiteSeconds: Double($0)) },
            retryAfter: exchange.fields["retry-after"].flatMap { RetryAfter.delay($0, at: now.wall) },
            isTimeout: !configuration.replaysEarlier && exchange.failure?.kind == .timeout)
    }

    mutating func plannedReload(at uptime: Duration?, now: Moment) {
        playlist.nextAt = uptime
        playlist.record.planned(at: uptime, now: now)
    }

    private mutating func describePlaylist(at now: Moment) {
        let timeline = playlist.follower.timeline
        let target = timeline.targetDuration.map { ", target duration \(Wording.seconds($0))" } ?? ""
        let kind = timeline.playlist.map(PlaylistView.Kind.init)?.rawValue ?? "empty"
        let count = Wording.count(timeline.listed.count, "segment")
        note(.info, "playlist: \(kind), \(count)\(target)\(delivery(of: timeline))", at: now)
        guard let window = timeline.window, window.endDate == nil else { return }
        note(
            .warning, "playlist has no PROGRAM-DATE-TIME: media has no dates, so no beacon can become due", at: now)
    }

    /// The low-latency features in use; empty for plain polling.
    private func delivery(of timeline: Timeline) -> String {
        guard timeline.prefersLowLatency, !timeline.hasEnded, let playlist = timeline.playlist else { return "" }
        let parts = playlist.partTarget.map { "parts of \(Wording.seconds($0))" }
        let blocks = playlist.serverControl?.canBlockReload == true ? "blocking reload" : nil
        let deltas = playlist.serverControl?.canSkipUntil == nil ? nil : "delta updates"
        return [parts, blocks, deltas].compactMap { $0 }.map { ", \($0)" }.joined()
    }
}

extension PlaylistView.Kind {
    init(_ playlist: MediaPlaylist) {
        switch playlist.playlistType {
        case _ where playlist.hasEndList: self = .vod
        case .vod: self = .vod
        case .event: self = .event
        case nil: self = .live
        }
    }
}
