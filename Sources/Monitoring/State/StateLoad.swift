import AdTracking

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
}

extension MonitorState {
    package var load: StateLoad {
        StateLoad(
            requests: requests.count, beaconsInFlight: beacons.inFlight.count, unwrittenClaims: beacons.unwritten.count,
            breaks: tracker?.book.breaks.count ?? 0, logLines: log.view.count, findings: findings.count)
    }
}
