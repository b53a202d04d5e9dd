import Fleet
import Session
import Testing

@testable import Monitoring
@testable import adtop

@Suite struct FleetMetricsTests {
    @Test func anAgentHasItsMetrics() {
        var status = FleetStatus(
            name: "a1", incarnation: 4, holding: 3, isDraining: false, isFiring: true, leaseLeft: .seconds(6),
            load: AgentLoad(queue: 0, spoolBytes: 2, failing: 0), viewers: ["following": 2, "giving": 1, "reading": 0])
        status.dropped = SpoolCount(outcomes: 1, unsent: 4, notes: 6)
        status.counters.claims = ["granted": 5, "taken": 1]
        status.counters.storeErrors = ["08006": 2]
        (status.counters.takes, status.counters.gives, status.counters.fenced) = (7, 8, 9)
        status.claimWaits = DelayHistogram(bounds: [.milliseconds(5), .milliseconds(10)])
        status.claimWaits.add(.milliseconds(7))
        status.claimWaits.add(.milliseconds(70))
        let text = FleetMetrics.render(status)
        for line in [
            "adtop_fleet_store_up 1", "adtop_fleet_lease_seconds 6", #"adtop_fleet_viewers{state="following"} 2"#,
            #"adtop_fleet_viewers{state="reading"} 0"#, "# TYPE adtop_fleet_claim_seconds histogram",
            #"adtop_fleet_claim_seconds_bucket{le="0.005"} 0"#, #"adtop_fleet_claim_seconds_bucket{le="0.01"} 1"#,
            #"adtop_fleet_claim_seconds_bucket{le="+Inf"} 2"#, "adtop_fleet_claim_seconds_sum 0.077",
            "adtop_fleet_claim_seconds_count 2", #"adtop_fleet_claims_total{result="granted"} 5"#,
            #"adtop_fleet_store_errors_total{sqlstate="08006"} 2"#, "adtop_fleet_spool_bytes 2",
            "# TYPE adtop_fleet_takes_total counter", "adtop_fleet_takes_total 7", "adtop_fleet_gives_total 8",
            "adtop_fleet_fenced_total 9", #"adtop_fleet_spool_dropped_total{kind="outcome"} 1"#,
            #"adtop_fleet_spool_dropped_total{kind="unsent"} 4"#, #"adtop_fleet_spool_dropped_total{kind="note"} 6"#,
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
    }

    /// Without a lease nothing is sent, whatever the store answers.
    @Test func withoutALeaseTheStoreIsDown() {
        let status = FleetStatus(
            name: "a1", holding: 0, isDraining: false, isFiring: true, storeAway: .seconds(9), load: AgentLoad())
        #expect(FleetMetrics.render(status).contains("\nadtop_fleet_store_up 0\n"))
    }
}
