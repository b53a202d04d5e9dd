import DemoOrigin
import Ports
import Session
import Simulation
import Testing

@Suite struct KillSweepTests {
    private static func plan(_ scenario: String, seconds: Int, seed: UInt64 = 3) throws -> SimulationPlan {
        let scenario = try #require(try BuiltinScenarios.load(scenario)).scenario
        var plan = SimulationPlan(scenario: scenario, span: .seconds(seconds), seed: seed)
        plan.patience = KillSweep.patience
        return plan
    }

    /// From the first request over a whole break: every effect of every input, every number of unwritten batches.
    @Test func aKillAtAnyPointNeitherDoublesNorLosesBeacons() throws {
        var sweep = KillSweep(try Self.plan("rush", seconds: 30))
        try sweep.run()
        #expect(sweep.failure?.violations.map(\.text) ?? [] == [], "--kill-at \(sweep.failure?.plan.death?.text ?? "")")
        #expect(sweep.deaths > 200)
    }

    /// The point that a sweep reports is the point at which `--kill-at` kills.
    @Test func aKillCanBeRepeated() throws {
        var plan = try Self.plan("rush", seconds: 30)
        plan.defect = .forgetsJournal
        var sweep = KillSweep(plan)
        try sweep.run()
        let failure = try #require(sweep.failure)
        plan.death = failure.plan.death
        #expect(plan.death != nil)
        var again = try Simulator(plan)
        #expect(again.run().violations == failure.violations)
        #expect(!failure.violations.isEmpty)
    }

    @Test(arguments: ["57:2:1", "0:0:0"]) func aKillPointRoundTripsThroughText(text: String) throws {
        #expect(try #require(Death(text)).text == text)
    }

    @Test(arguments: ["", "1:2", "1:2:-3", "1:2:3:4", "a:1:1", "1::1"]) func otherTextIsNotAKillPoint(text: String) {
        #expect(Death(text) == nil)
    }
}
