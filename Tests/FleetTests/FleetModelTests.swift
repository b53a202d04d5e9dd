import Fleet
import Foundation
import Testing

/// Store, agents and faults on a virtual clock. `ADTOP_FLEET_SEEDS` is the number of seeds (default 60).
@Suite struct FleetModelTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["ADTOP_FLEET_SEEDS"].flatMap { UInt64($0) }.map { max(1, $0) } ?? 60

    private static func run(_ seed: UInt64, without removed: Set<FleetGuard> = [], faults: Bool = true) -> FleetModel {
        run(FleetPlan(seed: seed, hasFaults: faults, removed: removed))
    }

    private static func run(_ plan: FleetPlan) -> FleetModel {
        var model = FleetModel(plan)
        model.run()
        return model
    }

    @Test func nothingIsSentTwiceWhateverFails() {
        var faults: [FleetFault: Int] = [:]
        for seed in 1...Self.seeds {
            let model = Self.run(seed)
            #expect(model.violations == [], "seed \(seed) at \(model.now)")
            faults.merge(model.faults, uniquingKeysWith: +)
        }
        if Self.seeds >= 60 { #expect(Set(faults.keys) == Set(FleetFault.usual)) }
    }

    /// Outages of many leases, and agents that end in order while calls are under way. When all is well again is not asked here.
    @Test func nothingIsSentTwiceInLongOutages() {
        var ends = 0
        for seed in 1...Self.seeds {
            let model = Self.run(FleetPlan(seed: seed, kinds: FleetFault.allCases, areOutagesLong: true))
            #expect(model.violations.filter { !$0.hasSuffix("is missing") } == [], "seed \(seed) at \(model.now)")
            ends += model.faults[.end] ?? 0
        }
        if Self.seeds >= 60 { #expect(ends > 0) }
    }

    @Test func withoutFaultsEveryBeaconArrivesOnce() {
        let model = Self.run(1, faults: false)
        #expect(model.violations == [])
        let settled = (10..<130).flatMap { index in (1...3).map { Substring("\($0)/\(index)") } }
        #expect(settled.allSatisfy { model.arrivals[$0] == 1 })
    }

    /// What becomes due while nobody follows a viewer, because its agent was killed or gave it, is claimed by the successor (FLT-15): from the
    /// playhead that was saved last on, and no beacon twice.
    @Test(arguments: [[FleetFault.kill], [.kill, .drain]]) func killsCostNoBeacon(_ kinds: [FleetFault]) {
        var kills = 0
        for seed in 1...Self.seeds {
            let model = Self.run(FleetPlan(seed: seed, kinds: kinds, resumes: true))
            #expect(model.violations == [], "seed \(seed) at \(model.now)")
            #expect(model.lost(20..<120) == [], "seed \(seed)")
            kills += model.faults[.kill] ?? 0
        }
        #expect(kills > 0)
    }

    /// Each guard is needed: without it a beacon arrives twice, or an agent does not know its own claim.
    @Test(arguments: FleetGuard.allCases) func aRemovedGuardIsFound(removed: FleetGuard) {
        let missing: Set<FleetGuard> = removed == .ownClaimOnly ? [removed, .ownershipCheck] : [removed]
        let found = (1...UInt64(1_000)).first { seed in
            Self.run(seed, without: missing).violations.contains { !$0.hasSuffix("is missing") }
        }
        #expect(found != nil, "\(removed.rawValue)")
    }

    @Test func theSameSeedGivesTheSameRun() {
        let (one, other) = (Self.run(7), Self.run(7))
        #expect(one.arrivals == other.arrivals)
        #expect(one.store.model.tables == other.store.model.tables)
    }
}
