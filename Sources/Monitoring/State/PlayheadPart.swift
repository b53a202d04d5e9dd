import AdTracking
import HLS
import Ports

extension MonitorState {
    /// How far ahead due events are looked for; a wake-up at its end looks further.
    private static let horizon: Duration = .seconds(60)

    /// Plays up to `now` by what was known before.
    mutating func move(to now: Moment) {
        let progress = playhead.advance(to: now, on: playlist.follower.timeline)
        absorb(progress, at: now)
    }

    /// Media that was played becomes beacons that are due; changes become log lines.
    mutating func absorb(_ progress: PlayheadProgress, at now: Moment) {
        for segment in progress.segments {
            guard let stretch = PlayedStretch(segment), let outcome = tracker?.played(stretch, at: now) else {
                continue
            }
            take(outcome, at: now)
        }
        for change in progress.changes { absorb(change, at: now) }
        noteFindings(progress.findings, from: .playlist, at: now)
    }

    private mutating func absorb(_ change: PlayheadChange, at now: Moment) {
        let timeline = playlist.follower.timeline
        switch change.kind {
        case .joined(let position):
            jumped(to: position, at: now)
            let behind = timeline.window.map { ", \(Wording.seconds($0.end - position)) behind the edge" } ?? ""
            note(
                .info, "playhead joins at \(Wording.place(position, date: timeline.date(at: position)))\(behind)",
                at: change.at)
        case .jumped(_, let position):
            jumped(to: position, at: now)
            note(
                .info, "playhead jumps to \(Wording.place(position, date: timeline.date(at: position)))", at: change.at)
        case .stalled: note(.warning, "playhead stalled: the playlist has nothing more to play", at: change.at)
        case .resumed: note(.info, "playhead goes on after the stall", at: change.at)
        case .fellBehind: note(.warning, "playhead fell behind the window of the playlist", at: change.at)
        case .ended: note(.info, "playhead is at the end of the stream", at: change.at)
        case .paused: note(.info, "playhead paused", at: change.at)
        case .played: note(.info, "playhead plays", at: change.at)
        case .rateChanged(let rate): note(.info, "playhead plays at rate \(rate)", at: change.at)
        case .muted: note(.info, "player muted", at: change.at)
        case .unmuted: note(.info, "player unmuted", at: change.at)
        case .interstitialStarted(let id, _): note(.info, "interstitial \(id) started", at: change.at)
        case .interstitialEnded(let id, let result):
            note(.info, "interstitial \(id) ended: \(result.rawValue)", at: change.at)
        case .seekRefused(let id): note(.warning, "interstitial \(id) forbids to seek now", at: change.at)
        }
        views.playheadChanged()
    }

    private mutating func jumped(to position: StreamTime, at now: Moment) {
        let date = playlist.follower.timeline.date(at: position)
        if let outcome = tracker?.jumped(to: date, at: now) { take(outcome, at: now) }
    }

    /// The media date at the playhead.
    var playheadDate: UnixTime? {
        playhead.state == .idle ? nil : playlist.follower.timeline.date(at: playhead.position)
    }

    /// The uptime of the next thing that playing on brings: an event, the begin or end of a break or ad, the edge.
    func nextPlayed(at now: Moment) -> Duration? {
        guard let transition = playhead.nextWake, let end = playlist.follower.timeline.window?.end else {
            return playhead.nextWake
        }
        let horizon = min(end, playhead.position + Self.horizon * playhead.rate)
        let stretches = playlist.follower.timeline.dateStretches(from: playhead.position, to: horizon)
        for (order, stretch) in stretches.enumerated() {
            guard let from = stretch.fromDate, let to = stretch.toDate else { continue }
            // What lies exactly at the playhead was played; what lies exactly at the start of a later stretch was not.
            let start = order == 0 ? from : from - .microseconds(1)
            let next = [tracker?.nextDue(after: start), air.nextBoundary(after: start)].compactMap { $0 }.min()
            guard let next, next <= to else { continue }
            return playhead.uptime(reaching: stretch.from + (next - from)).map { min($0, transition) } ?? transition
        }
        return horizon < end ? playhead.uptime(reaching: horizon) ?? transition : transition
    }
}
