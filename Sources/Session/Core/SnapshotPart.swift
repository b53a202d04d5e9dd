import AdTracking
import HLS
package import Ports

extension MonitorState {
    /// The snapshot at `now`, which must not precede the last input. Playback since that input is shown; its beacons
    /// follow with the next input.
    package mutating func snapshot(at now: Moment) -> Snapshot {
        let reading = playhead.reading(on: playlist.follower.timeline)
        let at = playhead.now ?? now
        let interstitials = InterstitialViews(
            playhead: playhead, interstitials: interstitials, playlist: playlist.follower.timeline.playlist,
            breaks: tracker?.book.breaks ?? [])
        var snapshot = Snapshot(
            at: at, session: sessionView, playlist: playlistView(at: at), playhead: playheadView(reading),
            dataRange: tracker?.dataRange.map { $0.start...$0.end }, breaks: breakViews(reading),
            interstitials: interstitials.all, lastInterstitial: interstitials.last,
            playedRanges: tracker?.played.ranges ?? [], counters: desk.counters, activity: desk.activity.view(at: now),
            findings: desk.findings.views(), log: desk.log.view, errors: desk.errors,
            userReport: reports.newest)
        snapshot.nextBreakStart = reading.date.flatMap { views.nextStart(after: $0) }
        snapshot.playlistDetail = playlist.text.map {
            PlaylistDetail(text: $0, timeline: playlist.follower.timeline)
        }
        snapshot.session.service = serviceView(at: at)
        snapshot.session.opening = desk.opening?.view(
            next: nextOpening(at: now), additions: configuration.additions)
        snapshot.auction = beside.auctionView
        snapshot.formats = beside.formatsView(configuration.formats)
        snapshot.cache = beside.cache
        snapshot.zones = beside.zoneRows(at: now)
        snapshot.deliveries = desk.deliveries
        snapshot.counters.events = views.counts.filter { $0.value > 0 }
        snapshot.counters.noteEarlier(tracker?.ledger)
        snapshot.counters.droppedLogLines = desk.log.view.dropped
        return snapshot.advanced(to: now)
    }

    private mutating func breakViews(_ reading: PlayheadReading) -> [BreakView] {
        views.build(
            BreakViews.Context(
                tracker: tracker, air: air, date: reading.date, over: overTracks, failures: failedTracks,
                isPaused: playhead.isPaused, join: join, creatives: decisions.creatives, growth: growth))
    }

    /// When the stream is requested again after a failure.
    private func nextOpening(at now: Moment) -> Moment? {
        let next = session.addresses == nil ? session.retryAt : playlist.nextAt
        return next.map { now.advanced(by: $0 - now.uptime) }
    }

    private func serviceView(at now: Moment) -> ServiceView? {
        guard !isSignaledOnly else { return ServiceView(mode: serviceMode) }
        guard let provider = metadata.provider, !isPlain else { return nil }
        let status = provider.status
        var view = ServiceView(
            mode: serviceMode, reporter: status.reporter,
            tokenSince: status.tokenSince.map { now.advanced(by: $0 - now.uptime) }, interval: provider.pollInterval)
        view.prefetch = status.prefetch
        view.next = next.map { next in
            NextPollView(at: next.at.map { now.advanced(by: $0 - now.uptime) }, reason: next.reason)
        }
        view.ping = pings.book.newest.map { newest in
            PingView(
                url: newest.entry.ping.url.text, cause: newest.entry.ping.cause, state: newest.state,
                reason: newest.reason, status: newest.status, next: provider.nextPing)
        }
        return view
    }

    /// The next request for metadata, or for the session that takes the place of one that is over; nil once nothing plays any more.
    private var next: NextPoll? {
        guard !desk.isStopped, playhead.state != .ended else { return nil }
        guard renewal.isOver else { return metadata.next }
        return renewal.nextAt.map { NextPoll(at: $0, reason: .renewal) }
    }

    private var sessionView: SessionView {
        let addresses = session.addresses
        return SessionView(
            name: name, mediaURL: configuration.mediaURL.text,
            manifestURL: addresses?.path == .tracking ? nil : addresses?.manifestURL.text,
            metadataURL: metadata.isNone ? nil : addresses?.metadataURL?.text, provider: provider,
            initPath: metadata.provider == nil ? nil : addresses?.path.rawValue, sessionID: addresses?.sessionID,
            mode: desk.mode, retry: configuration.retry, canArm: canArm,
            lacksJournal: !desk.journalAllowsSending,
            isHeldElsewhere: !desk.journalAllowsSending && desk.journal.isHeldElsewhere,
            sendsToLoopbackOnly: desk.sendsToLoopbackOnly,
            phase: phase,
            playlistHealth: playlist.record.health, metadataHealth: metadata.record.health, renewals: renewal.count,
            additions: configuration.additions,
            beaconFields: HTTPRequest.beaconFields(userAgent: configuration.userAgent))
    }

