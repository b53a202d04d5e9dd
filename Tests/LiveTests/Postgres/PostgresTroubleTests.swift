import Fleet
import Monitoring
import Ports
import ScriptedServers
import Testing

@testable import Live

/// A server that rejects what an agent asks: one sentence, nothing is granted, and nothing is lost.
@Suite(
    .enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"),
    .timeLimit(.minutes(2)))
struct PostgresTroubleTests {
    private struct Strange: Error {}

    private static func store(_ address: String) throws -> PostgresStore {
        PostgresStore(
            try PostgresAddress(address), for: PostgresStore.Agent(name: "a", version: "test", process: 1),
            time: ContinuousTimeSource())
    }

    private static func start(_ store: PostgresStore) async throws -> Int {
        guard case .answered(.started(let agent, _), false) = await store.perform(.start(name: "a", place: "a")) else {
            throw Strange()
        }
        return agent
    }

    /// A fleet that fires with one channel, and its viewer, which the agent takes.
    private static func viewer(
        of owner: PostgresConnection, by store: PostgresStore, _ agent: Int
    ) async throws -> ViewerEpoch {
        _ = try await owner.call("SELECT fleet.mode_set('fire')")
        let channel: JSONValue = ["name": "a", "url": "http://127.0.0.1/x"]
        _ = try await owner.call("SELECT fleet.channels_add($1)", [.json([channel])])
        guard case .answered(.taken(let taken), false) = await store.perform(.take(agent: agent, count: 1)),
            let viewer = taken.first
        else { throw Strange() }
        return viewer.id
    }

    private static func claim(of viewer: ViewerEpoch, by agent: Int) -> StoreCall {
        let key = ClaimKey(viewer: viewer.viewer, due: .seconds(1_000), beacon: BeaconID(low: 9))
        var beacon = DueBeacon(key: key, type: "start", url: "http://t.example/1")
        beacon.ad = ClaimedAd(id: 5, breakName: "=b", name: "=a", firstStart: .seconds(1_000))
        return .claim(agent: agent, requests: [ClaimRequest(beacon, epoch: viewer.epoch, number: 1)])
    }

    private static func count(_ table: String, _ owner: PostgresConnection) async throws -> Int {
        try await owner.call("SELECT count(*) AS n FROM fleet.\(table)").row.integer("n")
    }

    /// Rows that change in their place still fit: beats are answered.
    @Test func aFullDiskGrantsNothing() async throws {
        let database = try await TestDatabase()
        _ = try await FleetRegister(try PostgresAddress(database.address()), for: .create).create()
        let owner = try await database.connection()
        let store = try Self.store(database.address())
        let agent = try await Self.start(store)
        let viewer = try await Self.viewer(of: owner, by: store, agent)
        try await owner.run(
            script: """
                CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
                CREATE TRIGGER full_disk BEFORE INSERT ON fleet.claim FOR EACH ROW EXECUTE FUNCTION full_disk()
                """)
        let claim = Self.claim(of: viewer, by: agent)
        for _ in 0..<2 { #expect(await store.perform(claim) == .failed(.diskFull)) }
        #expect(StoreProblem.diskFull.sentence == "store: no space left on the server; nothing is sent until there is")
        #expect(try await Self.count("claim", owner) == 0)
        guard case .answered(.beat, false) = await store.perform(.beat(agent: agent)) else { throw Strange() }
        try await owner.run(script: "DROP TRIGGER full_disk ON fleet.claim")
        #expect(await store.perform(claim) == .answered(.claimed([.granted]), hasWarning: false))
        #expect(try await Self.count("claim", owner) == 1)
        #expect(try await Self.count("ad", owner) == 1)
        await store.close()
    }

    /// An agent needs two connections; where it gets only one, it claims nothing, and asks the same claim again.
    @Test func withoutAConnectionNothingIsGranted() async throws {
        let server = try PrivatePostgres(
            settings: ["max_connections=3", "superuser_reserved_connections=0", "max_wal_senders=0"])
        defer { server.stop() }
        try await server.waitUntilReady()
        let address = try PostgresAddress(server.address())
        func connection() async throws -> PostgresConnection {
            let connection = PostgresConnection(address, application: "adtop/tests", task: .own)
            // The place of a connection that was closed may not be free at once.
            for _ in 0..<1_000 where await !connection.isOpen {
                if try await storeProblem({ try await connection.open() }) != nil {
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            return connection
        }
        let owner = try await connection()
        let register = FleetRegister(address, for: .create)
        _ = try await register.create()
        await register.connection.close()
        let other = try await connection()
        let store = try Self.store(server.address())
        var started: Int?
        for _ in 0..<1_000 where started == nil { started = try? await Self.start(store) }
        let agent = try #require(started)
        let viewer = try await Self.viewer(of: owner, by: store, agent)
        let claim = Self.claim(of: viewer, by: agent)
        #expect(await store.perform(claim) == .failed(.noSlots(nil)))
        #expect(
            StoreProblem.noSlots(nil).sentence
                == "store: all connections of the server are in use; raise max_connections (two for each agent) or use a pooler"
        )
        #expect(try await Self.count("claim", owner) == 0)
        await other.close()
        var reply = StoreReply.failed(.noSlots(nil))
        for _ in 0..<1_000 where reply == .failed(.noSlots(nil)) { reply = await store.perform(claim) }
        #expect(reply == .answered(.claimed([.granted]), hasWarning: false))
        await store.close()
    }

    /// One role may look and not run agents, the other may not even see that there is a fleet.
    @Test(arguments: ["adtop_reader", "adtop_stranger"]) func aRoleWithoutRightsRunsNoAgent(role: String) async throws {
        let database = try await TestDatabase()
        try await TestRoles.make(database)
        let owner = try await database.connection()
        try await owner.run(
            script: """
                DO $$ BEGIN CREATE ROLE adtop_stranger LOGIN;
                EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
                """)
        _ = try await FleetRegister(try PostgresAddress(database.address()), for: .create).create()
        let store = try Self.store(database.address(as: role))
        let problem = StoreProblem.noRights(user: role, task: .agent)
        #expect(await store.perform(.start(name: "a", place: "a")) == .failed(problem))
        #expect(problem.sentence == "store: \(role) may not run agents; use a role in adtop_agent")
        #expect(try await Self.count("agent", owner) == 0)
        await store.close()
    }
}
