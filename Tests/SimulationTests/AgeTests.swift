import DemoOrigin
import Ports
import Session
import Simulation
import Testing

/// A session holds what its window and its retention need, and no more with age. The retention is a minute here, so that
/// an hour is as long as five days are for a session with the default.
@Suite struct AgeTests {
    private static func simulator(_ name: String, every: Int?) throws -> Simulator {
        var scenario = try #require(try BuiltinScenarios.load(name)).scenario
        if let every { scenario.breaks?.everyMs = every }
        var plan = SimulationPlan(scenario: scenario, span: .seconds(3_600), seed: 1)
        plan.keep = .seconds(60)
        return try Simulator(plan)
    }

    @Test(arguments: [("rush", nil), ("interstitials", 60_000), ("dateranges-scte35", nil)] as [(String, Int?)])
    func nothingGrowsWithAge(scenario: String, every: Int?) throws {
        var simulator = try Self.simulator(scenario, every: every)
        var loads: [StateLoad] = []
        for minute in stride(from: 10, through: 60, by: 5) {
            let isRight = simulator.run(until: .seconds(minute * 60))
            #expect(isRight)
            loads.append(try #require(simulator.load))
        }
        let bounds: [(String, KeyPath<StateLoad, Int>, Int)] = [
            ("breaks", \.breaks, 20), ("beacons", \.knownBeacons, 2_000), ("remembered", \.rememberedBeacons, 1_100),
            ("interstitials", \.interstitials, 10), ("markers", \.markers, 20), ("ranges", \.playedRanges, 16),
            ("creatives", \.creatives, 0), ("findings", \.findings, 50),
        ]
        for (name, path, bound) in bounds {
            let counts = loads.map { $0[keyPath: path] }
            #expect(counts.allSatisfy { $0 <= bound }, "\(scenario), \(name): \(counts)")
        }
    }
}
