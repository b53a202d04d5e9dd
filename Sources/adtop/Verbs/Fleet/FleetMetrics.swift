import Fleet
import Monitoring

/// An agent of a fleet as metrics in the text format of Prometheus 0.0.4 (docs/metrics.md).
enum FleetMetrics {
    static func render(_ status: FleetStatus) -> String {
        let isUp = status.storeAway == nil && status.leaseLeft != nil
        var text = family(
            "adtop_fleet_store_up", "gauge", "Whether the agent has a lease of the store.", [("", isUp ? 1 : 0)])
        text += family(
            "adtop_fleet_lease_seconds", "gauge", "Seconds for which the agent may send without another beat.",
            [("", max(0, Int(status.leaseLeft?.components.seconds ?? 0)))])
        text += family("adtop_fleet_viewers", "gauge", "Viewers that the agent has.", [("", status.holding)])
        text += family(
            "adtop_fleet_claims_total", "counter", "Claims by result.",
            status.counters.claims.sorted { $0.key < $1.key }.map { ("{result=\"\($0.key)\"}", $0.value) })
        text += family("adtop_fleet_takes_total", "counter", "Viewers taken.", [("", status.counters.takes)])
        text += family("adtop_fleet_gives_total", "counter", "Viewers given.", [("", status.counters.gives)])
        text += family(
            "adtop_fleet_fenced_total", "counter", "How often the agent was fenced.", [("", status.counters.fenced)])
        text += family(
            "adtop_fleet_spool", "gauge", "Outcomes that wait for the store.", [("", status.load.spool)])
        return text
            + family(
                "adtop_fleet_store_errors_total", "counter", "Calls to the store that failed.",
                [("", status.counters.storeErrors)])
    }

    private static func family(_ name: String, _ kind: String, _ help: String, _ samples: [(String, Int)]) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
            + samples.map { "\(name)\($0.0) \($0.1)\n" }.joined()
    }
}
