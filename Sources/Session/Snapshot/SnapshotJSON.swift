import AdTracking
import CreativeCache
import HLS
package import Ports

/// A snapshot in the documented schema `adtop-snapshot/1` (docs/snapshot.md): times are whole milliseconds, dates are
/// since the Unix epoch. URLs are redacted unless disabled, because dumps are shared.
package struct SnapshotJSON: Sendable {
    package static let version = "adtop-snapshot/1"

    package var isRedacted: Bool
    /// Number of newest log lines to include.
    package var logLines: Int

    package init(isRedacted: Bool = true, logLines: Int = Limits.logLines) {
        self.isRedacted = isRedacted
        self.logLines = logLines
    }

    package func value(of snapshot: Snapshot) -> JSONValue {
        [
            "schema": .string(Self.version),
            "atMs": date(snapshot.at.wall),
            "session": session(snapshot.session),
            "opening": snapshot.session.opening.map(opening) ?? .null,
            "playlist": playlist(snapshot.playlist),
            "playhead": playhead(snapshot.playhead),
            "dataRange": snapshot.dataRange.map { ["startMs": date($0.lowerBound), "endMs": date($0.upperBound)] }
                ?? .null,
            "coverageAheadMs": duration(snapshot.coverageAhead),
            "timeToNextBreakMs": duration(snapshot.timeToNextBreak),
            "breaks": .array(snapshot.breaks.map(adBreak)),
            "interstitials": .array(snapshot.interstitials.map(interstitial)),
            "lastInterstitial": snapshot.lastInterstitial.map(lastInterstitial) ?? .null,
            "formats": snapshot.formats.map { formats($0, at: snapshot.at) } ?? .null,
            "playedRanges": .array(
                snapshot.playedRanges.map { ["startMs": date($0.lowerBound), "endMs": date($0.upperBound)] }),
            "counters": counters(snapshot.counters),
            "activity": activity(snapshot.activity),
            "findings": .array(snapshot.findings.map(finding)),
            "log": .array(snapshot.log.suffix(logLines).map(logEntry)),
            "errors": errors(snapshot.errors.byKind),
            "latestError": snapshot.errors.latest.map(error) ?? .null,
            "userReport": snapshot.userReport.map(userReport) ?? .null,
            "auction": snapshot.auction.map(auction) ?? .null,
            "cache": snapshot.cache.map(cache) ?? .null, "zones": .array(snapshot.zones.map(\.json)),
        ]
    }

    // MARK: Values

    func date(_ time: UnixTime) -> JSONValue { .integer(time.milliseconds) }
    func date(_ time: UnixTime?) -> JSONValue { time.map { date($0) } ?? .null }
    func date(_ moment: Moment?) -> JSONValue { moment.map { date($0.wall) } ?? .null }
    func duration(_ span: Duration) -> JSONValue { .integer(span.roundedMilliseconds) }
    func duration(_ span: Duration?) -> JSONValue { span.map { duration($0) } ?? .null }

    func url(_ text: String) -> JSONValue { .string(isRedacted ? Redaction.url(text) : text) }
    func url(_ text: String?) -> JSONValue { text.map { url($0) } ?? .null }

    func text(_ text: String) -> JSONValue { .string(isRedacted ? Redaction.text(text) : text) }
}

// MARK: Session, playlist, playhead

extension SnapshotJSON {
    private func opening(_ opening: OpeningView) -> JSONValue {
        [
            "problem": .optional(opening.problem?.rawValue), "advice": opening.advice.map { text($0) } ?? .null,
            "nextAttemptMs": date(opening.nextAttemptAt),
            "requests": .array(
                opening.requests.map { request in
                    [
                        "method": .string(request.method.rawValue), "url": url(request.url),
                        "kind": .string(request.isPlaylist ? "playlist" : "session"), "askedMs": date(request.askedAt),
                        "tries": .integer(Int64(request.tries)), "answered": .bool(request.answer != nil),
                        "status": request.answer?.status.map { .integer(Int64($0)) } ?? .null,
                        "failure": request.answer?.failure.map { text($0.message) } ?? .null,
                        "contentType": .optional(request.answer?.contentType),
                        "tookMs": duration(request.answer?.took),
                    ]
                }),
        ]
    }

    private func session(_ session: SessionView) -> JSONValue {
        [
            "name": .string(session.name), "mediaUrl": url(session.mediaURL), "manifestUrl": url(session.manifestURL),
            "metadataUrl": url(session.metadataURL), "provider": .string(session.provider),
            "service": session.service.map(service) ?? .null, "initPath": .optional(session.initPath),
            "sessionId": .optional(isRedacted ? session.sessionID.map { _ in Redaction.mask } : session.sessionID),
            "mode": .string(session.mode.rawValue), "retry": .optional(session.retry?.rawValue),
            "canArm": .bool(session.canArm), "lacksJournal": .bool(session.lacksJournal),
            "heldElsewhere": .bool(session.isHeldElsewhere),
            "phase": .string(session.phase.rawValue),
            "renewals": .integer(Int64(session.renewals)),
            "playlistHealth": health(session.playlistHealth), "metadataHealth": health(session.metadataHealth),
        ]
    }