    private var canArm: Bool {
        !configuration.sending.isReadonly && desk.journalAllowsSending
    }

    /// Whether no service is known to insert ads. One that reports by itself may have no metadata.
    private var isPlain: Bool { metadata.isNone && session.addresses?.isRecognised != true }

    /// Whether nothing but date ranges of the playlist describes ads (TRK-29).
    private var isSignaledOnly: Bool { isPlain && playlist.signaled.hasMadeBreaks }

    var provider: String {
        guard !isSignaledOnly else { return Signaling.name }
        guard let name = metadata.providerName, !isPlain else { return ProviderSetting.none.rawValue }
        let isKnown = renewal.delivered.contains(.metadata) || session.addresses?.isRecognised == true
        return isKnown || configuration.provider != .auto ? name : ProviderSetting.auto.rawValue
    }

    /// How reporting is divided, in the word of the provider; nil for a plain stream, and while the provider is not known.
    var serviceMode: String? {
        guard provider != ProviderSetting.auto.rawValue else { return nil }
        guard !isSignaledOnly else { return ProviderStatus.client }
        return isPlain ? nil : metadata.provider?.status.mode
    }

    /// The provider, or `none` for a plain stream, and its mode; nil while that is not known.
    package var service: (provider: String, mode: String?)? {
        provider == ProviderSetting.auto.rawValue ? nil : (provider, serviceMode)
    }

    var phase: SessionView.Phase {
        if desk.isStopped || playhead.state == .ended { return .ended }
        if renewal.isOver { return .over }
        let isStarting = playlist.follower.timeline.playlist == nil
        // While variants are tried at the start, nothing is known of the stream.
        let isPlaylistFailing = playlist.record.isFailing && !(isStarting && playlist.choice?.isJudging == true)
        if session.problem != nil || isPlaylistFailing || metadata.record.isFailing { return .failing }
        return isStarting ? .starting : .running
    }

    var name: String { configuration.name ?? SessionView.name(of: configuration.mediaURL) }

    private func playlistView(at now: Moment) -> PlaylistView {
        let timeline = playlist.follower.timeline
        let window = timeline.window
        return PlaylistView(
            kind: playlist.kind, url: playlist.finalURL,
            bandwidth: playlist.choice?.current.variant.bandwidth.map(Int64.init), variantCount: playlist.variantCount,
            targetDuration: timeline.targetDuration, segmentCount: timeline.listed.count,
            mediaSequence: timeline.playlist.map { Int64($0.mediaSequence) }, hasEnded: timeline.hasEnded,
            windowStart: window?.start, windowEnd: window?.end, windowStartDate: window?.startDate,
            windowEndDate: window?.endDate, holdBack: timeline.holdBack, discontinuities: timeline.discontinuityCount,
            reloads: playlist.follower.reloadCount,
            nextReloadAt: playlist.clock != nil ? nil : playlist.nextAt.map { now.advanced(by: $0 - now.uptime) },
            variant: variantView,
            delivery: deliveryView(at: now), variants: playlist.choice?.usable ?? [])
    }

    private var variantView: VariantView? {
        playlist.choice.map { choice in
            let variant = choice.current.variant
            return VariantView(
                number: choice.current.number, bandwidth: variant.bandwidth,
                resolution: variant.resolution?.description, codecs: variant.codecs, pathway: variant.pathwayID,
                redundantCount: choice.options.count - 1, isFallback: choice.isFallback,
                hasSteppedDown: choice.hasSteppedDown, wish: choice.wish)
        }
    }

    private func deliveryView(at now: Moment) -> DeliveryView {
        let follower = playlist.follower
        var view = DeliveryView()
        view.isLowLatency = follower.timeline.isLowLatency
        view.isBlocking = follower.isBlocking(at: now)
        view.partTarget = follower.timeline.playlist?.partTarget
        view.trailingParts = follower.timeline.playlist?.trailingParts.count ?? 0
        view.deltaUpdates = follower.mergedDeltas
        return view
    }

    func playheadView(_ reading: PlayheadReading) -> PlayheadView {
        PlayheadView(
            state: PlayheadView.State(reading.state), stream: reading.stream, date: reading.presentationDate,
            rate: reading.rate, isMuted: reading.isMuted, latency: reading.latency,
            behindEdge: playlist.clock == nil ? reading.behindEdge : nil,
            drift: reading.drift, isAdvancing: playhead.state == .playing && renewal.successor == nil,
            limitStream: playlist.follower.timeline.window?.end,
            interstitialRest: renewal.successor == nil ? playhead.interstitialRest : nil)
    }
}

extension PlayheadView.State {
    init(_ state: Playhead.State) {
        switch state {
        case .idle: self = .idle
        case .playing: self = .playing
        case .paused: self = .paused
        case .stalled: self = .stalled
        case .interstitial: self = .interstitial
        case .ended: self = .ended
        }
    }
}
