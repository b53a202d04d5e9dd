import Fleet
import Monitoring
import Ports
import ScriptedServers
import Testing

@testable import Live

/// Agents of several regions at one store, a server of Debian's package (FLT-17).
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct FleetRegionTests {
    /// A channel for Europe, one for America, one for both, and one that any agent may follow.
    private static let channels = [
        FleetChannel(name: "a", url: "https://a.example/a", regions: ["eu"]),
        FleetChannel(name: "b", url: "https://a.example/b", regions: ["us"], viewers: 2),
        FleetChannel(name: "c", url: "https://a.example/c", regions: ["eu", "us"]),
        FleetChannel(name: "d", url: "https://a.example/d"),
    ]

    private struct Desk {
        let fleet: FleetFixture
        let register: FleetRegister
        /// Agents of Europe, of America, and without a region.
        let europe: Int
        let america: Int
        let elsewhere: Int

        init() async throws {
            fleet = try await FleetFixture()
            register = try fleet.register()
            try await register.open()
            _ = try await register.add(FleetRegionTests.channels)
            europe = try await fleet.start(name: "eu1", place: "host:/eu1", region: "eu")
            america = try await fleet.start(name: "us1", place: "host:/us1", region: "us")
            elsewhere = try await fleet.start(name: "x1", place: "host:/x1")
        }

        /// What an agent follows: `c eu` for the viewer of a channel in a region.
        func followed(by agent: Int) async throws -> [String] {
            try await fleet.owner.call(
                """
                SELECT c.name || ' ' || v.region AS name FROM fleet.viewer v JOIN fleet.channel c ON c.id = v.channel
                WHERE v.owner = $1 AND v.removed_at IS NULL ORDER BY 1, v.number
                """, [.integer(agent)]
            ).rows.map { try $0.text("name") }
        }

        /// The agent's lease is over, and the others may judge.
        func endLease(of agent: Int) async throws {
            try await fleet.owner.run(
                script: """
                    UPDATE fleet.agent SET steady_since = steady_since - interval '1 min' WHERE id <> \(agent);
                    UPDATE fleet.agent SET lease_until = clock_timestamp() - interval '1 s' WHERE id = \(agent)
                    """)
        }

        /// What an agent is told to take, it takes.
        func beatAndTake(_ agent: Int) async throws {
            _ = try await fleet.take(max(0, fleet.beat(agent)), by: agent)
        }
    }

    @Test func eachAgentTakesThoseOfItsRegion() async throws {
        let desk = try await Desk()
        for agent in [desk.elsewhere, desk.europe, desk.america] { try await desk.beatAndTake(agent) }
        #expect(try await desk.followed(by: desk.elsewhere) == ["d "])
        #expect(try await desk.followed(by: desk.europe) == ["a eu", "c eu"])
        #expect(try await desk.followed(by: desk.america) == ["b us", "b us", "c us"])
        for agent in [desk.elsewhere, desk.europe, desk.america] { #expect(try await desk.fleet.beat(agent) == 0) }
    }

    /// Whatever an agent asks for, it gets none of another region.
    @Test func noAgentTakesThoseOfAnother() async throws {
        let desk = try await Desk()
        #expect(try await desk.fleet.take(100, by: desk.elsewhere) == [""])
        #expect(try await desk.fleet.take(100, by: desk.america) == ["us", "us", "us"])
        #expect(try await desk.fleet.count("fleet.viewer WHERE owner IS NULL AND region = 'eu'") == 2)
        #expect(try await desk.fleet.beat(desk.elsewhere) == 0)
        #expect(try await desk.fleet.beat(desk.america) == 0)
    }

    /// The last agent of a region dies: its viewers stay where they are until an agent of that region comes, those of any region move.
    @Test func thoseOfARegionWaitForAnAgentOfIt() async throws {
        let desk = try await Desk()
        #expect(try await desk.fleet.take(100, by: desk.europe).sorted() == ["", "eu", "eu"])
        for agent in [desk.america, desk.elsewhere] { try await desk.beatAndTake(agent) }
        try await desk.endLease(of: desk.europe)
        for _ in 0..<2 {
            for agent in [desk.elsewhere, desk.america] { try await desk.beatAndTake(agent) }
        }
        #expect(try await desk.followed(by: desk.elsewhere) == ["d "])
        #expect(try await desk.followed(by: desk.america) == ["b us", "b us", "c us"])
        #expect(try await desk.followed(by: desk.europe) == ["a eu", "c eu"])
        let overview = try await desk.register.overview(by: SystemTimeSource())
        #expect(overview.regions.first { $0.name == "eu" }?.orphaned == 2)
        #expect(
            overview.problems.filter { $0.code == .noAgentInRegion }.map(\.words)
                == ["region 'eu' has no agent for 2 viewers; start one with --region eu"])
        let successor = try await desk.fleet.start(name: "eu2", place: "host:/eu2", region: "eu")
        #expect(try await desk.fleet.beat(successor) == 2)
        #expect(try await desk.fleet.take(100, by: successor) == ["eu", "eu"])
        #expect(try await desk.fleet.beat(successor) == 0)
        let served = try await desk.register.overview(by: SystemTimeSource())
        #expect(!served.problems.contains { $0.code == .noAgentInRegion })
    }

    /// A channel that moves to another region is given by the agents of the former one and taken there.
    @Test func aChannelMovesToAnotherRegion() async throws {
        let desk = try await Desk()
        for agent in [desk.elsewhere, desk.europe, desk.america] { try await desk.beatAndTake(agent) }
        _ = try await desk.register.add([FleetChannel(name: "a", url: "https://a.example/a", regions: ["us"])])
        let unwanted = try await desk.fleet.owner.call(
            "SELECT viewer FROM fleet.viewers_unwanted($1)", [.integer(desk.europe)])
        #expect(unwanted.count == 1)
        try await desk.beatAndTake(desk.america)
        #expect(try await desk.followed(by: desk.america) == ["a us", "b us", "b us", "c us"])
        _ = try await desk.fleet.owner.call(
            "SELECT fleet.viewers_give($1, array_agg(viewer), array_agg(epoch)) FROM fleet.viewers_unwanted($1)",
            [.integer(desk.europe)])
        #expect(try await desk.followed(by: desk.europe) == ["c eu"])
        #expect(try await desk.fleet.beat(desk.europe) == 0)
    }

    /// Viewers that the list does not want any more are over no share: others are not given in their place.
    @Test func noViewerIsGivenForOneThatWasRemoved() async throws {
        let fleet = try await FleetFixture()
        try await fleet.add(9, in: "eu")
        let agent = try await fleet.start(region: "eu")
        #expect(try await fleet.take(9, by: agent).count == 9)
        let register = try fleet.register()
        try await register.open()
        _ = try await register.remove(["eu1", "eu2", "eu3"])
        #expect(try await fleet.beat(agent) == 0)
        _ = try await fleet.owner.call(
            "SELECT fleet.viewers_give($1, array_agg(viewer), array_agg(epoch)) FROM fleet.viewers_unwanted($1)",
            [.integer(agent)])
        #expect(try await fleet.beat(agent) == 0)
    }

    /// What an agent is started with reaches the store.
    @Test func anAgentReportsItsRegion() async throws {
        let desk = try await Desk()
        let store = PostgresStore(
            try PostgresAddress(desk.fleet.database.address()),
            for: PostgresStore.Agent(name: "eu2", version: "test", region: "eu", process: 1),
            time: ContinuousTimeSource())
        guard case .answered(.started(let agent, _), false) = await store.perform(.start(name: "eu2", place: "b"))
        else {
            Issue.record("not started")
            return
        }
        guard case .answered(.taken(let taken), false) = await store.perform(.take(agent: agent, count: 2)) else {
            Issue.record("nothing taken")
            return
        }
        #expect(taken.map(\.region) == ["eu", "eu"])
        #expect(taken.compactMap(\.channel?.name).sorted() == ["a", "c"])
        await store.close()
    }
}
