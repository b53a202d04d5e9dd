package import HLS
package import Ports

extension Playhead {
    /// Maximum number of transitions in one call: far more than interstitials can be entered and left.
    private static let transitionLimit = 10 * InterstitialTrack.limit
    /// Stands for durations that do not fit: longer than any session.
    static let forever: Duration = .seconds(1_000_000_000)

    /// How far primary playback can move: to the edge or the next interstitial, and never back, so that it stalls in
    /// place when the playlist shrinks.
    var limit: StreamTime {
        let edge = window?.end ?? position
        return max(position, min(edge, nextInterstitialStart ?? edge))
    }

    private var nextInterstitialStart: StreamTime? {
        playsInterstitials ? interstitials.upcoming?.position : nil
    }

    /// The uptime at which playback at the current rate reaches `target`.
    func uptime(at target: StreamTime) -> Duration {
        let distance = (target - anchor.position).inMicroseconds
        guard rate != 1 else { return anchor.uptime + .microseconds(distance) }
        // Rounded up, so that the position at that time has reached the target.
        let seconds = (Double(distance) / rate).rounded(.up) / 1_000_000
        return anchor.uptime + (Duration(finiteSeconds: seconds) ?? Self.forever)
    }

    /// The position at `uptime` if nothing limited playback.
    func unlimitedPosition(at uptime: Duration) -> StreamTime {
        let elapsed = (uptime - anchor.uptime).inMicroseconds
        guard rate != 1 else { return anchor.position + .microseconds(elapsed) }
        return anchor.position + (Duration(finiteSeconds: Double(elapsed) * rate / 1_000_000) ?? Self.forever)
    }

    /// The uptime of the next transition without a command.
    var nextTransition: Duration? {
        if let play = interstitialPlay { return endOfInterstitial(play) }
        return isRunning && window != nil ? uptime(at: limit) : nil
    }

    /// Applies `timeline` after a reload: joins, resumes after a stall, or jumps when the window moved past the
    /// position.
    package mutating func timelineChanged(_ timeline: Timeline, at moment: Moment) -> PlayheadProgress {
        command(at: moment, on: timeline) { playhead, progress in
            guard let window = timeline.window else { return }
            let isReset = timeline.epoch != playhead.epoch
            playhead.window = window
            playhead.hasEnded = timeline.hasEnded
            playhead.epoch = timeline.epoch
            let isIdle = playhead.phase == .idle
            if playhead.playsInterstitials {
                playhead.interstitials.fold(timeline, playhead: isIdle ? nil : playhead.position)
            }
            // If the window moves on during an interstitial, this is handled when the stream resumes.
            guard playhead.interstitialPlay == nil else { return }
            if isIdle {
                playhead.join(timeline, window: window, at: moment, into: &progress)
            } else if isReset || playhead.position < window.start {
                playhead.fallBehind(isReset: isReset, at: moment, into: &progress)
            } else {
                playhead.isKnownBehind = false
            }
            let isOver = playhead.phase == .stalled && playhead.hasRebuffered(timeline, window)
            if playhead.position < window.end, isOver || playhead.phase == .ended {
                if playhead.phase == .ended, let end = playhead.heldEnd {
                    playhead.restOffset = playhead.restOffset.map { $0 + (moment.uptime - end) }
                }
                playhead.phase = .primary
                if !playhead.isPaused { progress.note(.resumed, at: moment) }
            }
        }
    }

    /// Target durations of media with which a viewer resumes after a stall. One segment alone would be played before
    /// the next one is listed, so that playback stalled again at every reload.
    private static let rebufferFactor = 1.5

    /// Whether there is enough media to resume after a stall: never more than a live viewer has behind the edge.
    private func hasRebuffered(_ timeline: Timeline, _ window: TimelineWindow) -> Bool {
        guard rebuffers, !timeline.hasEnded, let target = timeline.targetDuration, let holdBack = timeline.holdBack
        else { return true }
        return window.end - position >= min(target * Self.rebufferFactor, holdBack)
    }

    /// Handles the consequences of the position: an interstitial begins or ends, the edge or the end is reached.
    mutating func settle(on timeline: Timeline, into progress: inout PlayheadProgress) {
        // Every pass plays or leaves one interstitial, and each is entered once until the viewer seeks back.
        for _ in 0...InterstitialTrack.limit {
            if let play = interstitialPlay {
                guard leaveWhenOver(play, on: timeline, into: &progress) else { return }
            } else if !enterUpcoming(into: &progress) {
                return settleAtEdge(into: &progress)
            }
        }
    }

    private mutating func enterUpcoming(into progress: inout PlayheadProgress) -> Bool {
        guard phase == .primary || phase == .stalled, !isPaused, let now, let start = nextInterstitialStart,
            start <= position,
            let upcoming = interstitials.upcoming
        else { return false }
        enter(upcoming.id, at: now, into: &progress)
        return true
    }

    private mutating func settleAtEdge(into progress: inout PlayheadProgress) {
        guard let now, let window, phase == .primary || phase == .stalled, position >= window.end else { return }
        let next: Phase = hasEnded ? .ended : .stalled
        // A viewer who pauses at the edge is paused; the stall shows when playback resumes.
        guard phase != next, next == .ended || !isPaused else { return }
        phase = next
        if next == .ended { endedAt = now.uptime }
        progress.note(next == .ended ? .ended : .stalled, at: now)
    }

    /// Moves without playing and closes the range played so far.
    mutating func jump(to target: StreamTime, at moment: Moment, into progress: inout PlayheadProgress) {
        progress.note(.jumped(from: position, to: target), at: moment)
        place(at: target, moment: moment)
    }

