import Fleet
import Foundation
import ModeledStore
import Testing

/// Store, agents and faults on a virtual clock. `ADTOP_FLEET_SEEDS` is the number of seeds (default 60). Which fault is where: docs/fleet.md.
@Suite struct FleetModelTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["ADTOP_FLEET_SEEDS"].flatMap { UInt64($0) }.map { max(1, $0) } ?? 60

    private static func run(_ seed: UInt64, faults: Bool = true) -> FleetModel {
        run(FleetPlan(seed: seed, hasFaults: faults))
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

    /// Two servers take connections, the old one cannot commit, and agents are killed, stopped and drained meanwhile (FLT-9).
    @Test func twoPrimariesSendNothingTwice() {
        let kinds: [FleetFault] = [.oldPrimary, .drain, .kill, .pause, .breaks, .standbyUnheard, .slowClaims]
        var promotions = 0
        for seed in 1...Self.seeds {
            let model = Self.run(FleetPlan(seed: seed, kinds: kinds))
            #expect(model.violations == [], "seed \(seed) at \(model.now)")
            promotions += model.faults[.oldPrimary] ?? 0
        }
        #expect(promotions > 0)
    }

    /// The same run, whatever the wall clocks show.
    @Test func wallClocksDecideNothing() {
        let kinds: [FleetFault] = [.wallClock, .kill, .drain, .pause, .cut, .spool]
        for seed in 1...min(Self.seeds, 20) {
            let stepped = Self.run(FleetPlan(seed: seed, kinds: kinds))
            let steady = Self.run(FleetPlan(seed: seed, kinds: kinds, wallStep: .zero))
            #expect(stepped.arrivals == steady.arrivals && stepped.unsent == steady.unsent, "seed \(seed)")
            #expect(stepped.store.model.tables == steady.store.model.tables, "seed \(seed)")
        }
    }

    /// A viewer that the list wants no more is followed by nobody, a channel that was changed at its new address, and nothing comes twice.
    @Test func theListMayChangeAtAnyMoment() {
        var changes = 0
        for seed in 1...Self.seeds {
            let model = Self.run(FleetPlan(seed: seed, kinds: [.list, .kill, .drain, .cut, .lostAnswers]))
            #expect(model.violations == [], "seed \(seed) at \(model.now)")
            changes += model.changes
        }
        #expect(changes > 0)
    }

    /// Viewers of a region are followed by its agents alone, and by one of these soon after it is there (FLT-17).
    @Test func regionsKeepTheirViewers() {
        for seed in 1...Self.seeds {
            let kinds: [FleetFault] = [.kill, .drain, .pause, .cut, .list, .lostAnswers]
            let model = Self.run(FleetPlan(seed: seed, kinds: kinds, hasRegions: true))
            #expect(model.violations == [], "seed \(seed) at \(model.now)")
            #expect(model.arrivals.keys.contains { $0.hasPrefix("1/") }, "seed \(seed)")
        }
    }

    /// Once an upgrade is finished, a program of the former protocol begins no incarnation, and the others follow its viewers (FLT-1).
    @Test func earlierProtocolsAreNotAdmitted() {
        var notAdmitted = 0
        for seed in 1...Self.seeds {
            let model = Self.run(FleetPlan(seed: seed, kinds: [.versions, .kill, .drain, .lostAnswers]))
            #expect(model.violations == [], "seed \(seed) at \(model.now)")
            notAdmitted += model.notAdmitted
        }
        if Self.seeds >= 60 { #expect(notAdmitted > 0) }
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

    /// Faults between which the absence of a guard shows.
    private static func faults(without removed: FleetGuard) -> [FleetFault] {
        switch removed {
        case .beatFirst: [.oldPrimary, .drain, .kill, .breaks]
        case .stateVersion, .protocolRange: [.versions, .kill, .drain]
        case .ownClock: [.wallClock, .kill]
        default: FleetFault.basic
        }
    }

    /// Each guard is needed: without it a beacon arrives twice or after the lease, an agent does not know its own claim, or has a session that
    /// it cannot read.
    @Test(arguments: FleetGuard.allCases) func aRemovedGuardIsFound(removed: FleetGuard) {
        let missing: Set<FleetGuard> = removed == .ownClaimOnly ? [removed, .ownershipCheck] : [removed]
        let kinds = Self.faults(without: removed)
        let found = (1...UInt64(1_000)).first { seed in
            let model = Self.run(FleetPlan(seed: seed, kinds: kinds, removed: missing))
            return model.violations.contains { !$0.hasSuffix("is missing") }
        }
        #expect(found != nil, "\(removed.rawValue)")
    }

    @Test func theSameSeedGivesTheSameRun() {
        let (one, other) = (Self.run(7), Self.run(7))
        #expect(one.arrivals == other.arrivals)
        #expect(one.store.model.tables == other.store.model.tables)
    }
}
