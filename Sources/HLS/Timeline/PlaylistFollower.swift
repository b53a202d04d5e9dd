package import Ports

/// The result of one reload of the media playlist.
package struct Reload: Equatable, Sendable {
    /// Number of the answer within the session, from 0.
    package var index: Int
    package var outcome: ReloadOutcome
    /// Findings across reloads only; the parse has its own.
    package var findings: [Finding]
    /// Whether a new epoch began, so that the playhead moves to the live target.
    package var isReset: Bool

    /// Whether the playlist has not grown for so long that another variant may be better (rfc8216bis-22 section 6.3.4).
    package var isStale: Bool {
        let rules = [ReloadRule.stalePlaylist, .playlistStuck].map(\.rawValue)
        return findings.contains { rules.contains($0.rule) }
    }
}

/// The exchange of one reload.
package struct ReloadExchange: Equatable, Sendable {
    package var requested: Moment
    package var answered: Moment
    /// The directives of the request.
    package var directives: DeliveryDirectives
    /// Age of the answer: how long a cache has held it.
    package var age: Duration?
    /// Retry-After of the answer.
    package var retryAfter: Duration?
    /// Whether no answer came in time.
    package var isTimeout: Bool

    /// `answered` defaults to `requested`, for models in which exchanges take no time.
    package init(
        requested: Moment, answered: Moment? = nil, directives: DeliveryDirectives = DeliveryDirectives(),
        age: Duration? = nil, retryAfter: Duration? = nil, isTimeout: Bool = false
    ) {
        self.isTimeout = isTimeout
        self.requested = requested
        self.answered = answered ?? requested
        self.directives = directives
        self.age = age
        self.retryAfter = retryAfter
    }
}

