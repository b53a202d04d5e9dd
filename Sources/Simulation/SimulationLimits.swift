import Ports
package import Session

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
    /// Ten URLs for each of the events of so many breaks.
    package var knownBeacons = 50_000
    package var rememberedBeacons = 20_000
    package var interstitials = 500
    package var markers = 1_000
    package var creatives = 2_000
    package var playedRanges = 4_096

    package init() {}

    /// The values beyond the limits, one clause each.
    package func problems(in load: StateLoad) -> [String] {
        let bounds: [(Int, Int, String)] = [
            (load.requests, requests, "requests are open"),
            (load.beaconsInFlight, beaconsInFlight, "beacons are in flight"),
            (load.unwrittenClaims, unwrittenClaims, "claims wait for the journal"),
            (load.breaks, breaks, "breaks are kept"), (load.logLines, logLines, "log lines are kept"),
            (load.findings, findings, "findings are kept"), (load.knownBeacons, knownBeacons, "beacons are known"),
            (load.rememberedBeacons, rememberedBeacons, "beacons are remembered"),
            (load.interstitials, interstitials, "interstitials are kept"), (load.markers, markers, "markers are kept"),
            (load.creatives, creatives, "creatives are kept"),
            (load.playedRanges, playedRanges, "played ranges are kept"),
        ]
        return bounds.filter { $0.0 > $0.1 }.map { "\($0.0) \($0.2)" }
    }
}
