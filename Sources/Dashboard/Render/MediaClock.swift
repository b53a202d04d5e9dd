import Monitoring
import Ports

extension Snapshot {
    /// The media date at the playhead at `now`: a snapshot is made only when something happens, the playhead moves on
    /// between them, but never beyond the end of the playlist.
    func mediaDate(at now: Moment) -> UnixTime? {
        guard let date = playhead.date else { return nil }
        return date + advance(at: now, limit: playlist.windowEndDate.map { $0 - date })
    }

    /// How far the playhead has moved since the snapshot was made.
    private func advance(at now: Moment, limit: Duration?) -> Duration {
        guard playhead.state == .playing, playhead.rate.isFinite else { return .zero }
        let passed = (now.uptime - at.uptime).inSeconds * playhead.rate
        guard let moved = Duration(finiteSeconds: max(0, passed)) else { return .zero }
        return limit.map { min(moved, max(.zero, $0)) } ?? moved
    }

    /// Time from the playhead to the start of the next break, at `now`.
    func timeToNextBreak(at now: Moment) -> Duration? {
        guard let date = mediaDate(at: now) else { return timeToNextBreak }
        return breaks.first { $0.start > date }.map { $0.start - date }
    }

    /// Latency at `now`: it stays while the playhead plays at speed and grows while it does not move, but for good.
    func latency(at now: Moment) -> Duration? {
        guard playhead.latency != nil, session.phase != .ended, let date = mediaDate(at: now) else { return playhead.latency }
        return now.wall - date
    }
}
