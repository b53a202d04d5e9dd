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
    /// The variant that a person wants.
    var wish: VariantWish
    /// ``FollowingRules/rereadsManifest``.
    let rereadsManifest: Bool
    var variantCount = 0
    /// Variables for IMPORT in media playlists.
    var variables: [String: String] = [:]
    var follower: PlaylistFollower
    /// Whether the stream is a recording without dates that gets some.
    var isDatedRecording = false
    /// What is followed in place of a playlist; nil for a session that has one.
    var clock: ClockStream?
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
    /// The address of the newest request for a playlist, without delivery directives.
    var askedURL: String?
    /// The request in flight for the multivariant playlist beside that of the variant.
    var review: RequestID?
    /// Uptime at which a blocking request counts as a stale playlist; nil when there is none.
    var staleAt: Duration?
    var backOff: BackOff
    var ended: EndedChannel
    /// The newest answer and what was read from it. A server repeats a text until there is a new segment.
    private var newest: (bytes: [UInt8], parsed: ParsedPlaylist)?
    /// Addresses whose content type was looked at, without their queries.
    private var typedAddresses: Set<String> = []
    /// Most addresses of which that is remembered; further ones are not looked at.
    private static let typedAddressLimit = 256

    init(_ configuration: MonitorConfiguration, seed: UInt64) {
        wish = configuration.following.variant
        rereadsManifest = configuration.following.rereadsManifest
        follower = PlaylistFollower(
            prefersLowLatency: configuration.following.prefersLowLatency,
            schedule: ReloadSchedule(jitterSeed: seed, minimumDelay: Self.shortestReload))
        clock = configuration.following.attached.map(ClockStream.init)
        backOff = BackOff(seed: seed &+ 1)
        ended = EndedChannel(seed: seed &+ 2)
    }

    /// Reads an answer; one that repeats the answer before, at the same address, is not parsed again.
    mutating func read(_ exchange: HTTPExchange, isStrict: Bool) -> ParsedPlaylist {
        let uri = exchange.finalURL ?? ""
        if let newest, newest.parsed.uri == uri, newest.parsed.variables == variables,
            newest.bytes.hasSameBytes(as: exchange.body)
        {
            return newest.parsed
        }
        let parsed = PlaylistParser.parse(exchange.body, uri: uri, variables: variables, isStrict: isStrict)
        newest = parsed.media == nil ? nil : (exchange.body, parsed)
        return parsed
    }

    /// What is followed.
    var kind: PlaylistView.Kind {
        clock != nil ? .clock : follower.timeline.playlist.map(PlaylistView.Kind.init) ?? .unknown
    }

    var variantURL: WebURL? { choice?.current.url }

    /// Reports a playlist that is served as something else: once for each address, as its server does so with each answer.
    mutating func lintType(of parsed: ParsedPlaylist, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        if case .invalid = parsed.kind { return }
        let address = String((exchange.finalURL ?? "").prefix { $0 != "?" })
        guard typedAddresses.count < Self.typedAddressLimit, typedAddresses.insert(address).inserted,
            let finding = PlaylistContentType.finding(exchange)
        else { return }
        desk.noteFindings([finding], from: .playlist, at: now)
    }

    /// Whether the next request is for the multivariant playlist, or is the first one, whose kind is unknown.
    var wantsManifest: Bool {
        let failures = follower.schedule.consecutiveErrors
        return follower.timeline.playlist == nil && choice == nil
            || choice != nil && ended.wantsManifest
            || rereadsManifest && choice?.doubtsAddress == true
            || choice != nil && failures > 0 && failures.isMultiple(of: Self.failuresBeforeReselect)
    }

    /// What a provider may know of the stream.
    /// - Parameter date: that of the playhead.
    func facts(playhead date: UnixTime?) -> StreamFacts {
        var facts = StreamFacts(timeline: follower.timeline, playhead: date)
        if let clock { (facts.hasPlaylist, facts.placesSeconds) = (false, clock.startsAtZero) }
        return facts
    }
}

