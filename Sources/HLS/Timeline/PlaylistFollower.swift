package import Ports

/// One answer to a reload of the media playlist, as far as following it goes.
package struct Reload: Equatable, Sendable {
    /// Counts the answers of the session from 0.
    package var index: Int
    package var requested: Moment
    package var outcome: ReloadOutcome
    /// Across reloads only; the parse has its own.
    package var findings: [Finding]
    /// A new epoch began: the playhead goes to the live target.
    package var isReset: Bool
}

/// Follows one media playlist: timeline, schedule and marker breaks kept in step by one call per answer.
package struct PlaylistFollower: Equatable, Sendable {
    package private(set) var timeline: Timeline
    package private(set) var schedule: ReloadSchedule
    package private(set) var breaks = BreakTrack()
    /// Answers so far.
    package private(set) var reloadCount = 0

    package init(prefersLowLatency: Bool = false, schedule: ReloadSchedule = ReloadSchedule()) {
        timeline = Timeline(prefersLowLatency: prefersLowLatency)
        self.schedule = schedule
    }

    /// A body came. `answered` defaults to `requested`.
    package mutating func noteParsed(_ parsed: ParsedPlaylist, requested: Moment, answered: Moment? = nil) -> Reload {
        switch parsed.kind {
        case .media(let playlist):
            let fold = timeline.fold(playlist)
            if fold.outcome == .changed { breaks.fold(timeline, reload: reloadCount) }
            return note(fold, requested: requested, answered: answered)
        case .multivariant:
            return noteInvalid(
                "a multivariant playlist came where a media playlist was", requested: requested, answered: answered)
        case .invalid(let rule):
            return noteInvalid("the playlist cannot be used: \(rule)", requested: requested, answered: answered)
        }
    }

    /// No playlist came: `status` is that of the answer, nil when there was none, `reason` one clause for people.
    package mutating func noteFailure(
        status: Int?, reason: String? = nil, requested: Moment, answered: Moment? = nil, retryAfter: Duration? = nil
    ) -> Reload {
        let message = reason ?? status.map { "the playlist was answered with \($0)" } ?? "no answer for the playlist"
        let fold = TimelineFold(
            outcome: .error, findings: [Finding(rule: "http-error", severity: .error, message: message)])
        return note(fold, requested: requested, answered: answered, retryAfter: retryAfter)
    }

    private mutating func noteInvalid(_ message: String, requested: Moment, answered: Moment?) -> Reload {
        let fold = TimelineFold(
            outcome: .invalid, findings: [Finding(rule: "invalid-playlist", severity: .error, message: message)])
        return note(fold, requested: requested, answered: answered)
    }

    private mutating func note(
        _ fold: TimelineFold, requested: Moment, answered: Moment?, retryAfter: Duration? = nil
    ) -> Reload {
        let staleness = schedule.noteAnswer(
            fold.outcome, hasAdvanced: fold.hasAdvanced, timeline: timeline, requested: requested,
            answered: answered ?? requested, retryAfter: retryAfter)
        defer { reloadCount += 1 }
        return Reload(
            index: reloadCount, requested: requested, outcome: fold.outcome, findings: fold.findings + staleness,
            isReset: fold.isReset)
    }
}
