import Fleet
import Foundation
import Ports
import ScriptedServers
import TestSupport
import Testing

@testable import Live

/// Against a server of Debian's package.
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct PostgresConnectionTests {
    private static func problem<Value>(_ body: () async throws(StoreProblem) -> Value) async -> StoreProblem? {
        do throws(StoreProblem) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    private static func opening(_ address: String, for task: StoreTask = .agent) async throws -> StoreProblem? {
        let connection = PostgresConnection(try PostgresAddress(address), application: "adtop/tests", task: task)
        return await problem { () throws(StoreProblem) in try await connection.open() }
    }

    @Test func readsTypedColumns() async throws {
        let connection = try await TestDatabase().connection()
        let time = UnixTime(microseconds: -62_135_596_800_000_001)
        let row = try await connection.call(
            """
            SELECT $1::text AS text, $2::int[] AS numbers, $3::text[] AS texts, encode($4::bytea, 'hex') AS bytes, $5::jsonb AS json,
                $6::uuid AS identity, NULL AS nothing, 0.5 AS half, true AS yes, \(PostgresSQL.microseconds("a.at"))
            FROM (SELECT $7::timestamptz AS at) a
            """,
            [
                .text("ü\"\\{}"), .array([1, -2].map { .integer($0) }), .array([.text("a,\"b\\"), .null]),
                .bytes([0, 1, 255]), .json(["a": ["\0"]]), .identity(0..<16), .time(time),
            ]
        ).row
        #expect(try row.text("text") == "ü\"\\{}")
        #expect(try row.integers("numbers") == [1, -2])
        #expect(try row.texts("texts") == ["a,\"b\\", nil])
        #expect(try row.optionalBytes("bytes") == [0, 1, 255])
        #expect(try row.optionalJSON("json") == ["a": ["\u{FFFD}"]])
        #expect(try row.text("identity") == "00010203-0405-0607-0809-0a0b0c0d0e0f")
        #expect(try row.optionalText("nothing") == nil)
        #expect(try row.optionalNumber("half") == 0.5)
        #expect(try row.flag("yes"))
        #expect(try row.time("at") == time)
        #expect(throws: StoreProblem.self) { try row.integer("text") }
        #expect(throws: StoreProblem.self) { try row.text("missing") }
        #expect(throws: StoreProblem.self) { try row.text("nothing") }
    }

    @Test func noInfinityIsATime() async throws {
        let connection = try await TestDatabase().connection()
        let row = try await connection.call(
            "SELECT \(PostgresSQL.microseconds("at")) FROM (SELECT '-infinity'::timestamptz AS at) a"
        ).row
        #expect(try row.optionalTime("at") == nil)
    }

    @Test func aWarningBelongsToTheAnswer() async throws {
        let connection = try await TestDatabase().connection()
        let warned = try await connection.call(
            "SELECT set_config('client_min_messages', 'notice', false)")
        #expect(warned.warning == nil)
        try await connection.run(script: "DO $$ BEGIN RAISE NOTICE 'a'; END $$")
        let answer = try await connection.run(script: "DO $$ BEGIN RAISE WARNING 'a' USING ERRCODE = '01999'; END $$")
        #expect(answer.warning == "01999")
        #expect(try await connection.call("SELECT 1").warning == nil)
    }

    @Test func anErrorLeavesTheConnection() async throws {
        let connection = try await TestDatabase().connection()
        let problem = await Self.problem { () throws(StoreProblem) in try await connection.call("SELECT 1/0") }
        #expect(problem == .failed(state: "22012", words: "division by zero"))
        #expect(try await connection.call("SELECT 1 AS one").row.integer("one") == 1)
    }

    @Test func anAnswerHasALimit() async throws {
        let connection = try await TestDatabase().connection()
        let limits = PostgresConnection.Limits(bytes: 100_000)
        for sql in ["SELECT generate_series(1, 1000000)", "SELECT repeat('x', 50000000)"] {
            try await connection.open()
            let problem = await Self.problem { () throws(StoreProblem) in
                try await connection.call(sql, within: limits)
            }
            #expect(problem == .answerTooLarge(bytes: 100_000))
            #expect(await !connection.isOpen)
        }
    }

    @Test func anAnswerHasATime() async throws {
        let connection = try await TestDatabase().connection()
        let limits = PostgresConnection.Limits(time: .milliseconds(100))
        let problem = await Self.problem { () throws(StoreProblem) in
            try await connection.call("SELECT pg_sleep(30)", within: limits)
        }
        guard case .noAnswer(_, 100)? = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(await !connection.isOpen)
    }

    @Test func aDroppedConnectionEndsItsCall() async throws {
        let connection = try await TestDatabase().connection()
        async let problem = Self.problem { () throws(StoreProblem) in
            try await connection.call("SELECT pg_sleep(30)", within: .init(time: .seconds(20)))
        }
        // Until the call is under way; a drop before it is found by the call.
        try await Task.sleep(for: .milliseconds(100))
        connection.drop()
        guard case .lost? = await problem else {
            Issue.record("\(String(describing: await problem))")
            return
        }
    }

    @Test func anEndedSessionIsLost() async throws {
        let database = try await TestDatabase()
        let (connection, other) = (try await database.connection(), try await database.connection())
        let pid = try await connection.call("SELECT pg_backend_pid() AS pid").row.integer("pid")
        _ = try await other.call("SELECT pg_terminate_backend($1, 5000)", [.integer(pid)])
        let problem = await Self.problem { () throws(StoreProblem) in try await connection.call("SELECT 1") }
        // What the server wrote before it closed may be read before the write fails, or not.
        let lost = StoreProblem.lost(place: await connection.place.server)
        #expect([lost, .away(state: "57P01")].contains(problem))
        #expect(await !connection.isOpen)
        #expect(await Self.problem { () throws(StoreProblem) in try await connection.call("SELECT 1") } == lost)
    }

    /// Between calls and during one; what the connection notifies itself is no news.
    @Test func hearsWhatOthersNotify() async throws {
        let database = try await TestDatabase()
        let (heard, sink) = AsyncStream.makeStream(of: Void.self)
        let connection = PostgresConnection(
            try PostgresAddress(database.address()), application: "adtop/tests", task: .own, heard: { sink.yield() })
        try await connection.open()
        let other = try await database.connection()
        var hints = heard.makeAsyncIterator()
        _ = try await connection.call("SELECT pg_notify('adtop_fleet', 'own')")
        _ = try await other.call("SELECT pg_notify('adtop_fleet', 'list')")
        await hints.next()
        async let slow = connection.call("SELECT pg_sleep(0.1)")
        _ = try await other.call("SELECT pg_notify('adtop_fleet', 'free')")
        await hints.next()
        _ = try await slow
        _ = try await other.call("SELECT pg_notify('elsewhere', 'x')")
        _ = try await connection.call("SELECT 1")
        await connection.close()
        sink.finish()
        #expect(await hints.next() == nil)
    }

    @Test func namesTheSession() async throws {
        let connection = try await TestDatabase().connection()
        let row = try await connection.call("SELECT current_setting('application_name') AS name").row
        #expect(try row.text("name") == "adtop/tests")
        #expect(await connection.serverVersion >= StoreProblem.oldestServer)
    }

    @Test func saysWhyThereIsNoConnection() async throws {
        let database = try await TestDatabase()
        let folder = database.server.folder
        #expect(try await Self.opening(database.server.address("nowhere")) == .noDatabase("nowhere"))
        #expect(try await Self.opening(database.address(as: "stranger")) == .notAdmitted(user: "stranger"))
        #expect(
            try await Self.opening("postgres://a@/adtop?host=\(folder)/none")
                == .unreachable(place: "\(folder)/none/.s.PGSQL.5432", clause: "no such file or folder"))
        #expect(
            try await Self.opening("postgres://a@127.0.0.1:1/adtop")
                == .unreachable(place: "127.0.0.1:1", clause: "connection refused"))
        #expect(
            try await Self.opening("postgres://a@name.invalid/adtop?sslmode=verify-full")
                == .unreachable(place: "name.invalid:5432", clause: "no such host"))
        #expect(try await Self.opening("service=adtop-none") == .unknownService("adtop-none"))
        #expect(
            try await Self.opening("postgres://a@192.0.2.1/adtop?sslmode=require")
                == .weakTLS(host: "192.0.2.1", given: "require"))
    }

    @Test func triesOneHostAfterAnother() async throws {
        let database = try await TestDatabase()
        let address = "postgres://owner@/\(database.name)?host=/tmp/none,\(database.server.folder)"
        #expect(try await Self.opening(address) == nil)
    }

    @Test func aServerThatReadsOnlyIsAStandby() async throws {
        let database = try await TestDatabase()
        let connection = try await database.connection()
        _ = try await connection.call("ALTER DATABASE \(database.name) SET default_transaction_read_only = on")
        #expect(try await Self.opening(database.address()) == .standby(host: database.server.folder))
    }

    /// The verbs that only read work at a standby, and at the primary where there is one.
    @Test func whoeverReadsMayUseAStandby() async throws {
        let primary = try PrivatePostgres()
        defer { primary.stop() }
        try await primary.waitUntilReady()
        _ = try await FleetRegister(try PostgresAddress(primary.address()), for: .create).create()
        let standby = try PrivatePostgres(standbyOf: primary)
        defer { standby.stop() }
        try await standby.waitUntilReady()
        let reader = FleetRegister(try PostgresAddress(standby.address()), for: .read)
        try await reader.open()
        let overview = try await reader.overview(by: SystemTimeSource())
        #expect(overview.store.isStandby)
        #expect(try await reader.report(since: nil, channel: nil).totals.due == 0)
        #expect(try await Self.opening(standby.address(), for: .operate) == .standby(host: standby.folder))
        let both = "postgres://\(PrivatePostgres.owner)@/postgres?host=\(standby.folder),\(primary.folder)"
        let other = FleetRegister(try PostgresAddress(both), for: .read)
        try await other.open()
        #expect(try await !other.overview(by: SystemTimeSource()).store.isStandby)
    }

    @Test func aFullServerIsReported() async throws {
        let server = try PrivatePostgres(
            settings: ["max_connections=2", "superuser_reserved_connections=0", "max_wal_senders=0"])
        try await server.waitUntilReady()
        var open: [PostgresConnection] = []
        // The place of the connection that waited for the server may not be free at once.
        for _ in 0..<1_000 where open.count < 2 {
            let connection = PostgresConnection(
                try PostgresAddress(server.address()), application: "adtop/tests", task: .read)
            if (try? await connection.open()) != nil { open.append(connection) }
        }
        #expect(open.count == 2)
        #expect(try await Self.opening(server.address()) == .noSlots(nil))
        for connection in open { await connection.close() }
        server.stop()
        #expect(try await Self.opening(server.address()) != nil)
        #expect(!FileManager.default.fileExists(atPath: server.folder))
    }
}