/// Requests for the media playlist and what is noted about it.
extension PlaylistPart {
    /// Requests the media playlist, with delivery directives if the server supports them.
    mutating func fetchMedia(_ url: WebURL, _ desk: inout Desk, at now: Moment) {
        var directives = follower.directives(at: now)
        var target = url
        if !directives.isEmpty {
            do throws(WebURLProblem) {
                target = try url.with(path: url.path, query: directives.added(to: url.query))
            } catch {
                // The address is too long with directives: request it without them.
                directives = DeliveryDirectives()
            }
        }
        let id = desk.fetch(
            .mediaPlaylist, target, limit: Limits.playlistBytes,
            timeout: directives.timeout(on: follower.timeline), hold: directives.hold(on: follower.timeline), at: now)
        (asked, askedURL) = ((id, directives), url.text)
        staleAt = staleness(of: directives, at: now)
    }

    /// Uptime at which a request in flight means that the variant is stale: where the server holds it, and where another variant may
    /// answer sooner, which is given as much time. One of another bandwidth is worth it when the stream is stuck.
    private func staleness(of directives: DeliveryDirectives, at now: Moment) -> Duration? {
        guard let stale = follower.schedule.staleUptime(timeline: follower.timeline) else { return nil }
        if directives.isBlocking { return stale }
        guard let choice, let target = ReloadSchedule.target(of: follower.timeline) else { return nil }
        let fair = now.uptime + target * 3 / 2
        if choice.hasRedundant { return max(stale, fair) }
        guard rereadsManifest, choice.hasOthers else { return nil }
        return follower.schedule.stuckUptime(timeline: follower.timeline).map { max($0, fair) }
    }

    func reloadExchange(
        _ exchange: HTTPExchange, requested: Moment, _ configuration: MonitorConfiguration, at now: Moment
    ) -> ReloadExchange {
        ReloadExchange(
            requested: requested, answered: now, directives: asked?.directives ?? DeliveryDirectives(),
            age: exchange.fields["age"].flatMap(Int64.init).flatMap { Duration(finiteSeconds: Double($0)) },
            retryAfter: RetryAfter.delay(of: exchange, at: now),
            isTimeout: !configuration.replaysEarlier && exchange.failure?.kind == .timeout)
    }

    mutating func plannedReload(at uptime: Duration?, now: Moment) {
        nextAt = uptime
        record.planned(at: uptime, now: now)
    }

    func describe(_ desk: inout Desk, at now: Moment) {
        let timeline = follower.timeline
        let target = timeline.targetDuration.map { ", target duration \(Wording.seconds($0))" } ?? ""
        let kind = timeline.playlist.map(PlaylistView.Kind.init)?.rawValue ?? "empty"
        let count = timeline.listed.count.counted("segment")
        desk.note(.info, "playlist: \(kind), \(count)\(target)\(delivery(of: timeline))", from: .playlist, at: now)
        if choice == nil, wish != .best {
            desk.note(.warning, "variant \(wish.shown): \(VariantWish.noVariants)", from: .playlist, at: now)
        }
        if timeline.dateOfZero != nil {
            desk.note(
                .warning, "playlist has no PROGRAM-DATE-TIME: ads are placed by position, and dates count from now",
                from: .playlist, at: now)
        }
        guard let window = timeline.window, window.endDate == nil else { return }
        desk.note(
            .warning, "playlist has no PROGRAM-DATE-TIME: media has no dates, so no beacon can become due",
            from: .playlist, at: now)
    }

    /// The low-latency features in use; empty for plain polling.
    private func delivery(of timeline: Timeline) -> String {
        guard timeline.prefersLowLatency, !timeline.hasEnded, let media = timeline.playlist else { return "" }
        let parts = media.partTarget.map { "parts of \(Wording.seconds($0))" }
        let blocks = media.serverControl?.canBlockReload == true ? "blocking reload" : nil
        let deltas = media.serverControl?.canSkipUntil == nil ? nil : "delta updates"
        return [parts, blocks, deltas].compactMap { $0 }.map { ", \($0)" }.joined()
    }
}

extension PlaylistView.Kind {
    init(_ playlist: MediaPlaylist) {
        if playlist.isComplete {
            self = .vod
        } else {
            self = playlist.playlistType == .event ? .event : .live
        }
    }
}
