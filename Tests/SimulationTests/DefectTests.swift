import DemoOrigin
import Ports
import Testing

@testable import Simulation

/// A simulation without violations is meaningful only if it finds real ones: each invariant is tested against a
/// monitor, a journal or a session that violates it.
@Suite struct DefectTests {
    private static func violations(
        of defect: Defect?, _ faults: Set<Fault> = [], minutes: Int = 4, in scenario: String = "rush",
        _ change: (inout SimulationPlan) throws -> Void = { _ in }
    ) throws -> [String] {
        let scenario = try #require(try BuiltinScenarios.load(scenario)).scenario
        var plan = SimulationPlan(scenario: scenario, span: .seconds(60 * minutes), seed: 1)
        plan.faults = FaultProfile(faults: faults)
        plan.defect = defect
        try change(&plan)
        var simulator = try Simulator(plan)
        return simulator.run().violations.map(\.message)
    }

    @Test func aBeaconThatIsSentTwiceIsFound() throws {
        let found = try Self.violations(of: .sendsTwice)
        #expect(found.contains { $0.hasSuffix("was sent twice before it was answered") }, "\(found)")
    }

    @Test func aBeaconSentBeforeItsClaimIsOnDiskIsFound() throws {
        let found = try Self.violations(of: .sendsBeforeWriting)
        #expect(found.contains { $0.contains(" was sent before its claim ") }, "\(found)")
    }

    /// Faults that lose answers make sent beacons unknown; kills then cause them to be sent again.
    @Test func aJournalThatForgetsIsFound() throws {
        let scenario = try #require(try BuiltinScenarios.load("rush")).scenario
        var plan = SimulationPlan(scenario: scenario, span: .seconds(30), seed: 1)
        plan.patience = KillSweep.patience
        plan.defect = .forgetsJournal
        var sweep = KillSweep(plan)
        try sweep.run()
        let found = sweep.failure?.violations.map(\.message) ?? []
        #expect(found.contains { $0.contains(" was sent again ") }, "\(found)")
        #expect(sweep.failure?.plan.death != nil)
    }

    @Test(arguments: [Defect.sendsTwice, .forgetsJournal]) func aPingThatIsSentAgainIsFound(_ defect: Defect) throws {
        let found = try Self.violations(of: defect, [.kill]) {
            $0.scenario = try #require(try BuiltinScenarios.load("uplynk-pings")).scenario
        }
        #expect(found.contains { $0.contains("/session/ping/") && $0.contains(" was sent ") }, "\(found)")
    }

    @Test func aBeaconThatIsNeitherSentNorExplainedIsFound() throws {
        let found = try Self.violations(of: .losesClaims)
        #expect(found.contains { $0.contains(" was played, and neither sent nor explained") }, "\(found)")
    }

    /// The ids were in segments that the session got.
    @Test func mediaIDsThatAreNotVerifiedAreFound() throws {
        let found = try Self.violations(of: .losesMediaIDs, in: "dai")
        #expect(
            found.contains { $0.contains("/media/google_") && $0.hasSuffix("neither sent nor explained") }, "\(found)")
    }

    /// The first record of the ad was in a segment that the session got, and its break in a document.
    @Test func recordsThatPlaceNothingAreFound() throws {
        let found = try Self.violations(of: .losesMediaIDs, in: "yospace")
        #expect(
            found.contains { $0.contains("/beacon/yospace?") && $0.hasSuffix("neither sent nor explained") }, "\(found)"
        )
    }

    @Test(arguments: [Defect.sendsTwice, .losesClaims]) func defectsOfOtherSessionsAreFound(_ defect: Defect) throws {
        let found = try Self.violations(of: defect, in: "yospace")
        #expect(
            found.contains { $0.contains(defect == .sendsTwice ? " was sent twice" : " neither sent nor explained") },
            "\(found)")
    }

    @Test func aBeaconBeforeItsMomentIsFound() throws {
        let found = try Self.violations(of: .sendsEarly)
        #expect(found.contains { $0.hasSuffix(" ms before its moment") }, "\(found)")
    }

    @Test func aStateThatGoesBackIsFound() throws {
        let found = try Self.violations(of: .goesBack)
        #expect(found.contains { $0.hasPrefix("the total of ") && $0.contains(" fell from ") }, "\(found)")
        #expect(found.contains { $0.hasPrefix("playback went back by ") }, "\(found)")
    }

    @Test func aSessionThatDoesNotRecoverIsFound() throws {
        let found = try Self.violations(of: .losesAnswers, [.slow])
        #expect(found.contains { $0.hasSuffix(" long after the server recovered") }, "\(found)")
    }

    @Test func memoryThatGrowsIsFound() throws {
        let found = try Self.violations(of: nil) { $0.limits.breaks = 6 }
        #expect(found == ["7 breaks are kept"])
    }

    @Test func withoutADefectNothingIsFound() throws {
        #expect(try Self.violations(of: nil) == [])
    }
}
