import Fleet
import Monitoring
import Session

/// An agent of a fleet as metrics (docs/metrics.md).
enum FleetMetrics {
    static func render(_ status: FleetStatus) -> String {
        let isUp = status.storeAway == nil && status.leaseLeft != nil
        var writer = MetricsWriter()
        func family(_ name: String, _ type: String, _ help: String, _ value: Int) {
            writer.family("adtop_fleet_\(name)", type, help, [([], "\(value)")])
        }
        family(
            "store_up", "gauge", "Whether the agent has a lease of the store, and its claims are answered.",
            isUp ? 1 : 0)
        family(
            "lease_seconds", "gauge", "Seconds for which the agent may send without another beat.",
            max(0, Int(status.leaseLeft?.components.seconds ?? 0)))
        writer.family(
            "adtop_fleet_viewers", "gauge", "Viewers that the agent has, by what it does with them.",
            status.viewers.sorted { $0.key < $1.key }.map { ([("state", $0.key)], "\($0.value)") })
        writer.histogram(
            "adtop_fleet_claim_seconds", "Time from asking for a claim to its grant.",
            status.claimWaits)
        writer.family(
            "adtop_fleet_claims_total", "counter", "Claims by result.",
            status.counters.claims.sorted { $0.key < $1.key }.map { ([("result", $0.key)], "\($0.value)") })
        family("takes_total", "counter", "Viewers taken.", status.counters.takes)
        family("gives_total", "counter", "Viewers given.", status.counters.gives)
        family("fenced_total", "counter", "How often the agent was fenced.", status.counters.fenced)
        family(
            "spool_bytes", "gauge", "Bytes of outcomes, of what was not sent and of notes that wait.",
            status.load.spoolBytes)
        writer.family(
            "adtop_fleet_spool_dropped_total", "counter", "What was dropped because the spool was full.",
            [
                ([("kind", "outcome")], "\(status.dropped.outcomes)"),
                ([("kind", "unsent")], "\(status.dropped.unsent)"), ([("kind", "note")], "\(status.dropped.notes)"),
            ])
        writer.family(
            "adtop_fleet_store_errors_total", "counter", "Calls to the store that failed, by SQLSTATE.",
            status.counters.storeErrors.sorted { $0.key < $1.key }.map { ([("sqlstate", $0.key)], "\($0.value)") })
        return writer.text
    }
}
