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

extension MonitorState {
    package var load: StateLoad {
        var load = StateLoad(
            requests: requests.count, beaconsInFlight: beacons.inFlight.count, unwrittenClaims: beacons.unwritten.count,
            breaks: tracker?.book.breaks.count ?? 0, logLines: log.view.count, findings: findings.count)
        load.knownBeacons = tracker?.ledger.knownBeacons ?? 0
        load.rememberedBeacons = tracker?.ledger.rememberedBeacons ?? 0
        load.interstitials = playhead.interstitials.entries.count
        load.markers = playlist.follower.breaks.breaks.count
        load.creatives = decisions.creatives.count
        load.playedRanges = tracker?.played.ranges.count ?? 0
        return load
    }
}
