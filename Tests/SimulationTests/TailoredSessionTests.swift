import DemoOrigin
import Ports
import Simulation
import Testing

/// Sessions with times in seconds and tracking data in pages, with faults: answers that are lost, damaged, late and repeated,
/// processes that are killed.
@Suite struct TailoredSessionTests {
    private static func run(_ name: String, _ faults: FaultProfile, seed: UInt64, span: Duration = .seconds(240)) throws
        -> SimulationReport
    {
        let scenario = try #require(try BuiltinScenarios.load(name)).scenario
        var plan = SimulationPlan(scenario: scenario, span: span, seed: seed)
        plan.faults = faults
        var simulator = try Simulator(plan)
        return simulator.run()
    }

    @Test func allThatIsDueArrives() throws {
        let report = try Self.run("mediatailor", .none, seed: 1)
        #expect(report.violations.map(\.text) == [])
        let due = report.json["due"]
        #expect((due?["arrived"]?.integerValue ?? 0) > 15)
        for verdict in ["claimed", "notPlayed", "notTold", "lostWithProcess", "missing"] {
            #expect(due?[verdict] == .integer(0), "\(verdict)")
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func faultsLoseAndDoubleNothing(seed: UInt64) throws {
        let report = try Self.run("mediatailor", .all, seed: seed)
        #expect(report.violations.map(\.text) == [])
    }

    /// Pages whose server makes everything new with each answer: what leaves a page is mostly over, and not what comes next.
    @Test(
        arguments: ["mediatailor", "broadpeak", "primetime", "vmap-poll", "uplynk", "dai", "yospace"],
        1...4 as ClosedRange<UInt64>)
    func changingPagesLoseAndDoubleNothing(_ name: String, _ seed: UInt64) throws {
        let report = try Self.run(name, FaultProfile(faults: [.ids, .starts, .busters]), seed: seed)
        #expect(report.violations.map(\.text) == [])
        let killed = try Self.run(name, FaultProfile(faults: [.kill, .ids, .starts, .busters, .tokens]), seed: seed)
        #expect(killed.violations.map(\.text) == [])
    }

    @Test(arguments: ["mediatailor-server", "uplynk-pings"], 1...3 as ClosedRange<UInt64>)
    func whatTheServiceReportsIsNeverSent(_ name: String, _ seed: UInt64) throws {
        let report = try Self.run(name, .all, seed: seed)
        #expect(report.violations.map(\.text) == [])
        #expect(report.json["beacons"]?["arrivals"] == 0)
    }

    /// A process joins at the end of a truncated playlist and plays a break from before the first one joined. Its creative
    /// has fixed URLs, so they arrive for that break, too.
    @Test func aBreakOfBeforeTheJoinIsNoRepetition() throws {
        let report = try Self.run("uplynk", .all, seed: 159)
        #expect(report.violations.map(\.text) == [])
    }

    /// The name of the address of verifications is damaged in the answer that opens the session: nothing can be verified.
    @Test func withoutItsAddressNothingIsVerified() throws {
        let report = try Self.run("dai", .all, seed: 168)
        #expect(report.violations.map(\.text) == [])
    }

    /// The server rejects the playlist of a session and names it again, while nothing may be sent: that answer has the ads.
    @Test func adsOfASessionThatIsNamedAgainAreKnown() throws {
        let report = try Self.run("uplynk", .all, seed: 15, span: .seconds(300))
        #expect(report.violations.map(\.text) == [])
    }

    /// The line of the first variant arrives damaged, and the address of the second one, a playlist for ever, is asked for tracking data:
    /// the session is replaced (TRK-32).
    @Test func aPlaylistInPlaceOfTrackingDataEndsTheSession() throws {
        let report = try Self.run("primetime", .all, seed: 80, span: .seconds(480))
        #expect(report.violations.map(\.text) == [])
    }

    // MARK: Pings

    /// Kills, lost answers and journals in trouble: no ping arrives a second time.
    @Test(arguments: ["uplynk", "uplynk-pings"], 1...2 as ClosedRange<UInt64>)
    func noPingIsRepeated(_ name: String, _ seed: UInt64) throws {
        let report = try Self.run(name, .none, seed: seed)
        #expect(report.violations.map(\.text) == [])
        #expect((report.json["beacons"]?["pings"]?.integerValue ?? 0) > 40)
        let killed = try Self.run(name, FaultProfile(faults: [.kill, .never, .reset, .journal]), seed: seed)
        #expect(killed.violations.map(\.text) == [])
    }

    // MARK: Other providers

    private static let others = ["broadpeak", "primetime", "vmap-poll", "svta", "uplynk", "dai", "yospace"]

    @Test(arguments: others) func allThatIsDueArrivesFromOthers(_ name: String) throws {
        let report = try Self.run(name, .none, seed: 1)
        #expect(report.violations.map(\.text) == [])
        #expect((report.json["beacons"]?["arrivals"]?.integerValue ?? 0) > 15)
    }

    @Test(arguments: others, 1...4 as ClosedRange<UInt64>)
    func faultsLoseAndDoubleNothingOfOthers(_ name: String, _ seed: UInt64) throws {
        let report = try Self.run(name, .all, seed: seed)
        #expect(report.violations.map(\.text) == [])
    }
}
