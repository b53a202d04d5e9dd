import AdTracking
import HLS
package import Ports

extension MonitorState {
    /// The health of the session at `now`, which must not precede the last input.
    package func health(at now: Moment) -> SessionHealth {
        let reading = playhead.reading(on: playlist.follower.timeline)
        let view = playheadView(reading).advanced(from: playhead.now ?? now, to: now)
        let book = tracker?.book.breaks ?? []
        let alone = join.result.alone.count
        return SessionHealth(
            at: now, name: name, mediaURL: configuration.mediaURL.text, phase: phase, mode: mode,
            kind: playlist.follower.timeline.playlist.map(PlaylistView.Kind.init) ?? .unknown, playhead: view.state,
            latency: view.latency, isOnAir: air.current.breakID != nil, breaks: book.count + alone,
            ads: book.reduce(0) { $0 + $1.ads.count }, playlist: playlist.record.health,
            metadata: metadata.record.health, events: tracker?.ledger.stateCounts ?? [:], counters: counters,
            deliveries: deliveries, findings: findings.counts, latestError: errors.latest,
            sessionProblem: session.problem)
    }
}
