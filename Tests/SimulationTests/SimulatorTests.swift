import Bidding
import CreativeCache
import DemoOrigin
import Ports
import Session
import Simulation
import Testing

@Suite struct SimulatorTests {
    private static func plan(
        _ scenario: String = "rush", _ faults: FaultProfile = .none, seed: UInt64 = 1, minutes: Int = 4
    ) throws -> SimulationPlan {
        let loaded = try #require(try BuiltinScenarios.load(scenario))
        var plan = SimulationPlan(scenario: loaded.scenario, span: .seconds(60 * minutes), seed: seed)
        plan.faults = faults
        return plan
    }

    private static func run(_ plan: SimulationPlan) throws -> SimulationReport {
        var simulator = try Simulator(plan)
        return simulator.run()
    }

    /// Without faults every beacon that was due and played arrives once.
    @Test(arguments: ["rush", "steady", "dateranges-scte35", "stale-playlist", "low-latency"])
    func allThatIsDueArrives(scenario: String) throws {
        let report = try Self.run(Self.plan(scenario))
        #expect(report.violations.map(\.text) == [])
        let due = report.json["due"]
        #expect((due?["arrived"]?.integerValue ?? 0) > 15)
        for verdict in ["claimed", "notPlayed", "notTold", "lostWithProcess", "missing"] {
            #expect(due?[verdict] == .integer(0), "\(verdict)")
        }
        #expect(report.json["beacons"]?["arrived"] == report.json["beacons"]?["arrivals"])
    }

    @Test func aSeedGivesTheSameToTheByte() throws {
        let plan = try Self.plan("rush", .all, seed: 3)
        #expect(try Self.run(plan).json.text() == Self.run(plan).json.text())
        var other = plan
        other.seed = 4
        #expect(try Self.run(plan).json.text() != Self.run(other).json.text())
    }

    /// Each fault alone, so that a failure identifies its cause.
    @Test(arguments: Fault.allCases) func oneFaultViolatesNothing(fault: Fault) throws {
        let report = try Self.run(Self.plan("rush", FaultProfile(faults: [fault]), seed: 11))
        #expect(report.violations.map(\.text) == [])
        #expect(report.json["recoveries"] == 1)
    }

    /// The best variant is gone during the burst, together with a process that is killed: the session plays the other one,
    /// nothing is lost and nothing is sent twice.
    @Test(arguments: [1, 2, 3] as [UInt64]) func aVariantThatIsGoneCostsNothing(seed: UInt64) throws {
        let alone = try Self.run(Self.plan("rush", FaultProfile(faults: [.variant]), seed: seed))
        #expect(alone.violations.map(\.text) == [])
        #expect((alone.json["faultsInjected"]?["variant"]?.integerValue ?? 0) > 0)
        for verdict in ["claimed", "notPlayed", "notTold", "lostWithProcess", "missing"] {
            #expect(alone.json["due"]?[verdict] == .integer(0), "\(verdict)")
        }
        #expect(alone.json["beacons"]?["arrived"] == alone.json["beacons"]?["arrivals"])
        let killed = try Self.run(Self.plan("rush", FaultProfile(faults: [.variant, .kill]), seed: seed))
        #expect(killed.violations.map(\.text) == [])
    }

    /// 50 seeds of everything at once; `make soak` runs a thousand.
    @Test(arguments: 0..<50 as Range<UInt64>) func allFaultsViolateNothing(seed: UInt64) throws {
        let report = try Self.run(Self.plan("rush", .all, seed: seed))
        let again = "adtop simulate rush --for 4m --seed \(seed) --faults all"
        #expect(report.violations.map(\.text) == [], "again: \(again)")
    }

