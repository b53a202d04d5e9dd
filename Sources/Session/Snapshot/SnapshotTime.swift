import HLS
package import Ports

/// A snapshot at later moments: the playhead moves on without inputs, so nothing has to be published for a clock to
/// run.
extension Snapshot {
    /// The playhead at `moment`: as far as it could play by then with the playlist of the snapshot.
    package func playhead(at moment: Moment) -> PlayheadView { playhead.advanced(from: at, to: moment) }

    /// Whether the playlist marks breaks that no date places: then `breaks` does not have them.
    package var marksUndatedBreaks: Bool {
        findings.contains { $0.finding.rule == SessionRule.markersWithoutDates.rawValue }
    }

    /// How far metadata extends beyond the playhead at `moment`.
    package func coverageAhead(at moment: Moment) -> Duration? {
        dataRange.flatMap { range in playhead(at: moment).date.map { range.upperBound - $0 } }
    }

    /// Whether nothing plays any more: the session has ended, or is over and what it listed has been played. What was not reached until then
    /// is not sent.
    package var playsNoMore: Bool {
        session.phase == .ended || session.phase == .over && playhead.state == .stalled
    }

    /// Media time until the next break starts; nil when none is known or nothing plays any more, zero when it starts.
    package func timeToNextBreak(at moment: Moment) -> Duration? {
        guard !playsNoMore else { return nil }
        return nextBreakStart.flatMap { start in playhead(at: moment).date.map { max(.zero, start - $0) } }
    }

    /// The same snapshot as shown at `moment`.
    package func advanced(to moment: Moment) -> Snapshot {
        var snapshot = self
        snapshot.playhead = playhead(at: moment)
        snapshot.at = moment
        snapshot.coverageAhead = snapshot.coverageAhead(at: moment)
        snapshot.timeToNextBreak = snapshot.timeToNextBreak(at: moment)
        return snapshot
    }
}

extension PlayheadView {
    /// The playhead of `start` at `moment`.
    func advanced(from start: Moment, to moment: Moment) -> PlayheadView {
        let elapsed = moment.uptime - start.uptime
        let wallChange = moment.wall - start.wall
        var view = self
        var played = Duration.zero
        if view.isAdvancing, elapsed > .zero, let stream = view.stream {
            let wanted = Duration(finiteSeconds: elapsed.inSeconds * view.rate) ?? .zero
            let room = view.limitStream.map { max(.zero, $0 - stream) } ?? wanted
            played = min(wanted, room)
            view.stream = stream + played
            view.date = view.date.map { $0 + played }
            view.behindEdge = view.behindEdge.map { $0 - played }
        }
        if let rest = view.interstitialRest, elapsed > .zero {
            played = min(Duration(finiteSeconds: elapsed.inSeconds * view.rate) ?? .zero, rest)
            view.interstitialRest = rest - played
            view.date = view.date.map { $0 + played }
        }
        view.latency = view.latency.map { $0 + wallChange - played }
        // At the end of the stream there is nothing to fall behind of.
        if view.state != .ended { view.drift = view.drift.map { $0 + max(.zero, elapsed) - played } }
        return view
    }
}
