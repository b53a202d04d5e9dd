package import Monitoring
import Ports

/// Limits on the state of a session.
package struct SimulationLimits: Sendable, Hashable {
    /// Playlist, metadata, steering, asset lists, tags, bidders and ad calls.
    package var requests = 40
    package var beaconsInFlight = Limits.beaconsInFlight
    package var unwrittenClaims = Limits.beaconQueue
    /// Two hours with a break every half minute, and the same again.
    package var breaks = 500
    /// The log drops whole chunks.
    package var logLines = Limits.logLines + 512
    package var findings = 200

    package init() {}

    /// The values beyond the limits, one clause each.
    package func problems(in load: StateLoad) -> [String] {
        guard
            load.requests > requests || load.beaconsInFlight > beaconsInFlight
                || load.unwrittenClaims > unwrittenClaims || load.breaks > breaks || load.logLines > logLines
                || load.findings > findings
        else { return [] }
        let bounds: [(Int, Int, String)] = [
            (load.requests, requests, "requests are open"),
            (load.beaconsInFlight, beaconsInFlight, "beacons are in flight"),
            (load.unwrittenClaims, unwrittenClaims, "claims wait for the journal"),
            (load.breaks, breaks, "breaks are kept"), (load.logLines, logLines, "log lines are kept"),
            (load.findings, findings, "findings are kept"),
        ]
        return bounds.filter { $0.0 > $0.1 }.map { "\($0.0) \($0.2)" }
    }
}
