import AdTracking

/// How much a session holds: what a simulation checks to stay within bounds.
package struct StateLoad: Sendable, Hashable {
    /// Requests without an answer.
    package var requests: Int
    /// Beacons sent and not answered.
    package var beaconsInFlight: Int
    /// Claims given to the journal and not on disk.
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
