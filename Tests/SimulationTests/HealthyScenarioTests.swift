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

    /// A session on a scenario. No scenario violates anything, whether it is healthy or not.
    private func snapshot(_ name: String, after span: Duration) throws -> Snapshot {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        var simulator = try Simulator(SimulationPlan(scenario: scenario, span: span + .seconds(1), seed: 1))
        let isRight = simulator.run(until: span)
        #expect(isRight)
        let snapshot = simulator.snapshot()
        let report = simulator.run()
        #expect(report.violations.map(\.text) == [])
        #expect(report.steps > 20)
        return try #require(snapshot)
    }

    /// A scenario stays an exception only as long as it shows something.
    @Test(arguments: unhealthy.keys.sorted())
    func everyExceptionHasAFinding(name: String) throws {
        #expect(try !snapshot(name, after: .seconds(300)).findings.isEmpty, "\(Self.unhealthy[name] ?? "")")
    }

    /// What the first row has its words from (D3): a stream full of errors is not all well because its beacons arrive.
    @Test(arguments: [("late-metadata", true), ("odd-metadata", true), ("low-latency", false)])
    func errorsOfTheMetadataAreInTheVerdict(name: String, isWrong: Bool) throws {
        let problems = Verdict(try snapshot(name, after: .seconds(180))).problems
        let hasErrors = problems.contains { problem in
            if case .findings(let errors, _) = problem { errors > 0 } else { false }
        }
        #expect(hasErrors == isWrong, "\(problems)")
    }

    @Test(arguments: healthy)
    func tenMinutesHaveNoFinding(name: String) throws {
        let findings = try snapshot(name, after: .seconds(600)).findings
        #expect(findings.map { "\($0.count)x \($0.finding.rule) \($0.finding.message)" } == [])
    }
}
