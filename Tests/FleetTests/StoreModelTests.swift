import Fleet
import ModeledStore
import Testing

/// The store's transactions, one case each.
@Suite struct StoreModelTests {
    /// Agents 1 and 2, which start at zero; agent 1 has the only viewer.
    private static func store(playhead: Duration? = nil) throws -> (StoreModel, ViewerEpoch) {
        var tables = StoreTables(viewers: 1)
        tables.viewers[1]?.playhead = playhead
        var store = StoreModel(tables)
        _ = store.perform(.start(name: "a", place: "p"), at: .zero)
        _ = store.perform(.start(name: "b", place: "q"), at: .zero)
        guard case .taken(let taken) = store.perform(.take(agent: 1, count: 1), at: .zero) else {
            throw StoreRefusalMissing()
        }
        return (store, try #require(taken.first).id)
    }

    private struct StoreRefusalMissing: Error {}

    private static func request(_ number: Int, epoch: Int = 1, due: Duration = .seconds(5)) -> ClaimRequest {
        let key = ClaimKey(viewer: 1, due: due, beacon: BeaconID(low: 9))
        return ClaimRequest(DueBeacon(key: key, type: "start", url: "u"), epoch: epoch, number: number)
    }

    private static func claim(_ store: inout StoreModel, agent: Int = 1, _ request: ClaimRequest) -> StoreAnswer {
        store.perform(.claim(agent: agent, requests: [request]), at: .zero)
    }

    /// Beats of one agent every two seconds over a span of the store's clock.
    private static func beat(_ store: inout StoreModel, agents: [Int], from: Int, to: Int, step: Duration = .zero) {
        for second in stride(from: from, through: to, by: 2) {
            for agent in agents { _ = store.perform(.beat(agent: agent), at: .seconds(second) + step) }
        }
    }

    @Test func claimGrantedOnce() throws {
        var (store, _) = try Self.store()
        #expect(Self.claim(&store, Self.request(1)) == .claimed([.granted]))
        #expect(Self.claim(&store, Self.request(2)) == .claimed([.taken]))
    }

    /// What a call saves that is executed late, after its connection was dropped, is older than what is there.
    @Test func aLateCallSavesNoSession() throws {
        var (store, id) = try Self.store()
        for (number, session) in [(7, 1), (9, 2), (7, 3), (9, 4)] as [(Int, UInt8)] {
            _ = store.perform(.sessions(agent: 1, states: [id: [session]], number: number), at: .zero)
        }
        #expect(store.tables.viewers[1]?.session == [4])
        _ = store.perform(.give(agent: 1, viewers: [id]), at: .zero)
        guard case .taken(let taken) = store.perform(.take(agent: 2, count: 1), at: .zero) else {
            throw StoreRefusalMissing()
        }
        let next = try #require(taken.first).id
        _ = store.perform(.sessions(agent: 2, states: [next: [5]], number: 1), at: .zero)
        #expect(store.tables.viewers[1]?.session == [5])
    }

    /// A viewer does not go back to where it was before, and a successor's calls count anew.
    @Test func aLateCallSavesNoPlayhead() throws {
        var (store, id) = try Self.store()
        func save(_ agent: Int, _ id: ViewerEpoch, _ media: Int, number: Int) {
            let head = PlayheadReading(media: .seconds(media), readAt: .seconds(media), rate: 0)
            _ = store.perform(.playheads(agent: agent, heads: [id: head], number: number), at: .zero)
        }
        for (number, media) in [(7, 10), (9, 20), (7, 30), (9, 40)] { save(1, id, media, number: number) }
        #expect(store.tables.viewers[1]?.playhead == .seconds(40))
        _ = store.perform(.give(agent: 1, viewers: [id]), at: .zero)
        guard case .taken(let taken) = store.perform(.take(agent: 2, count: 1), at: .zero) else {
            throw StoreRefusalMissing()
        }
        save(2, try #require(taken.first).id, 50, number: 1)
        #expect(store.tables.viewers[1]?.playhead == .seconds(50))
    }

    @Test func sameClaimAgain() throws {
        var (store, _) = try Self.store()
        _ = Self.claim(&store, Self.request(1))
        #expect(Self.claim(&store, Self.request(1)) == .claimed([.granted]))
        #expect(store.tables.claims.count == 1)
        _ = store.perform(.outcomes([StoredClaim(request: Self.request(1), outcome: .acknowledged)]), at: .zero)
        #expect(Self.claim(&store, Self.request(1)) == .claimed([.taken]))
    }

    @Test func fenceWaitsForClaim() throws {
        var (store, _) = try Self.store()
        let transaction = try store.begin(agent: 1, [Self.request(1)]).get()
        Self.beat(&store, agents: [2], from: 0, to: 14)
        #expect(store.tables.isAtWork(1))
        #expect(store.mustWait(.beat(agent: 1)))
        #expect(store.commit(transaction) == [.granted])
        Self.beat(&store, agents: [2], from: 16, to: 16)
        #expect(!store.tables.isAtWork(1))
        _ = store.perform(.take(agent: 2, count: 1), at: .seconds(16))
        let read = store.perform(.claims(agent: 2, viewers: [1]), at: .seconds(16))
        #expect(read == .claims([StoredClaim(request: Self.request(1))]))
    }

    /// A viewer goes on while nobody has it, if it played.
    @Test(arguments: [1, 0] as [Double]) func aTakenViewerIsWhereItWouldBe(rate: Double) throws {
        var (store, id) = try Self.store()
        let head = PlayheadReading(media: .seconds(500), readAt: .seconds(10), rate: rate)
        _ = store.perform(.playheads(agent: 1, heads: [id: head], number: 1), at: .seconds(10))
        _ = store.perform(.give(agent: 1, viewers: [id]), at: .seconds(11))
        guard case .taken(let taken) = store.perform(.take(agent: 2, count: 1), at: .seconds(14)) else {
            throw StoreRefusalMissing()
        }
        #expect(taken.map(\.playhead) == [rate == 1 ? .seconds(504) : .seconds(500)])
        #expect(taken.map(\.playedSince) == [rate == 1 ? .seconds(4) : nil])
    }

    @Test func claimAfterFence() throws {
        var (store, _) = try Self.store()
        _ = store.perform(.end(agent: 1), at: .zero)
        #expect(Self.claim(&store, Self.request(1)) == .refused(.fenced))
        #expect(store.tables.claims.isEmpty)
    }

    @Test func giveWaitsForClaim() throws {
        var (store, id) = try Self.store()
        let transaction = try store.begin(agent: 1, [Self.request(1)]).get()
        #expect(store.mustWait(.give(agent: 1, viewers: [id])))
        _ = store.commit(transaction)
        #expect(!store.mustWait(.give(agent: 1, viewers: [id])))
    }

    @Test func claimAfterGive() throws {
        var (store, id) = try Self.store()
        _ = store.perform(.give(agent: 1, viewers: [id]), at: .zero)
        #expect(Self.claim(&store, Self.request(1)) == .claimed([.notOwner]))
    }

    @Test func wrongEpoch() throws {
        var (store, id) = try Self.store()
        _ = store.perform(.give(agent: 1, viewers: [id]), at: .zero)
        _ = store.perform(.take(agent: 1, count: 1), at: .zero)
        #expect(Self.claim(&store, Self.request(1)) == .claimed([.notOwner]))
        #expect(Self.claim(&store, Self.request(1, epoch: 3)) == .claimed([.granted]))
    }

    @Test func tooOld() throws {
        let from = Duration.seconds(100)
        var (store, _) = try Self.store(playhead: from + FleetTiming().lookback)
        #expect(Self.claim(&store, Self.request(1, due: from - .microseconds(1))) == .claimed([.tooOld]))
        #expect(Self.claim(&store, Self.request(2, due: from)) == .claimed([.granted]))
    }

    @Test func firstOutcomeStays() throws {
        var (store, _) = try Self.store()
        _ = Self.claim(&store, Self.request(1))
        for outcome in [ClaimOutcome.failed, .acknowledged] {
            _ = store.perform(.outcomes([StoredClaim(request: Self.request(1), outcome: outcome)]), at: .zero)
        }
        #expect(store.tables.claims.values.first?.outcome == .failed)
    }

    /// Four agents, and a store that is away for a minute.
    @Test func outageFencesNobody() throws {
        var (store, _) = try Self.store()
        for name in ["c", "d"] { _ = store.perform(.start(name: name, place: name), at: .zero) }
        Self.beat(&store, agents: [1, 2, 3, 4], from: 0, to: 20)
        Self.beat(&store, agents: [4, 3, 2, 1], from: 80, to: 100)
        #expect((1...4).allSatisfy { store.tables.isAtWork($0) })
        #expect(store.tables.viewers[1]?.epoch == 1)
    }

    /// One of four agents is dead. Nobody is fenced in the 10 s after the first beat behind the step, and then the dead one alone.
    @Test(arguments: [3_600, -3_600]) func storeClockSteps(step: Int) throws {
        var (store, _) = try Self.store()
        for name in ["c", "d"] { _ = store.perform(.start(name: name, place: name), at: .zero) }
        Self.beat(&store, agents: [1, 2, 3], from: 0, to: 4)
        Self.beat(&store, agents: [1, 2, 3], from: 6, to: 16, step: .seconds(step))
        #expect((1...4).allSatisfy { store.tables.isAtWork($0) })
        Self.beat(&store, agents: [1, 2, 3], from: 18, to: 26, step: .seconds(step))
        #expect((1...4).map { store.tables.isAtWork($0) } == [true, true, true, false])
    }

    /// Agents 1 of Europe, 2 of America and 3 without a region; viewers 1 and 2 of Europe, 3 to 5 of America, 6 of any region (FLT-17).
    private static func regions() -> StoreModel {
        var tables = StoreTables(viewers: 6)
        for (viewer, region) in [(1, "eu"), (2, "eu"), (3, "us"), (4, "us"), (5, "us")] {
            tables.viewers[viewer]?.region = region
        }
        tables.regions = ["eu1": "eu", "eu2": "eu", "us1": "us"]
        var store = StoreModel(tables)
        for name in ["eu1", "us1", "x1"] { _ = store.perform(.start(name: name, place: name), at: .zero) }
        return store
    }

    private static func beat(_ store: inout StoreModel, _ agent: Int, at second: Int = 0) throws -> Int {
        guard case .beat(let beat) = store.perform(.beat(agent: agent), at: .seconds(second)) else {
            throw StoreRefusalMissing()
        }
        return beat.want
    }

    private static func take(
        _ store: inout StoreModel, _ count: Int, by agent: Int, at second: Int = 0
    ) throws -> [Int] {
        guard case .taken(let taken) = store.perform(.take(agent: agent, count: count), at: .seconds(second)) else {
            throw StoreRefusalMissing()
        }
        return taken.map(\.id.viewer)
    }

    @Test func eachAgentTakesThoseOfItsRegion() throws {
        var store = Self.regions()
        for (agent, viewers) in [(3, [6]), (1, [1, 2]), (2, [3, 4, 5])] {
            let want = try Self.beat(&store, agent)
            #expect(try Self.take(&store, want, by: agent) == viewers)
        }
        for agent in 1...3 { #expect(try Self.beat(&store, agent) == 0) }
    }

    @Test func noAgentTakesThoseOfAnother() throws {
        var store = Self.regions()
        #expect(try Self.take(&store, 100, by: 3) == [6])
        #expect(try Self.take(&store, 2, by: 2) == [3, 4])
        #expect(try Self.take(&store, 100, by: 2) == [5])
        #expect(store.tables.free == [1, 2])
    }

    /// Its viewers stay where they are until an agent of the region comes; that of any region moves.
    @Test func thoseOfARegionWaitForAnAgentOfIt() throws {
        var store = Self.regions()
        #expect(try Self.take(&store, 100, by: 1) == [1, 2, 6])
        for second in stride(from: 0, through: 20, by: 2) {
            for agent in [2, 3] {
                let want = try Self.beat(&store, agent, at: second)
                _ = try Self.take(&store, max(0, want), by: agent, at: second)
            }
        }
        #expect(!store.tables.isAtWork(1))
        #expect(store.tables.free == [1, 2] && store.tables.viewers[6]?.owner != 1)
        _ = store.perform(.start(name: "eu2", place: "eu2"), at: .seconds(20))
        #expect(try Self.beat(&store, 4, at: 20) == 2)
        #expect(try Self.take(&store, 100, by: 4, at: 20) == [1, 2])
    }

    /// An agent without room gives viewers of any region for free ones of its own.
    @Test func thoseOfTheRegionAreFirst() throws {
        var store = Self.regions()
        store.tables.agents[1]?.capacity = 2
        for viewer in [1, 2] { store.tables.viewers[viewer]?.region = "" }
        #expect(try Self.take(&store, 100, by: 1) == [1, 2])
        store.tables.viewers[6]?.region = "eu"
        #expect(try Self.beat(&store, 1) == -1)
    }

    @Test func restartAtPlace() throws {
        var (store, _) = try Self.store()
        #expect(store.perform(.start(name: "a", place: "p"), at: .seconds(1)) == .started(agent: 3))
        #expect(!store.tables.isAtWork(1))
        #expect(store.perform(.start(name: "a", place: "x"), at: .seconds(1)) == .refused(.nameInUse))
    }

    /// A lease written before the clock was set back does not keep a name in use for hours.
    @Test func nameIsFreeAfterAStepBack() throws {
        var (store, _) = try Self.store()
        let start = StoreCall.start(name: "a", place: "x")
        #expect(store.perform(start, at: .seconds(-3_600)) == .started(agent: 3))
    }
}
