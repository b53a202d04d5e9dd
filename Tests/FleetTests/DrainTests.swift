import Fleet
import ModeledStore
import Testing

/// Four agents at one store that answers at once, on a virtual clock: what a drain costs.
@Suite struct DrainTests {
    /// Agents with sessions that list a beacon a second and the last twenty seconds again when they begin.
    private struct Fleet {
        var store: StoreModel
        var agents: [FleetAgent] = []
        var sessions: [[Int: VirtualSession]] = []
        var arrivals: [Substring: Int] = [:]
        var unsent: [UnsentReason: Int] = [:]
        var now = Duration.zero

        init(viewers: Int) {
            store = StoreModel(StoreTables(viewers: viewers))
        }

        mutating func start(_ name: String) {
            agents.append(FleetAgent(name: name, place: name, isSame: VirtualSession.isSame))
            sessions.append([:])
        }

        func holding(_ slot: Int) -> Int { agents[slot].incarnation.map { store.tables.holding($0) } ?? 0 }

        mutating func pass(_ span: Duration, until isReached: (Self) -> Bool = { _ in false }) {
            let end = now + span
            while now < end, !isReached(self) {
                now += .milliseconds(200)
                for slot in agents.indices {
                    list(slot)
                    perform(agents[slot].ticked(at: now), slot)
                }
            }
        }

        private mutating func list(_ slot: Int) {
            let second = Int(now.components.seconds)
            var due: [DueBeacon] = []
            for viewer in sessions[slot].keys.sorted() {
                guard var session = sessions[slot][viewer] else { continue }
                let new = (max(0, second - 20)...second).filter { !session.listed.contains($0) }
                session.listed.formUnion(new)
                due += new.map(session.beacon)
                sessions[slot][viewer] = session
            }
            if !due.isEmpty { perform(agents[slot].becameDue(due, at: now), slot) }
        }

        private mutating func perform(_ effects: [AgentEffect], _ slot: Int) {
            for effect in effects {
                switch effect {
                case .call(let call, let number):
                    let answer = store.perform(call, at: now)
                    perform(agents[slot].answered(answer, number: number, at: now), slot)
                case .send(let request):
                    arrivals[VirtualSession.truth(request.beacon.url), default: 0] += 1
                    agents[slot].ended(request, .acknowledged)
                case .follow(let viewer, _):
                    // Metadata that is written anew for each session.
                    sessions[slot][viewer.id.viewer] = VirtualSession(
                        id: viewer.id, salt: UInt64(slot) << 40, shift: .milliseconds(300 * slot))
                case .release(let id):
                    sessions[slot][id.viewer] = nil
                    agents[slot].stopped(id)
                case .forget(let id): sessions[slot][id.viewer] = nil
                case .unsent(_, let reason): unsent[reason, default: 0] += 1
                case .drop, .disowned, .fenced, .refused, .ended: break
                }
            }
        }
    }

    /// 500 viewers go to three others while their beacons are claimed: within 10 s, none twice, none lost.
    @Test func drainOf500() throws {
        var fleet = Fleet(viewers: 500)
        fleet.start("a")
        fleet.pass(.seconds(20)) { $0.holding(0) == 500 }
        try #require(fleet.holding(0) == 500)
        for name in ["b", "c", "d"] { fleet.start(name) }
        fleet.store.tables.agents[1]?.isDraining = true
        let began = fleet.now
        fleet.pass(.seconds(30)) { fleet in (1...3).map(fleet.holding).reduce(0, +) == 500 }
        #expect(fleet.holding(0) == 0)
        #expect((1...3).map(fleet.holding).reduce(0, +) == 500)
        #expect(fleet.now - began <= .seconds(10))
        fleet.pass(.seconds(5))
        let seconds = max(0, Int(began.components.seconds) - 5)..<Int(fleet.now.components.seconds) - 2
        let wanted = (1...500).flatMap { viewer in seconds.map { Substring("\(viewer)/\($0)") } }
        #expect(wanted.allSatisfy { fleet.arrivals[$0] == 1 })
        #expect(fleet.arrivals.values.allSatisfy { $0 == 1 })
        // Twice due are only what both owners listed, and what waited for the store when the viewer was given.
        #expect(Set(fleet.unsent.keys).isSubset(of: [.duplicate, .lost]))
    }
}