    /// Simulations that sent a beacon twice, or used the number of a claim twice: damage taught that the name of an ad is a cache buster;
    /// a session whose address needs no request was begun anew without what it had sent.
    @Test(arguments: [
        ("rush", UInt64(366)), ("rush", 465), ("rush", 572), ("rush", 682), ("rush", 715), ("broadpeak", 12),
        ("broadpeak", 42), ("broadpeak", 49),
    ]) func whatOnceFailedHolds(scenario: String, seed: UInt64) throws {
        // The faults of that time: another one draws other random numbers.
        let faults = FaultProfile(faults: FaultProfile.all.faults.subtracting([.session]))
        let report = try Self.run(Self.plan(scenario, faults, seed: seed, minutes: 8))
        #expect(report.violations.map(\.text) == [])
    }

    /// A session that is replaced reports nothing again, although its URLs name another session: alone, and with kills.
    @Test(
        arguments: ["rush", "mediatailor", "dai", "yospace", "vmap-poll", "primetime"], 2..<6 as Range<UInt64>
    )
    func aSessionThatEndsCostsNothingTwice(scenario: String, seed: UInt64) throws {
        for faults: Set<Fault> in [[.session], [.session, .kill]] {
            let plan = try Self.plan(scenario, FaultProfile(faults: faults), seed: seed)
            let report = try Self.run(plan)
            #expect(report.violations.map(\.text) == [], "\(plan.faults.text)")
            #expect((report.json["faultsInjected"]?["session"]?.integerValue ?? 0) > 0)
        }
    }

    /// Beacons that a damaged document described differently, or that no readable document contains, are not missing.
    @Test(arguments: [
        ("rush", UInt64(6559), [Fault.corrupt, .truncated, .reordered, .duplicated, .kill], 8, "claimedOtherwise"),
        ("sprint", 1, [.corrupt, .truncated], 4, "notTold"),
    ])
    func damagedDocumentsExplainBeacons(
        scenario: String, seed: UInt64, damage: [Fault], minutes: Int, verdict: String
    ) throws {
        let faults = FaultProfile(faults: Set(damage))
        let report = try Self.run(Self.plan(scenario, faults, seed: seed, minutes: minutes))
        #expect(report.violations.map(\.text) == [])
        #expect(report.json["due"]?[verdict]?.integerValue ?? 0 > 0)
    }

    /// Auction, ad spaces and cache beside the stream, used by a person, with all faults.
    @Test(arguments: 0..<10 as Range<UInt64>) func allPartsViolateNothing(seed: UInt64) throws {
        var plan = try Self.plan("rush", seed % 2 == 0 ? .all : .none, seed: seed)
        plan.parts = Set(SimulationPart.allCases)
        let report = try Self.run(plan)
        let again = "adtop simulate rush --for 4m --seed \(seed) --faults \(plan.faults.text) --with all"
        #expect(report.violations.map(\.text) == [], "again: \(again)")
    }

    /// Viewers that request their own ads, and viewers of interstitials.
    @Test(
        arguments: ["client-side", "interstitials", "late-metadata", "flaky-trackers", "cut-pods"],
        5..<8 as Range<UInt64>)
    func allPartsViolateNothingElsewhere(scenario: String, seed: UInt64) throws {
        var plan = try Self.plan(scenario, .all, seed: seed)
        plan.parts = Set(SimulationPart.allCases)
        #expect(try Self.run(plan).violations.map(\.text) == [])
    }

    /// The parts are active: bids, ad calls and notices reach the origin with their bodies.
    @Test func partsAreUsed() throws {
        var plan = try Self.plan()
        plan.parts = Set(SimulationPart.allCases)
        plan.isRecorded = true
        var replay = Replay(try #require(try Self.run(plan).recording))
        replay.move(to: replay.count)
        let snapshot = replay.snapshot()
        #expect(snapshot.auction?.result?.winner != nil)
        #expect(snapshot.formats?.slots.contains { !$0.reports.isEmpty } == true)
        #expect(snapshot.cache?.count ?? 0 > 0)
        #expect(snapshot.cache?.evicted ?? 0 > 0)
    }

    @Test func manyViewersAreManySessions() throws {
        var plan = try Self.plan()
        plan.viewers = 5
        let report = try Self.run(plan)
        let one = try Self.run(Self.plan())
        #expect(report.violations.map(\.text) == [])
        #expect(report.arrivedBeacons > 4 * one.arrivedBeacons)
    }
}
