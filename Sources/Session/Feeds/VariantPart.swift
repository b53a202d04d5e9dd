import HLS
import Ports

/// Selection of the variant, and failover to a redundant one (HLS-14).
extension MonitorState {
    /// Selects a variant from a multivariant playlist and requests it.
    mutating func select(
        from multivariant: MultivariantPlaylist, _ exchange: HTTPExchange, requested: Moment, at now: Moment
    ) {
        guard playlist.choice == nil || playlist.wantsManifest else {
            return playlistFailed(
                exchange, "received a multivariant playlist instead of a media playlist", requested: requested, at: now)
        }
        guard let newer = VariantChoice(multivariant) else {
            return playlistFailed(
                exchange, "multivariant playlist without a usable variant", requested: requested, at: now)
        }
        take(newer, of: multivariant, at: now)
        // A repeated request during failures proves nothing: the media playlist decides.
        if playlist.follower.timeline.playlist == nil { _ = playlist.record.succeeded(exchange, at: now) }
        playlist.backOff.succeeded()
        fetchMedia(playlist.variantURL ?? newer.current.url, at: now)
    }

    private mutating func take(_ newer: VariantChoice, of multivariant: MultivariantPlaylist, at now: Moment) {
        let before = playlist.variantURL
        if playlist.choice == nil { playlist.choice = newer } else { playlist.choice?.replaced(by: newer) }
        playlist.variantCount = multivariant.variants.count
        playlist.variables = multivariant.definitions
        if let current = playlist.choice?.current, current.url != before {
            let rate = current.variant.bandwidth.map { " of \($0 / 1_000) kbit/s" } ?? ""
            let count = multivariant.variants.count
            note(.info, "following the variant\(rate), one of \(count): \(current.url.text)", at: now)
            if before != nil { playlist.follower.variantChanged(to: current.url.text, at: now) }
        }
        steeringFound(multivariant.contentSteering, at: now)
    }

    /// A load failed: after two consecutive failures a redundant variant is used.
    mutating func leaveFailedVariant(_ problem: String, at now: Moment) {
        guard let next = playlist.choice?.failed(at: now) else { return }
        follow(next, "the variant failed (\(problem))", .warning, at: now)
    }

    mutating func leaveStaleVariant(at now: Moment) {
        guard let next = playlist.choice?.wentStale(at: now) else { return }
        follow(next, "the variant is stale", .warning, at: now)
    }

    /// After a pause the preferred variant is tried again with the next reload.
    mutating func returnToPreferredVariant(at now: Moment) {
        guard let preferred = playlist.choice?.returned(at: now) else { return }
        follow(preferred, "back to the preferred variant", .info, at: now)
    }

    /// A blocking request that takes too long counts like an answer without news: it is a finding, and a redundant
    /// variant is used if there is one.
    mutating func noticeStaleness(at now: Moment) {
        guard let due = playlist.staleAt, due <= now.uptime else { return }
        playlist.staleAt = nil
        let follower = playlist.follower
        noteFindings(follower.schedule.staleness(at: now, timeline: follower.timeline), from: .playlist, at: now)
        guard let next = playlist.choice?.wentStale(at: now) else { return }
        follow(next, "the variant is stale", .warning, at: now)
    }

    /// Sends the next request to `option`; the state of the stream is kept. A pending answer for the previous variant
    /// is ignored.
    mutating func follow(_ option: VariantOption, _ reason: String, _ level: LogLevel, at now: Moment) {
        playlist.follower.variantChanged(to: option.url.text, at: now)
        let pathway = option.variant.pathwayID.map { " on pathway \($0)" } ?? ""
        if let id = playlist.asked?.id, requests.removeValue(forKey: id) != nil {
            playlist.staleAt = nil
            plannedReload(at: now.uptime, now: now)
        }
        playlist.asked = nil
        note(level, "\(reason): following variant \(option.number)\(pathway), \(option.url.text)", at: now)
    }
}
