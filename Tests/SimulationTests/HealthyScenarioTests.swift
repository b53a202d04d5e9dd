import AdTracking
import DemoOrigin
import Ports
import Session
import Simulation
import Testing

/// A healthy stream has no findings: one that is false makes a reader doubt all others.
@Suite struct HealthyScenarioTests {
    /// Scenarios in which nothing is wrong. Those of `unhealthy` show a fault on purpose, or need other settings than the
    /// default ones.
    private static let healthy = BuiltinScenarios.names.filter { unhealthy[$0] == nil }

    /// What is wrong in the others.
    private static let unhealthy = [
        "late-metadata": "metadata follows playback", "flaky-trackers": "trackers fail",
        "odd-metadata": "documents with faults", "expiring-session": "the server ends sessions",
        "missing-variant": "a variant is missing",
        "interstitials": "lists that fail or are empty", "dateranges-scte35": "every second marker is off",
        "stale-playlist": "the playlist stops", "pdt-jumps": "dates jump", "moved-ads": "times change",
        "changing-ids": "ids change", "two-instances": "two servers disagree", "slow-trackers": "trackers are slow",
        "reruns": "ads share beacon URLs", "cut-pods": "breaks end early", "sprint": "has to be polled every 500 ms",
        "client-sprint": "nearly as fast as a session can follow",
        "mediatailor-server": "a note says that the service reports",
        "uplynk-pings": "a note says that the service reports",
    ]

    @Test func everyExceptionIsAScenario() {
        #expect(Set(Self.unhealthy.keys).subtracting(BuiltinScenarios.names) == [])
        #expect(
            Self.healthy.contains("rush") && Self.healthy.contains("low-latency") && Self.healthy.contains("steady")
                && Self.healthy.contains("plain-cues"))
    }

    @Test(arguments: healthy)
    func tenMinutesHaveNoFinding(name: String) throws {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        var simulator = try Simulator(SimulationPlan(scenario: scenario, span: .seconds(601), seed: 1))
        let isRight = simulator.run(until: .seconds(600))
        #expect(isRight)
        let snapshot = simulator.snapshot()
        let findings = try #require(snapshot).findings
        #expect(findings.map { "\($0.count)x \($0.finding.rule) \($0.finding.message)" } == [])
    }
}
