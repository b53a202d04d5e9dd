import AdTracking
import HLS

/// The size of a session's state, for the bounds that a simulation checks.
package struct StateLoad: Sendable, Hashable {
    /// Number of requests in flight.
    package var requests: Int
    /// Number of beacons sent and not answered.
    package var beaconsInFlight: Int
    /// Number of claims passed to the journal and not on disk.
    package var unwrittenClaims: Int
    package var breaks: Int
    package var logLines: Int
    package var findings: Int
    /// Number of beacons known to the ledger: those of listed events, and those remembered of events that are gone.
    package var knownBeacons = 0
    package var rememberedBeacons = 0
    package var interstitials = 0
    /// Number of breaks known from markers of the playlist.
    package var markers = 0
    /// Number of creatives of requested ads.
    package var creatives = 0
    package var playedRanges = 0
}

extension StateLoad {
    package init(_ state: borrowing MonitorState) {
        self.init(
            requests: state.desk.requests.count, beaconsInFlight: state.desk.beacons.inFlight.count,
            unwrittenClaims: state.desk.beacons.unwritten.count, breaks: state.tracker?.book.breaks.count ?? 0,
            logLines: state.desk.log.view.count, findings: state.desk.findings.count)
        knownBeacons = state.tracker?.ledger.knownBeacons ?? 0
        rememberedBeacons = state.tracker?.ledger.rememberedBeacons ?? 0
        interstitials = state.playhead.interstitials.entries.count
        markers = state.playlist.follower.breaks.breaks.count
        creatives = state.decisions.creatives.count
        playedRanges = state.tracker?.played.ranges.count ?? 0
    }
}