/// Follows one media playlist: one call per answer updates timeline, schedule, delivery directives and marker breaks
/// together.
package struct PlaylistFollower: Equatable, Sendable {
    package private(set) var timeline: Timeline
    package private(set) var schedule: ReloadSchedule
    package private(set) var breaks = BreakTrack()
    /// Number of answers so far.
    package private(set) var reloadCount = 0
    /// Number of delta updates merged into the held playlist.
    package private(set) var mergedDeltas = 0
    private var directiveUse = DirectiveUse()
    private var tuneIn: TuneIn?
    /// When the held playlist was requested.
    private var heldSince: Moment?
    /// Directives for the first request of another variant, from the rendition report of the previous one.
    private var reported: DeliveryDirectives?

    package init(
        prefersLowLatency: Bool = false, ignoresOldCopies: Bool = true, schedule: ReloadSchedule = ReloadSchedule()
    ) {
        timeline = Timeline(prefersLowLatency: prefersLowLatency, ignoresOldCopies: ignoresOldCopies)
        self.schedule = schedule
    }

    /// Whether a cache returned an old playlist and newer media is being requested, so that it is too early to join.
    package var isTuningIn: Bool { tuneIn != nil }

    /// The directives for a request at `moment`; empty for a plain request.
    package func directives(at moment: Moment) -> DeliveryDirectives {
        guard directiveUse.isAllowed(at: moment) else { return DeliveryDirectives() }
        if timeline.awaitsVariant { return reported ?? DeliveryDirectives() }
        let age = heldSince.map { moment.uptime - $0.uptime } ?? .zero
        var directives = DeliveryDirectives(for: timeline, age: age)
        if schedule.lastOutcome == .deltaIncomplete || schedule.lastOutcome == .invalid {
            directives = directives.complete
        }
        if let aim = tuneIn?.aim(timeline, at: moment) {
            directives.sequence = aim.sequence
            directives.part = aim.part
        }
        return directives
    }

    /// Whether the server holds a request made at `moment` until there is new media.
    package func isBlocking(at moment: Moment) -> Bool {
        directives(at: moment).isBlocking
    }

    /// Gives segments without a date one that follows from their position (HLS-15).
    package mutating func date(zero: UnixTime) {
        timeline.dateOfZero = zero
    }

    /// The multivariant playlist arrived, with or without EXT-X-START.
    package mutating func startFound(_ start: StartPoint?) {
        timeline.multivariantStart = start
    }

    /// Continues the timeline of another process, before the first playlist.
    package mutating func continues(_ anchor: TimelineAnchor) {
        timeline.continues(anchor)
    }

    /// The server answered that the playlist has not changed (304).
    package mutating func noteUnchanged(_ exchange: ReloadExchange) -> Reload {
        note(TimelineFold(outcome: .unchanged, findings: []), exchange)
    }

    /// Drops the marker breaks that ended before `date`.
    package mutating func forgetBreaks(endedBefore date: UnixTime) {
        breaks.forget(endedBefore: date, in: timeline)
    }

    /// Switches to the playlist of another variant, at `uri`; its segments are placed by date.
    package mutating func variantChanged(to uri: String, at moment: Moment) {
        reported = timeline.directives(fromReportOn: uri)
        timeline.variantChanged()
        schedule.variantChanged(at: moment)
        directiveUse = DirectiveUse()
        tuneIn = nil
        heldSince = nil
    }

    /// Requests the playlist of a variant that was not tried yet without a pause.
    package mutating func tryAtOnce(at moment: Moment) {
        schedule.tryAtOnce(at: moment)
    }

    /// Records a parsed answer.
    package mutating func noteParsed(_ parsed: ParsedPlaylist, _ exchange: ReloadExchange) -> Reload {
        switch parsed.kind {
        case .media(let playlist):
            let isFirst = timeline.playlist == nil
            var fold = timeline.fold(playlist)
            if fold.outcome == .changed { breaks.fold(timeline, reload: reloadCount) }
            if fold.outcome != .deltaIncomplete { heldSince = exchange.requested }
            if playlist.skip != nil, fold.outcome != .deltaIncomplete { mergedDeltas += 1 }
            if fold.hasAdvanced { directiveUse.playlistAdvanced() }
            noteTuneIn(isFirst: isFirst, exchange)
            if fold.outcome == .unchanged || fold.outcome == .changed {
                if !timeline.lists(exchange.directives) {
                    fold.findings.append(directiveUse.wasNotHeeded(exchange.directives, at: exchange.answered))
                } else if !exchange.directives.isEmpty {
                    directiveUse.worked()
                }
            }
            return note(fold, exchange)
        case .multivariant:
            return noteInvalid("expected a media playlist, received a multivariant playlist", exchange)
        case .invalid(let rule):
            return noteInvalid("the playlist cannot be used: \(rule)", exchange)
        }
    }

    /// Records an exchange without a playlist: `status` is that of the answer, nil when there was none; `reason` is one
    /// clause for display.
    package mutating func noteFailure(status: Int?, reason: String? = nil, _ exchange: ReloadExchange) -> Reload {
        let message = reason ?? status.map { "the playlist was answered with \($0)" } ?? "no answer for the playlist"
        var fold = TimelineFold(
            outcome: .error, findings: [Finding(rule: ReloadRule.httpError, severity: .error, message: message)])
        if let refusal = directiveUse.failed(exchange.directives, status: status, at: exchange.answered) {
            fold.findings.append(refusal)
        }
        tuneIn = nil
        reported = nil
        return note(fold, exchange)
    }

    private mutating func noteInvalid(_ message: String, _ exchange: ReloadExchange) -> Reload {
        tuneIn = nil
        reported = nil
        let fold = TimelineFold(
            outcome: .invalid, findings: [Finding(rule: ReloadRule.invalidPlaylist, severity: .error, message: message)]
        )
        return note(fold, exchange)
    }

    /// Only the first playlist may be old without notice; later ones are requested by sequence number.
    private mutating func noteTuneIn(isFirst: Bool, _ exchange: ReloadExchange) {
        if isFirst, let age = exchange.age {
            tuneIn = TuneIn(age: age, timeline: timeline, at: exchange.answered)
        } else {
            tuneIn?.answered()
        }
        if tuneIn?.aim(timeline, at: exchange.answered) == nil { tuneIn = nil }
    }

    private mutating func note(_ fold: TimelineFold, _ exchange: ReloadExchange) -> Reload {
        let delivery = ReloadSchedule.Delivery(
            wasBlocking: exchange.directives.isBlocking, mayBlock: directiveUse.isAllowed(at: exchange.answered),
            retryAfter: exchange.retryAfter, isTimeout: exchange.isTimeout)
        let staleness = schedule.noteAnswer(
            fold.outcome, hasAdvanced: fold.hasAdvanced, timeline: timeline, requested: exchange.requested,
            answered: exchange.answered, delivery: delivery)
        defer { reloadCount += 1 }
        return Reload(
            index: reloadCount, outcome: fold.outcome, findings: fold.findings + staleness, isReset: fold.isReset)
    }
}
