import Fleet
import Foundation
import Live
import Ports
import ScriptedServers
import TestSupport
import Testing

/// `adtop fleet top` without a terminal, on a server of Debian's package.
@Suite(
    .enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"), .timeLimit(.minutes(3)))
struct FleetTopTests {
    /// A fleet with two viewers of one channel, which an agent of ours has.
    struct Fleet {
        let database: TestDatabase
        let owner: PostgresConnection
        let agent: Int

        init() async throws {
            database = try await TestDatabase()
            owner = try await database.connection()
            _ = try await FleetRegister(try PostgresAddress(database.address()), for: .create).create()
            _ = try await owner.call(
                "SELECT fleet.channels_add($1)",
                [.json([["name": "news", "url": "https://a.example/live.m3u8", "viewers": 2, "labels": ["hd"]]])])
            agent = try await owner.call(
                "SELECT agent FROM fleet.agent_start('a1', '1.0', 1, '', 100, 'host:/a', 4242)"
            ).row.integer("agent")
            _ = try await owner.call("SELECT * FROM fleet.viewers_take($1, 2, 1::smallint)", [.integer(agent)])
            try await beat()
        }

        func beat() async throws {
            _ = try await owner.call(
                "SELECT fleet.agent_beat($1, $2)",
                [.integer(agent), .json(["cores": 0.25, "claimP99Ms": 7.1, "queue": 0, "failing": 1])])
        }

        /// What the agent writes of a viewer.
        func write(_ phase: String, problem: String?, of viewer: Int) async throws {
            let row: JSONValue = [
                "viewer": .integer(Int64(viewer)), "phase": .string(phase), "problem": .optional(problem), "due": 7,
                "sent": 6, "acknowledged": 5, "failed": 1, "unknown": 0, "worst_late_ms": 41, "poll_age_ms": 900,
            ]
            _ = try await owner.call("SELECT fleet.health_save($1, $2)", [.integer(agent), .json([row])])
        }

        var viewers: [Int] {
            get async throws {
                try await owner.call("SELECT array_agg(viewer ORDER BY number) AS ids FROM fleet.viewers").row.integers(
                    "ids")
            }
        }

        func top(_ arguments: String..., as role: String = PrivatePostgres.owner) async throws -> AdtopProcess {
            try await AdtopProcess.run(["fleet", "top", "--store", database.address(as: role)] + arguments)
        }
    }

    @Test func theDataHaveTheirSchema() async throws {
        let fleet = try await Fleet()
        try await fleet.write(
            "failing", problem: "playlist: https://a.example/x?sessid=s3cret answered 503",
            of: try await fleet.viewers[1])
        let run = try await fleet.top("--dump", "--format", "json")
        #expect(run.status == 1)
        let object = try #require(try run.json().objectValue)
        #expect(object["schema"] == "adtop-fleet/1")
        #expect(object["agents"]?.arrayValue?.first?["cores"] == 0.25)
        let viewers = try #require(object["viewers"]?.arrayValue)
        #expect(viewers.map { $0["number"]?.integerValue } == [1, 2])
        #expect(viewers[0]["phase"] == "starting" && viewers[0]["sent"] == .null)
        #expect(viewers[1]["phase"] == "failing" && viewers[1]["agent"] == "a1" && viewers[1]["labels"] == ["hd"])
        #expect(viewers[1]["sent"] == 6 && viewers[1]["worstLateMs"] == 41 && viewers[1]["pollAgeMs"] == 900)
        #expect(viewers[1]["problem"]?.stringValue?.contains("s3cret") == false)
        let text = try await fleet.top("--dump", "--size", "120x40")
        #expect(text.output.contains("news-2") && text.output.contains("failing") && !text.output.contains("s3cret"))
    }

    /// A reader's role is enough for the tables and for the last picture.
    @Test func aReaderSeesTheLastPicture() async throws {
        let fleet = try await Fleet()
        _ = try await fleet.owner.call(
            """
            DO $$ BEGIN CREATE ROLE adtop_reader LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$
            """)
        _ = try await FleetRegister(try PostgresAddress(fleet.database.address()), for: .create).create()
        let none = try await fleet.top("--dump", "--keys", "Enter", "--format", "json", as: "adtop_reader")
        #expect(none.status == 3 && none.output.isEmpty, "\(none.output)")
        #expect(none.errors.contains("picture: "), "\(none.errors)")
        let picture =
            #"{"schema": "adtop-snapshot/1", "atMs": 1795355628000, "session": {"name": "news"}, "breaks": [{"id": "x", "key": "1", "label": "B1", "startMs": 1795355620000, "durationMs": 30000, "ads": []}]}"#
        _ = try await fleet.owner.call(
            "SELECT fleet.picture_save($1, $2, $3)",
            [.integer(fleet.agent), .integer(try await fleet.viewers[0]), .text(picture)])
        let run = try await fleet.top("--dump", "--keys", "Enter", "--size", "160x40", as: "adtop_reader")
        #expect(run.output.contains("PICTURE "), "\(run.output)\(run.errors)")
        #expect(run.output.contains("only roles in adtop_operator can ask"))
        #expect(run.output.contains("B1"))
    }

    /// The agent hears in its next beat that somebody looks, and saves what it has.
    @Test func anOperatorSeesWhatTheAgentHas() async throws {
        let database = try await TestDatabase()
        let folder = try TemporaryFolder()
        let origin = try await WatchedOrigin()
        let register = FleetRegister(try PostgresAddress(database.address()), for: .create)
        _ = try await register.create()
        _ = try await register.add([FleetChannel(name: "news", url: origin.streamURL)])
        let agent = try AdtopChild(
            ["fleet", "agent", "--store", database.address(), "--name", "a1", "--poll", "500ms"], state: folder.path)
        for _ in 0..<300 {
            if try await register.viewers().first?.phase == "running" { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        let run = try await AdtopProcess.run([
            "fleet", "top", "--store", database.address(), "--dump", "--keys", "Enter", "--format", "json",
        ])
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
        await origin.stop()
        let picture = try run.json()
        #expect(picture["schema"]?.stringValue == "adtop-snapshot/1", "\(run.errors)")
        #expect(picture["playlist"]?["kind"]?.stringValue == "live")
        #expect(picture["session"]?["phase"]?.stringValue == "running")
        #expect(picture["session"]?["canArm"] == false)
        let load = try await register.agents().first?.load
        #expect((load?.residentBytes ?? 0) > 1 << 20)
        #expect(load?.queue == 0)
    }

    @Test func aStoreThatIsAwayEndsWithItsCode() async throws {
        for arguments in [["--dump"], []] {
            let run = try await AdtopProcess.run(
                ["fleet", "top", "--store", "postgres://anna@127.0.0.1:1/adtop"] + arguments)
            #expect(run.status == 3)
            #expect(run.errors == "adtop: store: 127.0.0.1:1: connection refused; is the server running?\n")
        }
    }
}

extension OneAtATime {
    /// `adtop fleet top` in a real terminal, and a whole fleet of its own.
    @Suite(
        .enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"),
        .timeLimit(.minutes(3)))
    struct FleetScreenTests {
        private static let environment = [
            "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "HOME": "/tmp", "PATH": "/usr/bin:/bin",
            "SWIFT_BACKTRACE": "enable=no",
        ]

        /// The screen shows what changes, filters and helps as that of `monitor` does, and is not held up by a server that stands still.
        @Test func aPersonWatches() async throws {
            let fleet = try await FleetTopTests.Fleet()
            let user = try TerminalUser(
                BuiltProduct.path("adtop"), ["fleet", "top", "--store", fleet.database.address()], columns: 120,
                rows: 40, environment: Self.environment)
            try user.see("news-2")
            try user.see("[2] Agents")
            try await fleet.write("failing", problem: "playlist: answered 503", of: try await fleet.viewers[1])
            try user.see("playlist: answered 503")
            user.type("/failing\r")
            try user.see("1 of 2 viewers")
            user.type("\u{1B}")
            try user.seeNot("1 of 2 viewers")
            user.type("?")
            try user.see("next row with a problem")
            user.type("?")
            try user.seeNot("next row with a problem")
            try user.click("host:/a")
            try user.see("its viewers")
            // Whoever reads the store waits from now on.
            let other = try await fleet.database.connection()
            try await other.run(script: "BEGIN; LOCK TABLE fleet.store IN ACCESS EXCLUSIVE MODE")
            try user.see("the store has not answered since")
            user.type("T")
            try user.see("theme: ")
            try await other.run(script: "ROLLBACK")
            await other.close()
            try user.seeNot("the store has not answered since")
            user.type("Q")
            #expect(try user.terminal.waitForExit(within: .seconds(5)) == .status(0))
        }

        /// Agents take the viewers, a killed one is fenced, and nothing is left however the program ends.
        @Test(arguments: [nil, SIGINT, SIGHUP, SIGKILL]) func aFleetOfItsOwn(signal: Int32?) async throws {
            let user = try TerminalUser(
                BuiltProduct.path("adtop"), ["fleet", "demo", "--channels", "2"], columns: 160, rows: 40,
                environment: Self.environment)
            try user.see("6 of 6 viewers followed", within: .seconds(60))
            let text = String(decoding: user.terminal.transcript, as: UTF8.self)
            let folder = try #require(text.firstMatch(of: /PostgreSQL in (\/tmp\/adtop-\w+)/)?.output.1)
            #expect(FileManager.default.fileExists(atPath: String(folder)))
            #expect(!text.contains("no-agent-in-region"), "the screen begins before the agents")
            if let signal { kill(user.terminal.process, signal) } else { user.type("Q") }
            let ending = try user.terminal.waitForExit(within: .seconds(10))
            #expect(ending == signal.map { .signal($0) } ?? .status(0))
            // Server and agents end by themselves; nothing announces it.
            for _ in 0..<100 where FileManager.default.fileExists(atPath: String(folder)) {
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(!FileManager.default.fileExists(atPath: String(folder)))
        }
    }
}