    /// Moves to the live target, into the middle of an interstitial if one contains it.
    mutating func jumpLive(to target: StreamTime, at moment: Moment, into progress: inout PlayheadProgress) {
        jump(to: target, at: moment, into: &progress)
        enterInside(interstitials.pass(to: target, isLive: !hasEnded), at: moment, into: &progress)
    }

    private mutating func place(at target: StreamTime, moment: Moment) {
        position = target
        phase = .primary
        lastEnd = nil
        groupStart = nil
        isKnownBehind = false
        anchor = Anchor(uptime: moment.uptime, position: target)
        restOffset = moment.uptime - .microseconds(target.microseconds)
    }

    private mutating func join(
        _ timeline: Timeline, window: TimelineWindow, at moment: Moment, into progress: inout PlayheadProgress
    ) {
        let resumption = resumption(timeline, window: window, at: moment)
        let target = resumption?.position ?? joinPoint(timeline, window: window)
        // What the viewer has watched since is played by the next move.
        if let resumption, resumption.uptime < moment.uptime {
            now = moment.advanced(by: resumption.uptime - moment.uptime)
        }
        place(at: min(max(target, window.start), window.end), moment: now ?? moment)
        progress.note(.joined(position), at: moment)
        enterInside(interstitials.join(at: position, isLive: !hasEnded), at: moment, into: &progress)
    }

    /// Where a viewer who has watched since was first of all that the window has, and when (FLT-15); nil for another viewer, and where the
    /// window does not have what this one watches by now.
    private func resumption(
        _ timeline: Timeline, window: TimelineWindow, at moment: Moment
    ) -> (position: StreamTime, uptime: Duration)? {
        guard case .resuming(let date, let since) = start else { return nil }
        if let position = timeline.position(of: date), position >= window.start { return (position, since) }
        guard let oldest = timeline.date(at: window.start), date < oldest else { return nil }
        let uptime = since + (oldest - date)
        return uptime < moment.uptime ? (window.start, uptime) : nil
    }

    /// Where a viewer joins (HLS-10, HLS-15).
    private func joinPoint(_ timeline: Timeline, window: TimelineWindow) -> StreamTime {
        func offset(_ offset: Duration) -> StreamTime { (offset < .zero ? window.end : window.start) + offset }
        switch start {
        case .automatic:
            if let point = timeline.startPoint { return offset(point.timeOffset) }
            return timeline.hasEnded ? window.start : window.latest
        case .live, .resuming: return window.latest
        case .offset(let given): return offset(given)
        case .date(let date): return timeline.position(of: date) ?? window.latest
        case .continuing(let date):
            guard let position = timeline.position(of: date), position >= window.start else { return window.latest }
            return position
        }
    }

    /// The window moved past the position: jumps to the live target unless paused, and reports it once in either case.
    /// After a reset of the sequence numbers the position is not late: its stream has ended.
    private mutating func fallBehind(isReset: Bool, at moment: Moment, into progress: inout PlayheadProgress) {
        if !isKnownBehind, !isReset { progress.note(.fellBehind, at: moment) }
        isKnownBehind = true
        if !isPaused, let window { jumpLive(to: window.latest, at: moment, into: &progress) }
    }

    // MARK: Playing

    /// Plays up to `moment`; transitions on the way happen at their exact instants.
    mutating func play(to moment: Moment, on timeline: Timeline, into progress: inout PlayheadProgress) {
        guard let before = now else {
            now = moment
            return
        }
        guard moment.uptime > before.uptime else {
            if moment.uptime == before.uptime { now = moment }
            return
        }
        for _ in 0..<Self.transitionLimit {
            guard let transition = nextTransition, transition <= moment.uptime, let current = now else { break }
            let instant = current.advanced(by: max(.zero, transition - current.uptime))
            move(to: instant, on: timeline, into: &progress)
            settle(on: timeline, into: &progress)
        }
        move(to: moment, on: timeline, into: &progress)
    }

    private mutating func move(to moment: Moment, on timeline: Timeline, into progress: inout PlayheadProgress) {
        defer { now = moment }
        guard let now else { return }
        if let play = interstitialPlay { return moveInterstitial(play, to: moment, into: &progress) }
        guard isRunning else { return }
        let target = min(unlimitedPosition(at: moment.uptime), limit)
        for stretch in timeline.dateStretches(from: position, to: target) {
            progress.append(.played(segment(playing: stretch, from: now, to: moment)))
        }
        guard target > position else { return }
        position = target
        groupStart = nil
    }

    /// `stretch` with the moments at which it was played, joined to the previous segment.
    private mutating func segment(playing stretch: DateStretch, from start: Moment, to end: Moment) -> PlayheadSegment {
        func moment(_ position: StreamTime) -> Moment {
            let uptime = min(max(uptime(at: position), start.uptime), end.uptime)
            return uptime == end.uptime ? end : start.advanced(by: uptime - start.uptime)
        }
        var stretch = stretch
        let isSeamless = lastEnd?.to == stretch.from
        let isContinuous = isSeamless && Timeline.isContinuous(from: lastEnd?.toDate, to: stretch.fromDate)
        // Dates that round differently from segment to segment must not leave a gap that would lose a beacon.
        if isContinuous, let date = lastEnd?.toDate { stretch.fromDate = date }
        if let from = stretch.fromDate, let to = stretch.toDate { stretch.toDate = max(from, to) }
        lastEnd = stretch
        return PlayheadSegment(
            fromStream: stretch.from, toStream: stretch.to, fromDate: stretch.fromDate, toDate: stretch.toDate,
            fromMoment: moment(stretch.from), toMoment: moment(stretch.to), rate: rate, isContinuous: isContinuous,
            isSeamless: isSeamless)
    }
}
