import Testing

@testable import DemoOrigin

/// What `adtop demo` shows without a choice.
@Suite struct FirstRunTests {
    @Test func anAdIsOnAirRightAfterTheJoinAndOneOfItsBeaconsFails() throws {
        let scenario = try #require(try BuiltinScenarios.firstRun())
        let stream = LiveStream(scenario: scenario, seed: 1, startMs: tenOClockMs)
        // A viewer starts 6 s behind the live edge; the network has two more seconds.
        let plan = stream.plan(session: "s", fromMs: tenOClockMs - 6_000, toMs: tenOClockMs + 2_000, joins: true)
        let failing = plan.filter { beacon in
            scenario.beacons.contains { $0.event == beacon.event && beacon.adId.hasPrefix("\($0.ad ?? "")-") }
        }
        #expect(plan.first.map { $0.atMs - tenOClockMs } == -2_000)
        #expect(failing.map(\.event) == ["firstQuartile"])
        #expect(plan.count { $0.atMs < failing[0].atMs } >= 2, "some are green before one fails")
    }

    @Test func theScenarioOfThatNameIsNotChanged() throws {
        #expect(try BuiltinScenarios.load("rush")?.scenario.beacons.isEmpty == true)
        #expect(BuiltinScenarios.summaries.map(\.name) == BuiltinScenarios.names)
        #expect(BuiltinScenarios.summaries.allSatisfy { $0.summary.hasSuffix(".") })
    }
}
