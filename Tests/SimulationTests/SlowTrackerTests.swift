import AdTracking
import DemoOrigin
import Session
import Simulation
import Testing

/// What a person sees who watches `adtop demo --scenario slow-trackers`.
@Suite struct SlowTrackerTests {
    /// An answer after two seconds is one; after seven, the outcome is unknown, and nothing is repeated.
    @Test func theyAreWaitedForAndNotAskedAgain() throws {
        let scenario = try #require(try BuiltinScenarios.load("slow-trackers")).scenario
        var simulator = try Simulator(SimulationPlan(scenario: scenario, span: .seconds(200), seed: 1))
        let isRight = simulator.run(until: .seconds(199))
        #expect(isRight)
        let last = simulator.snapshot()
        let snapshot = try #require(last)
        let answered = snapshot.breaks.flatMap(\.ads).flatMap(\.events).flatMap(\.urls)
            .filter { $0.attempts.first?.exchange != nil }
        let slow = answered.filter { $0.url.contains("&event=midpoint&") || $0.url.hasSuffix("&n=2") }
        #expect(slow.count > 5 && answered.count > 3 * slow.count)
        #expect(slow.allSatisfy { $0.state == .unknown && $0.attempts.count == 1 })
        let others = answered.filter { !slow.contains($0) }
        #expect(others.allSatisfy { $0.state == .acknowledged && $0.attempts.count == 1 })
        #expect(snapshot.counters.retries == 0 && snapshot.counters.beaconsUnknown >= slow.count)
    }
}
