import AdTracking
import HLS
package import Ports

extension SessionHealth {
    /// The health of the session at `now`, which must not precede the last input.
    /// - Parameter countsEvents: whether each event is counted in its present state, as snapshots do, and not in that of
    ///   its URLs alone, which is cheap.
    package init(_ state: MonitorState, at now: Moment, countsEvents: Bool = false) {
        let reading = state.playhead.reading(on: state.playlist.follower.timeline)
        let view = state.playheadView(reading).advanced(from: state.playhead.now ?? now, to: now)
        let book = state.tracker?.book.breaks ?? []
        let alone = state.join.result.alone.count
        let events = countsEvents ? state.tracker?.statusCounts() : state.tracker?.ledger.stateCounts
        self.init(
            at: now, name: state.name, mediaURL: state.configuration.mediaURL.text, phase: state.phase,
            mode: state.desk.mode,
            kind: state.playlist.kind,
            playhead: view.state,
            latency: view.latency, isOnAir: state.air.current.breakID != nil, breaks: book.count + alone,
            ads: book.reduce(0) { $0 + $1.ads.count }, playlist: state.playlist.record.health,
            metadata: state.metadata.record.health, events: events ?? [:],
            counters: state.desk.counters,
            deliveries: state.desk.deliveries, findings: state.desk.findings.counts,
            worstFinding: state.desk.findings.worst, latestError: state.desk.errors.latest,
            sessionProblem: state.desk.opening?.clause ?? state.session.problem,
            holdBack: state.playlist.follower.timeline.holdBack,
            recent: Recent(
                hour: state.desk.activity.hour(at: now), minute: state.desk.activity.minute(at: now),
                failure: state.desk.failedBeacon),
            isOpening: state.desk.opening?.isEmpty == false,
            sendsToLoopbackOnly: state.desk.sendsToLoopbackOnly)
        counters.noteEarlier(state.tracker?.ledger)
    }
}
