package import HLS
package import Ports

/// The position of a viewer who watches the stream, without decoding it (HLS-13): a state machine driven by uptime,
/// reloads and commands. Time and timeline are parameters. Each call first plays up to its moment with what was known
/// before, so late or frequent ticks do not change the result.
package struct Playhead: Equatable, Sendable {
    /// Raw values are the words of JSON and screen.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// No playlist yet.
        case idle
        case playing, paused
        /// At the edge of a live playlist; resumes with the next segment, without catching up.
        case stalled
        /// Plays assets in place of the stream.
        case interstitial
        case ended
    }

    /// Where playback begins.
    package enum Start: Hashable, Sendable {
        /// EXT-X-START if present, else the live target; a complete playlist from its beginning.
        case automatic
        /// The live target; EXT-X-START is ignored.
        case live
        /// Offset from the start of the window, or from the edge when negative.
        case offset(Duration)
        case date(UnixTime)
        /// At this media date if the window has it, else the live target: for a viewer who was there before.
        case continuing(UnixTime)
        /// As a viewer who was at this media date at this uptime, and has watched since: what the window has of that
        /// stretch is played.
        case resuming(UnixTime, at: Duration)
    }

    /// The state of primary playback, apart from pauses.
    enum Phase: Equatable, Sendable {
        case idle, primary, stalled, ended
        case interstitial(InterstitialPlay)
    }

    /// A clock reading and the position at that time. Positions are computed from it, so that many ticks add no
    /// rounding.
    struct Anchor: Equatable, Sendable {
        var uptime: Duration = .zero
        var position = StreamTime.zero
    }

    /// Permitted range of `rate`.
    package static let rates = 0.1...16.0

    package let start: Start
    /// Whether interstitials are played in place of the stream; otherwise their ranges are played as any other content.
    package let playsInterstitials: Bool
    /// Whether a stall at the edge lasts until there is media to play for a while, as in players. Otherwise, as in the
    /// conformance model, any new media ends it.
    package let rebuffers: Bool
    /// The interstitials of the stream and their state.
    package internal(set) var interstitials = InterstitialTrack()
    package internal(set) var isPaused = false
    package internal(set) var isMuted = false
    /// Media seconds per second.
    package internal(set) var rate = 1.0
    /// The moment of the last call; nil before the first.
    package internal(set) var now: Moment?
    /// Position on the primary timeline at `now`; meaningless while idle.
    package internal(set) var position = StreamTime.zero
    var phase = Phase.idle
    var anchor = Anchor()
    /// Window of the timeline at the last `timelineChanged`: playback up to a moment uses what was known then.
    var window: TimelineWindow?
    var hasEnded = false
    var epoch = 0
    /// Whether the window moved past the paused playhead and this was reported.
    var isKnownBehind = false
    /// Where the last played segment ended; nil after a jump.
    var lastEnd: DateStretch?
    /// Uptime minus position at the last start, seek or jump, for `drift`.
    var restOffset: Duration?
    /// Uptime at which the end of the stream was reached; nil before.
    var endedAt: Duration?
    /// Scheduled start of the interstitial entered last, until some of the stream is played.
    var groupStart: StreamTime?

    package init(start: Start = .automatic, playsInterstitials: Bool = true, rebuffers: Bool = false) {
        self.start = start
        self.rebuffers = rebuffers
        self.playsInterstitials = playsInterstitials
    }

    /// The same viewer, with the same settings, who joins another playlist of the stream.
    package func joining(at start: Start) -> Playhead {
        var new = Playhead(start: start, playsInterstitials: playsInterstitials, rebuffers: rebuffers)
        (new.rate, new.isMuted, new.isPaused) = (rate, isMuted, isPaused)
        return new
    }

    package var state: State {
        switch phase {
        case .idle: .idle
        case .ended: .ended
        case _ where isPaused: .paused
        case .primary: .playing
        case .stalled: .stalled
        case .interstitial: .interstitial
        }
    }

    /// The current interstitial; nil while the stream itself plays.
    var interstitialPlay: InterstitialPlay? {
        if case .interstitial(let play) = phase { play } else { nil }
    }

    /// Whether the position moves with the clock.
    var isRunning: Bool { phase == .primary && !isPaused }

    /// The uptime at which the time lost stopped to grow; nil in the conformance model, where it does not.
    var heldEnd: Duration? { rebuffers ? endedAt : nil }

    var drift: Duration? {
        guard let restOffset, let now else { return nil }
        let shown = position + (interstitialPlay?.elapsed ?? .zero)
        // After the end there is nothing to fall behind of.
        let until = phase == .ended ? heldEnd ?? now.uptime : now.uptime
        return until - Duration.microseconds(shown.microseconds) - restOffset
    }

    // MARK: Commands

    /// Plays up to `moment`.
    package mutating func advance(to moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        var progress = PlayheadProgress()
        play(to: moment, on: timeline, into: &progress)
        return progress
    }

    /// Pauses at the position; repeated calls report it once.
    package mutating func pause(at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, progress in
            guard !playhead.isPaused else { return }
            playhead.isPaused = true
            progress.note(.paused, at: moment)
        }
    }

    /// Resumes after a pause, from the live target when the window has moved past the position.
    package mutating func play(at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, progress in
            guard playhead.isPaused else { return }
            playhead.isPaused = false
            progress.note(.played, at: moment)
            if let window = playhead.window, playhead.phase == .primary, playhead.position < window.start {
                playhead.jumpLive(to: window.latest, at: moment, into: &progress)
            }
        }
    }

    /// Moves to `target`, clamped to the window. Interstitials restrict the move: one with X-RESTRICT SKIP is not left
    /// forwards, one that contains `target` starts from its beginning, one with X-RESTRICT JUMP is played first
    /// (HLS-21).
    package mutating func seek(to target: StreamTime, at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, progress in
            playhead.seek(to: target, joinsInside: false, at: moment, on: timeline, into: &progress)
        }
    }

    /// Moves by `span`, back when negative, clamped to the window.
    package mutating func seek(by span: Duration, at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        var progress = advance(to: moment, on: timeline)
        progress.append(seek(to: position + span, at: moment, on: timeline))
        return progress
    }

    /// Moves to where `date` is shown, clamped to the window; does nothing in a stream without dates.
    package mutating func seek(toDate date: UnixTime, at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        guard let target = timeline.position(of: date) else { return advance(to: moment, on: timeline) }
        return seek(to: target, at: moment, on: timeline)
    }

    /// Moves to the live target, or to the end of a complete playlist.
    package mutating func seekLive(at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, progress in
            guard let window = playhead.window else { return }
            playhead.seek(to: window.latest, joinsInside: true, at: moment, on: timeline, into: &progress)
        }
    }

    /// Target durations between the start of a live window and the lowest position that a viewer may seek to.
    private static let seekReserve = 2

    /// The window of a live stream moves on by a segment at a time, and the playlist may be that old: a viewer at its very start would
    /// fall out of it with the next reload. One who is closer to it stays where he is.
    private func lowestTarget(in window: TimelineWindow, of timeline: Timeline) -> StreamTime {
        guard rebuffers, !hasEnded, timeline.playlist?.playlistType == nil, let target = timeline.targetDuration else {
            return window.start
        }
        return min(window.start + target * Self.seekReserve, window.latest, max(window.start, position))
    }

    /// How far inside the window of a live stream the viewer is if a seek ends at the lowest position that it may reach; else nil.
    package func seekReserve(on timeline: Timeline) -> Duration? {
        guard let window, phase != .idle, interstitialPlay == nil, position > window.start,
            position == lowestTarget(in: window, of: timeline)
        else { return nil }
        return position - window.start
    }

    /// - Parameter joinsInside: whether an interstitial around `target` is entered in the middle, as by a viewer who
    ///   joins.
    private mutating func seek(
        to target: StreamTime, joinsInside: Bool, at moment: Moment, on timeline: Timeline,
        into progress: inout PlayheadProgress
    ) {
        guard phase != .idle, let window else { return }
        let target = min(max(target, lowestTarget(in: window, of: timeline)), window.end)
        let origin = position
        if var play = interstitialPlay {
            if target > origin, interstitials[id: play.id]?.definition.restrict.contains(.skip) == true {
                progress.note(.seekRefused(id: play.id), at: moment)
                return
            }
            play.target = target
            leave(play, result: .skipped, on: timeline, into: &progress)
            position = origin
        }
        jump(to: target, at: moment, into: &progress)
        guard playsInterstitials, let detour = interstitials.seek(from: origin, to: target) else { return }
        if let offset = detour.offset {
            hold(at: target - offset, for: detour.id)
            enter(detour.id, offset: joinsInside ? offset : .zero, at: moment, into: &progress)
        } else {
            position = interstitials[id: detour.id]?.position ?? position
            enter(detour.id, thenTo: target, at: moment, into: &progress)
        }
    }

    /// Plays at `rate`, clamped to `rates`; not-a-number is ignored.
    package mutating func setRate(_ rate: Double, at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, progress in
            guard !rate.isNaN, rate != playhead.rate else { return }
            playhead.rate = min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
            progress.note(.rateChanged(playhead.rate), at: moment)
        }
    }

    /// Changes only the sound; the position is not affected.
    package mutating func setMuted(_ isMuted: Bool, at moment: Moment, on timeline: Timeline) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, progress in
            guard playhead.isMuted != isMuted else { return }
            playhead.isMuted = isMuted
            progress.note(isMuted ? .muted : .unmuted, at: moment)
        }
    }

    /// Plays up to `moment`, applies `change` and handles its consequences.
    mutating func command(
        at moment: Moment, on timeline: Timeline, _ change: (inout Playhead, inout PlayheadProgress) -> Void
    ) -> PlayheadProgress {
        var progress = advance(to: moment, on: timeline)
        change(&self, &progress)
        anchor = Anchor(uptime: now?.uptime ?? moment.uptime, position: position)
        refreshWaiting(at: now ?? moment)
        settle(on: timeline, into: &progress)
        return progress
    }
}
