import AdTracking
import HLS
import Ports

/// Following the playlist: multivariant once, then the media playlist of one variant.
struct PlaylistPart {
    /// Live reloads are never closer than this, whatever a server claims.
    static let shortestReload: Duration = .milliseconds(250)
    /// After so many failed reloads in a row the multivariant playlist is asked again: the variant may have moved.
    static let failuresBeforeReselect = 5

    /// The variant that is followed; nil while only the manifest is known, and for a lone media playlist.
    var variantURL: WebURL?
    var bandwidth: Int?
    var variantCount = 0
    /// For IMPORT in media playlists.
    var variables: [String: String] = [:]
    var follower: PlaylistFollower
    var record = FeedRecord()
    var finalURL: String?
    /// The newest text that was a media playlist.
    var text: PlaylistText?
    /// Uptime of the next request; nil while one is in flight or none is wanted.
    var nextAt: Duration?
    var saidThatDatesAreMissing = false
    var backOff: BackOff

    init(seed: UInt64) {
        follower = PlaylistFollower(schedule: ReloadSchedule(jitterSeed: seed, minimumDelay: Self.shortestReload))
        backOff = BackOff(seed: seed &+ 1)
    }

    /// Whether the next request is for the multivariant playlist, or the first one of which the kind is not known.
    var wantsManifest: Bool {
        let failures = follower.schedule.consecutiveErrors
        return follower.timeline.playlist == nil && variantURL == nil
            || variantURL != nil && failures > 0 && failures.isMultiple(of: Self.failuresBeforeReselect)
    }
}

extension MonitorState {
    mutating func reloadIfDue(at now: Moment) {
        guard let manifest = session.addresses?.manifestURL, let due = playlist.nextAt, due <= now.uptime else {
            return
        }
        playlist.nextAt = nil
        if playlist.wantsManifest {
            fetch(.multivariant, manifest, limit: Limits.playlistBytes, at: now)
        } else {
            fetch(.mediaPlaylist, playlist.variantURL ?? manifest, limit: Limits.playlistBytes, at: now)
        }
    }

    mutating func playlistAnswered(_ exchange: HTTPExchange, requested: Moment, at now: Moment) {
        counters.playlistReloads += 1
        guard exchange.isSuccess else {
            return playlistFailed(exchange, Wording.problem(exchange), .network, requested: requested, at: now)
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
            playlistFailed(exchange, "not a playlist: \(reason)", .network, requested: requested, at: now)
        }
    }

    private mutating func playlistParsed(
        _ parsed: ParsedPlaylist, _ exchange: HTTPExchange, requested: Moment, at now: Moment
    ) {
        let isFirst = playlist.follower.timeline.playlist == nil
        let reload = playlist.follower.noteParsed(parsed, requested: requested, answered: now)
        noteFindings(reload.findings, from: .playlist, at: now)
        playlist.finalURL = exchange.finalURL
        if let media = parsed.media, playlist.follower.timeline.listsEnd(of: media) {
            playlist.text = PlaylistText(number: (playlist.text?.number ?? 0) + 1, parsed, media, exchange, at: now)
        }
        if playlist.record.succeeded(exchange, at: now) {
            note(.info, "playlist recovered: \(Wording.answer(exchange))", at: now)
        }
        playlist.backOff.succeeded()
        plannedReload(at: playlist.follower.schedule.nextReload?.uptime, now: now)
        if isFirst { describePlaylist(at: now) }
        let progress = playhead.timelineChanged(playlist.follower.timeline, at: now)
        absorb(progress, at: now)
        views.markersChanged()
    }

    /// The highest bandwidth with video, or the first variant: no media is loaded, so nothing speaks for a low one.
    private mutating func select(
        from multivariant: MultivariantPlaylist, _ exchange: HTTPExchange, requested: Moment, at now: Moment
    ) {
        guard playlist.variantURL == nil || playlist.wantsManifest else {
            return playlistFailed(
                exchange, "a multivariant playlist came for a media playlist", .network, requested: requested, at: now)
        }
        let usable = multivariant.variants.compactMap { variant in (try? WebURL(variant.uri)).map { (variant, $0) } }
        let withVideo = usable.filter { $0.0.hasVideo }
        let best = (withVideo.isEmpty ? usable : withVideo).max { ($0.0.bandwidth ?? 0) < ($1.0.bandwidth ?? 0) }
        guard let (variant, url) = best else {
            return playlistFailed(
                exchange, "multivariant playlist without a usable variant", .network, requested: requested, at: now)
        }
        if playlist.variantURL != url {
            let rate = variant.bandwidth.map { " of \($0 / 1_000) kbit/s" } ?? ""
            note(.info, "following the variant\(rate), one of \(multivariant.variants.count): \(url.text)", at: now)
        }
        playlist.variantURL = url
        playlist.bandwidth = variant.bandwidth
        playlist.variantCount = multivariant.variants.count
        playlist.variables = multivariant.definitions
        // Asked again in the middle of failures it proves nothing: the media playlist decides.
        if playlist.follower.timeline.playlist == nil { _ = playlist.record.succeeded(exchange, at: now) }
        playlist.backOff.succeeded()
        fetch(.mediaPlaylist, url, limit: Limits.playlistBytes, at: now)
    }

    private mutating func playlistFailed(
        _ exchange: HTTPExchange, _ problem: String, _ kind: ErrorKind, requested: Moment, at now: Moment
    ) {
        let next: Duration?
        if playlist.variantURL != nil || playlist.follower.timeline.playlist != nil {
            let wait = exchange.fields["retry-after"].flatMap { RetryAfter.delay($0, at: now.wall) }
            let reload = playlist.follower.noteFailure(
                status: exchange.status, reason: problem, requested: requested, answered: now, retryAfter: wait)
            noteFindings(reload.findings, from: .playlist, at: now)
            next = playlist.follower.schedule.nextReload?.uptime
        } else {
            next = playlist.backOff.failed(at: now)
        }
        errors.note(kind, "playlist: \(problem)", at: now)
        activity.noteError(at: now)
        if playlist.record.failed(exchange, problem: problem) {
            let wait = next.map { ", next try in \(Wording.seconds(max(.zero, $0 - now.uptime)))" } ?? ""
            note(.error, "playlist: \(problem)\(wait)", at: now)
        }
        plannedReload(at: next, now: now)
    }

    private mutating func plannedReload(at uptime: Duration?, now: Moment) {
        playlist.nextAt = uptime
        playlist.record.planned(at: uptime, now: now)
    }

    private mutating func describePlaylist(at now: Moment) {
        let timeline = playlist.follower.timeline
        let target = timeline.targetDuration.map { ", target duration \(Wording.seconds($0))" } ?? ""
        let kind = timeline.playlist.map(PlaylistView.Kind.init)?.rawValue ?? "empty"
        note(.info, "playlist: \(kind), \(Wording.count(timeline.listed.count, "segment"))\(target)", at: now)
        guard let window = timeline.window, window.endDate == nil else { return }
        note(
            .warning, "playlist has no PROGRAM-DATE-TIME: media has no dates, so no beacon can become due", at: now)
    }
}

extension Variant {
    /// Whether anything says that it shows pictures; audio-only variants name only audio codecs.
    fileprivate var hasVideo: Bool {
        guard resolution == nil else { return true }
        guard let codecs else { return true }
        return codecs.split(separator: ",").contains { codec in
            let name = codec.drop { $0 == " " }
            return !["mp4a", "ac-3", "ec-3", "ac-4", "opus", "fLaC", "stpp", "wvtt"].contains { name.hasPrefix($0) }
        }
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
