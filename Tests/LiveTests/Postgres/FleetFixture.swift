import Fleet
import Live
import Ports
import ScriptedServers

/// A fleet in a database of its own, and the calls that tests make as its agent.
struct FleetFixture {
    let database: TestDatabase
    let owner: PostgresConnection

    init() async throws {
        database = try await TestDatabase()
        owner = try await database.connection()
        _ = try await FleetRegister(try PostgresAddress(database.address()), for: .create).create()
    }

    func register(
        as role: String = PrivatePostgres.owner, for task: StoreTask = .operate
    ) throws -> FleetRegister {
        FleetRegister(try PostgresAddress(database.address(as: role)), for: task)
    }

    /// Adds a channel with a viewer and starts an agent that takes it; the fleet fires. Returns agent, viewer and epoch.
    func agentWithViewer() async throws -> (agent: Int, viewer: Int, epoch: Int) {
        _ = try await owner.call(
            "SELECT fleet.channels_add($1)", [.json([["name": "a", "url": "https://a.example/live.m3u8"]])])
        _ = try await owner.call("SELECT fleet.mode_set('fire')")
        let agent = try await start()
        let row = try await owner.call(
            "SELECT viewer, epoch FROM fleet.viewers_take($1, 1, 1::smallint)", [.integer(agent)]
        ).row
        return (agent, try row.integer("viewer"), try row.integer("epoch"))
    }

    func start(
        name: String = "a1", place: String = "host:/a", protocolVersion: Int = 1, region: String = "",
        capacity: Int = 100
    ) async throws -> Int {
        try await owner.call(
            "SELECT agent FROM fleet.agent_start($1, '1.0', $2, $3, $4, $5, 4242)",
            [.text(name), .integer(protocolVersion), .text(region), .integer(capacity), .text(place)]
        ).row.integer("agent")
    }

    /// How many viewers an agent is to take; to give if negative.
    func beat(_ agent: Int) async throws -> Int {
        try await owner.call("SELECT want FROM fleet.agent_beat($1, NULL)", [.integer(agent)]).row.integer("want")
    }

    /// Takes viewers; their regions.
    func take(_ count: Int, by agent: Int) async throws -> [String] {
        try await owner.call(
            "SELECT region FROM fleet.viewers_take($1, $2, 1::smallint)", [.integer(agent), .integer(count)]
        ).rows.map { try $0.text("region") }
    }

    /// Gives viewers of a region.
    func give(_ count: Int, of region: String, by agent: Int) async throws {
        _ = try await owner.call(
            """
            SELECT fleet.viewers_give($1, array_agg(id), array_agg(epoch)) FROM
                (SELECT id, epoch FROM fleet.viewer WHERE owner = $1 AND region = $2 LIMIT $3::int) v
            """, [.integer(agent), .text(region), .integer(count)])
    }

    /// Adds channels with a viewer each, which only agents of a region may follow.
    func add(_ count: Int, in region: String) async throws {
        _ = try await owner.call(
            """
            SELECT fleet.channels_add(jsonb_agg(jsonb_build_object(
                'name', $1 || n, 'url', 'https://a.example/' || n, 'regions', ARRAY[$1])))
            FROM generate_series(1, $2::int) n
            """, [.text(region), .integer(count)])
    }

    /// Claims one beacon for each due time; the results.
    static func claim(
        _ agent: Int, viewer: Int, epoch: Int, due: [UnixTime], firstNumber: Int = 1, on connection: PostgresConnection
    ) async throws -> [Int] {
        func list(_ value: PostgresParameter) -> PostgresParameter { .array(due.map { _ in value }) }
        return try await connection.call(
            """
            SELECT fleet.claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS results
            """,
            [
                .integer(agent), list(.integer(viewer)), list(.integer(epoch)),
                .array(due.indices.map { .integer(firstNumber + $0) }), .array(due.map { .time($0) }),
                list(.identity(0..<16)), list(.integer(0)), list(.integer(1)), list(.integer(1)), list(.integer(1)),
                list(.integer(10)), list(.text("impression")), list(.text("https://t.example/i")),
            ]
        ).row.integers("results")
    }

    /// Returns once a call of this database waits for a lock.
    func waitForLock() async throws {
        let waiting = """
            (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') a
            """
        for _ in 0..<2_000 {
            if try await count(waiting) > 0 { return }
        }
        throw NothingWaits()
    }

    private struct NothingWaits: Error {}

    func count(_ table: String) async throws -> Int {
        try await owner.call("SELECT count(*) AS count FROM \(table)").row.integer("count")
    }

    func keepUp() async throws -> String {
        try await owner.call("SELECT fleet.keep_up() AS said").row.text("said")
    }

    /// `20261124`, so many days from today.
    func day(_ offset: Int) async throws -> String {
        try await owner.call(
            "SELECT to_char((now() AT TIME ZONE 'UTC')::date + $1::int, 'YYYYMMDD') AS day", [.integer(offset)]
        ).row.text("day")
    }

    /// Midnight (UTC) so many days from today.
    func midnight(_ offset: Int) async throws -> UnixTime {
        try await owner.call(
            """
            SELECT \(PostgresSQL.microseconds("at")) FROM (SELECT ((now() AT TIME ZONE 'UTC')::date + $1::int)::timestamp
                AT TIME ZONE 'UTC' AS at) d
            """, [.integer(offset)]
        ).row.time("at")
    }
}

/// What a call throws; nil if it returns.
func storeProblem<Value>(_ body: () async throws -> Value) async throws -> StoreProblem? {
    do {
        _ = try await body()
        return nil
    } catch let problem as StoreProblem {
        return problem
    }
}