    private func service(_ service: ServiceView) -> JSONValue {
        [
            "mode": .optional(service.mode), "reporter": .string(service.reporter.rawValue),
            "tokenSinceMs": date(service.tokenSince), "intervalMs": duration(service.interval),
            "next": service.next.map { ["atMs": date($0.at), "reason": .string($0.reason.rawValue)] } ?? .null,
            "prefetch": service.prefetch.map(prefetch) ?? .null, "ping": service.ping.map(ping) ?? .null,
        ]
    }

    private func prefetch(_ prefetch: ProviderStatus.Prefetch) -> JSONValue {
        ["stream": prefetch.stream.map { text($0) } ?? .null, "mode": prefetch.mode.map { text($0) } ?? .null]
    }

    private func ping(_ ping: PingView) -> JSONValue {
        [
            "url": url(ping.url), "cause": .string(ping.cause), "state": .string(ping.state.rawValue),
            "reason": .optional(ping.reason?.rawValue), "status": .optional(ping.status),
            "nextStreamMs": .optional(ping.next?.roundedMilliseconds),
        ]
    }

    private func health(_ health: FeedHealth) -> JSONValue {
        [
            "state": .string(health.state.rawValue), "status": .optional(health.status),
            "httpVersion": .optional(health.version?.rawValue), "tookMs": duration(health.took),
            "bytes": .optional(health.bytes), "lastGoodAtMs": date(health.lastGoodAt),
            "consecutiveFailures": .integer(Int64(health.consecutiveFailures)),
            "nextAttemptAtMs": date(health.nextAttemptAt), "problem": health.problem.map { text($0) } ?? .null,
            "ping": .bool(health.isPing),
        ]
    }

    private func playlist(_ playlist: PlaylistView) -> JSONValue {
        [
            "kind": .string(playlist.kind.rawValue), "url": url(playlist.url),
            "bandwidth": .optional(playlist.bandwidth),
            "variantCount": .integer(Int64(playlist.variantCount)),
            "targetDurationMs": duration(playlist.targetDuration),
            "segmentCount": .integer(Int64(playlist.segmentCount)), "mediaSequence": .optional(playlist.mediaSequence),
            "hasEnded": .bool(playlist.hasEnded),
            "windowStartStreamMs": .optional(playlist.windowStart?.roundedMilliseconds),
            "windowEndStreamMs": .optional(playlist.windowEnd?.roundedMilliseconds),
            "windowStartMs": date(playlist.windowStartDate), "windowEndMs": date(playlist.windowEndDate),
            "holdBackMs": duration(playlist.holdBack), "discontinuities": .integer(Int64(playlist.discontinuities)),
            "reloads": .integer(Int64(playlist.reloads)), "nextReloadAtMs": date(playlist.nextReloadAt),
            "variant": playlist.variant.map(variant) ?? .null, "variants": variants(playlist),
            "delivery": delivery(playlist.delivery),
        ]
    }

    private func variant(_ variant: VariantView) -> JSONValue {
        [
            "number": .integer(Int64(variant.number)), "bandwidth": .optional(variant.bandwidth),
            "resolution": .optional(variant.resolution), "codecs": .optional(variant.codecs),
            "pathway": .optional(variant.pathway), "redundant": .integer(Int64(variant.redundantCount)),
            "fallback": .bool(variant.isFallback), "steppedDown": .bool(variant.hasSteppedDown),
            "wanted": url(variant.wish.text),
        ]
    }

    private func variants(_ playlist: PlaylistView) -> JSONValue {
        .array(
            playlist.variants.prefix(PlaylistView.listedVariants).map { option in
                [
                    "number": .integer(Int64(option.number)), "bandwidth": .optional(option.variant.bandwidth),
                    "resolution": .optional(option.variant.resolution?.description),
                    "codecs": .optional(option.variant.codecs), "pathway": .optional(option.variant.pathwayID),
                    "url": url(option.url.text), "followed": .bool(option.number == playlist.variant?.number),
                ]
            })
    }

    private func delivery(_ delivery: DeliveryView) -> JSONValue {
        [
            "lowLatency": .bool(delivery.isLowLatency), "blocking": .bool(delivery.isBlocking),
            "partTargetMs": duration(delivery.partTarget),
            "trailingParts": .integer(Int64(delivery.trailingParts)),
            "deltaUpdates": .integer(Int64(delivery.deltaUpdates)),
        ]
    }

    private func playhead(_ playhead: PlayheadView) -> JSONValue {
        [
            "pdtMs": date(playhead.date), "streamMs": .optional(playhead.stream?.roundedMilliseconds),
            "state": .string(playhead.state.rawValue), "rate": .double(playhead.rate), "muted": .bool(playhead.isMuted),
            "latencyMs": duration(playhead.latency), "behindEdgeMs": duration(playhead.behindEdge),
            "driftMs": duration(playhead.drift),
        ]
    }
}
