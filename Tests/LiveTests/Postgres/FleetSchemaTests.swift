import Fleet
import Ports
import ScriptedServers
import Testing

@testable import Live

/// The schema of a fleet's store, on a server of Debian's package.
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct FleetSchemaTests {
    @Test func isMadeOnceAndGivesRights() async throws {
        let database = try await TestDatabase()
        let address = try PostgresAddress(database.address())
        #expect(
            try await storeProblem { try await FleetRegister(address, for: .read).open() }
                == .noFleet(database: database.name))
        let made = try await FleetRegister(address, for: .create).create()
        #expect(made.isNew)
        #expect(made.database == database.name)
        let again = try await FleetRegister(address, for: .create).create()
        #expect(!again.isNew)
        #expect(Set(again.roles + again.missingRoles) == ["adtop_agent", "adtop_operator", "adtop_reader"])
        try await FleetRegister(address, for: .read).open()
    }

    @Test func needsTheRightToCreate() async throws {
        let database = try await TestDatabase()
        try await TestRoles.make(database)
        let address = try PostgresAddress(database.address(as: "adtop_reader"))
        #expect(
            try await storeProblem { try await FleetRegister(address, for: .create).create() }
                == .noRights(user: "adtop_reader", task: .create))
    }

    @Test func aNewerSchemaIsRejected() async throws {
        let fleet = try await FleetFixture()
        _ = try await fleet.owner.call("UPDATE fleet.store SET schema_version = 2")
        #expect(try await storeProblem { try await fleet.register().open() } == .newerSchema(2))
        #expect(try await storeProblem { try await fleet.register(for: .create).create() } == .newerSchema(2))
    }

    @Test func aForgetfulServerIsRejected() async throws {
        let server = try PrivatePostgres(settings: ["fsync=off"])
        try await server.waitUntilReady()
        let register = FleetRegister(try PostgresAddress(server.address()), for: .create)
        #expect(try await storeProblem { try await register.create() } == .forgetful(setting: "fsync"))
        server.stop()
    }

    /// What the errors are about is in their details, so that no sentence is read.
    @Test func errorsHaveDetails() async throws {
        let fleet = try await FleetFixture()
        _ = try await fleet.start()
        #expect(
            try await storeProblem { try await fleet.start(place: "host2:/b") }
                == .nameInUse(name: "a1", place: "host:/a", pid: 4242))
        #expect(
            try await storeProblem { try await fleet.start(name: "a2", protocolVersion: 7) }
                == .protocolNotAdmitted(ProtocolRange(lowest: 1, highest: 1)))
        _ = try await fleet.owner.call("UPDATE fleet.store SET durability = 'strict'")
        #expect(try await storeProblem { try await fleet.start(name: "a2") } == .notDurable)
        _ = try await fleet.owner.call("UPDATE fleet.store SET durability = 'single', timeline = '000000FF'")
        #expect(
            try await storeProblem { try await fleet.start(name: "a2") }
                == .otherServer(timeline: "00000001", known: "000000FF"))
    }

    /// On a copy of the server nothing is claimed: a reader must not be told that all is well.
    @Test func statusKnowsAnotherServer() async throws {
        let fleet = try await FleetFixture()
        try await TestRoles.make(fleet.database)
        _ = try await fleet.register(for: .create).create()
        let reader = try fleet.register(as: "adtop_reader", for: .read)
        try await reader.open()
        _ = try await reader.overview(by: SystemTimeSource())
        for change in ["timeline = '000000FF'", "system_id = '1'"] {
            _ = try await fleet.owner.call("UPDATE fleet.store SET \(change)")
            let problem = try await storeProblem { try await reader.overview(by: SystemTimeSource()) }
            guard case .otherServer(timeline: "00000001", _) = problem else {
                Issue.record("\(change): \(String(describing: problem))")
                continue
            }
            _ = try await fleet.owner.call("SELECT fleet.server_accept('single')")
        }
        // A failover may change it in the other modes.
        _ = try await fleet.owner.call("UPDATE fleet.store SET durability = 'trusted', timeline = '000000FF'")
        #expect(try await reader.overview(by: SystemTimeSource()).store.timeline == "000000FF")
    }

    /// After the store's clock was set back a lease may end hours ahead; the name is free all the same.
    @Test func aLeaseFarAheadFreesTheName() async throws {
        let fleet = try await FleetFixture()
        let first = try await fleet.start()
        _ = try await fleet.owner.call("UPDATE fleet.agent SET lease_until = now() + interval '1 hour'")
        #expect(try await fleet.start(place: "host2:/b") != first)
    }

    /// Agents ask for changes after the number that they heard last, so none may be committed later with a number up to that one.
    @Test func aChangeIsHeardOnceItIsCommitted() async throws {
        let fleet = try await FleetFixture()
        let (agent, _, _) = try await fleet.agentWithViewer()
        func heard() async throws -> Int {
            try await fleet.owner.call("SELECT change FROM fleet.agent_beat($1, NULL)", [.integer(agent)])
                .row.integer("change")
        }
        let first = try await heard()
        let writer = try await fleet.database.connection()
        try await writer.run(
            script: """
                BEGIN; SELECT fleet.channels_add('[{"name": "b", "url": "https://a.example/b"}]')
                """)
        #expect(try await heard() == first)
        let other = try await fleet.database.connection()
        async let removed = other.call("SELECT fleet.channels_remove('{a}')")
        try await fleet.waitForLock()
        #expect(try await heard() == first)
        try await writer.run(script: "COMMIT")
        _ = try await removed
        let changed = try await fleet.owner.call(
            "SELECT name, change FROM fleet.channels_changed($1) ORDER BY change", [.integer(first)]
        ).rows
        #expect(try changed.map { try $0.text("name") } == ["b", "a"])
        #expect(try await heard() == changed.last?.integer("change"))
    }

    /// An agent of a region has given the viewers that only it may follow: it takes them back first, and gives others for them (FLT-17).
    @Test func viewersOfARegionAreTakenFirst() async throws {
        let fleet = try await FleetFixture()
        try await fleet.add(30, in: "")
        try await fleet.add(10, in: "eu")
        let regional = try await fleet.start(region: "eu", capacity: 60)
        #expect(try await fleet.beat(regional) == 40)
        #expect(try await fleet.take(12, by: regional).count { $0 == "eu" } == 10)
        #expect(try await fleet.take(28, by: regional).count == 28)
        let other = try await fleet.start(name: "a2", place: "host:/b", capacity: 60)
        // Its share is 24: those 10, and 50/110 of 30.
        #expect(try await fleet.beat(regional) == -16)
        try await fleet.give(6, of: "", by: regional)
        try await fleet.give(10, of: "eu", by: regional)
        #expect(try await fleet.beat(regional) == 10)
        #expect(try await fleet.beat(other) == 6)
        #expect(try await fleet.take(10, by: regional) == Array(repeating: "eu", count: 10))
        #expect(try await fleet.beat(regional) == -10)
    }

    /// An agent that has no room for the viewers of its region makes room; whoever has room takes what it gives.
    @Test func aFullAgentMakesRoomForItsRegion() async throws {
        let fleet = try await FleetFixture()
        try await fleet.add(20, in: "")
        let full = try await fleet.start(region: "eu", capacity: 10)
        #expect(try await fleet.take(20, by: full).count == 10)
        try await fleet.add(9, in: "eu")
        let other = try await fleet.start(name: "a2", place: "host:/b")
        #expect(try await fleet.beat(full) == -9)
        try await fleet.give(9, of: "", by: full)
        #expect(try await fleet.beat(full) == 9)
        #expect(try await fleet.take(9, by: full) == Array(repeating: "eu", count: 9))
        #expect(try await fleet.beat(other) == 19)
        #expect(try await fleet.take(19, by: other).count == 19)
        #expect(try await fleet.beat(full) == 0)
        #expect(try await fleet.count("fleet.viewer WHERE owner IS NULL") == 0)
    }

    /// What an agent of a later version saved, an older one cannot take: it gives nothing for it.
    @Test func anOlderAgentMakesNoRoomForLaterSessions() async throws {
        let fleet = try await FleetFixture()
        try await fleet.add(10, in: "")
        let full = try await fleet.start(region: "eu", capacity: 10)
        #expect(try await fleet.take(10, by: full).count == 10)
        try await fleet.add(3, in: "eu")
        _ = try await fleet.owner.call(
            "INSERT INTO fleet.session SELECT id, 0, 2, false, '', now() FROM fleet.viewer WHERE region = 'eu'")
        for (version, want) in [(1, 0), (2, -3)] as [(Int64, Int)] {
            let row = try await fleet.owner.call(
                "SELECT want FROM fleet.agent_beat($1, $2)",
                [.integer(full), .json(["stateVersion": .integer(version)])]
            ).row
            #expect(try row.integer("want") == want)
        }
    }

    /// An agent that does not know the version in which sessions are saved could not take its part of them: it leaves all to one that does.
    @Test func whoCannotReadSessionsHasNoShare() async throws {
        let fleet = try await FleetFixture()
        try await fleet.add(6, in: "")
        let older = try await fleet.start()
        let newer = try await fleet.start(name: "a2", place: "host:/b")
        func want(_ agent: Int, _ version: Int64) async throws -> Int {
            try await fleet.owner.call(
                "SELECT want FROM fleet.agent_beat($1, $2)",
                [.integer(agent), .json(["stateVersion": .integer(version)])]
            ).row.integer("want")
        }
        #expect(try await want(newer, 2) == 3)
        #expect(try await want(older, 1) == 3)
        #expect(try await fleet.take(3, by: older).count == 3)
        _ = try await fleet.owner.call("UPDATE fleet.store SET state_version = 2")
        #expect(try await want(newer, 2) == 3)
        #expect(try await want(older, 1) == -3)
        try await fleet.give(3, of: "", by: older)
        #expect(try await want(older, 1) == 0)
        #expect(try await want(newer, 2) == 6)
        // Nobody else is there: what no later version saved, it may take.
        _ = try await fleet.owner.call("SELECT fleet.agent_end($1)", [.integer(newer)])
        #expect(try await want(older, 1) == 6)
    }

    /// Nor its part of those of any region, though no other agent of its own region could.
    @Test func whoCannotReadSessionsLeavesThoseOfAnyRegion() async throws {
        let fleet = try await FleetFixture()
        try await fleet.add(4, in: "")
        try await fleet.add(1, in: "us")
        let older = try await fleet.start(region: "us")
        let newer = try await fleet.start(name: "a2", place: "host:/b", region: "eu")
        func want(_ agent: Int, _ version: Int64) async throws -> Int {
            try await fleet.owner.call(
                "SELECT want FROM fleet.agent_beat($1, $2)",
                [.integer(agent), .json(["stateVersion": .integer(version)])]
            ).row.integer("want")
        }
        #expect(try await want(older, 1) == 3)
        #expect(try await want(newer, 2) == 3)
        _ = try await fleet.owner.call("UPDATE fleet.store SET state_version = 2")
        #expect(try await want(older, 1) == 1)
        #expect(try await want(newer, 2) == 4)
        _ = try await fleet.owner.call("SELECT fleet.agent_end($1)", [.integer(newer)])
        #expect(try await want(older, 1) == 5)
    }

    @Test func leastRights() async throws {
        let fleet = try await FleetFixture()
        try await TestRoles.make(fleet.database)
        _ = try await fleet.register(for: .create).create()
        let tables = try await fleet.owner.call(
            "SELECT relname FROM pg_class WHERE relnamespace = 'fleet'::regnamespace AND relkind IN ('r', 'p')"
        ).rows.map { try $0.text("relname") }
        #expect(tables.contains("claim"))
        for role in TestRoles.all {
            let connection = try await fleet.database.connection(as: role, for: .read)
            for table in tables {
                for sql in [
                    "SELECT FROM fleet.\(table)", "INSERT INTO fleet.\(table) DEFAULT VALUES",
                    "DELETE FROM fleet.\(table)",
                ] {
                    #expect(
                        try await storeProblem { try await connection.call(sql) } == .noRights(user: role, task: .read),
                        "\(role): \(sql)")
                }
            }
            #expect(try await connection.call("SELECT fleet.schema_version() AS v").row.integer("v") == 1)
        }
        let agent = try await fleet.database.connection(as: "adtop_agent", for: .agent)
        _ = try await agent.call("SELECT fleet.agent_start('a1', '1', 1, '', 1, 'p', 1)")
        #expect(
            try await storeProblem { try await agent.call("SELECT FROM fleet.agents") }
                == .noRights(user: "adtop_agent", task: .agent))
        let reader = try fleet.register(as: "adtop_reader", for: .read)
        try await reader.open()
        #expect(try await reader.overview(by: SystemTimeSource()).agents.map(\.name) == ["a1"])
        #expect(try await reader.report(since: nil, channel: nil).totals.due == 0)
        #expect(
            try await storeProblem { try await reader.setMode("fire") }
                == .noRights(user: "adtop_reader", task: .read))
        let `operator` = try fleet.register(as: "adtop_operator")
        try await `operator`.open()
        try await `operator`.setMode("fire")
        #expect(
            try await storeProblem { try await `operator`.setDurability("trusted") }
                == .noRights(user: "adtop_operator", task: .operate))
    }

    @Test func farDates() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let farDays = [-20_000, -8, 2, 27_000]
        // The day after tomorrow has no partition yet: its claims wait in the rest.
        for kind in ["claim"] { _ = try await fleet.owner.call("DROP TABLE fleet.\(kind)_\(try await fleet.day(2))") }
        var due: [UnixTime] = []
        for day in farDays { due.append(try await fleet.midnight(day) + .seconds(1)) }
        let claim = { (number: Int) in
            try await FleetFixture.claim(
                agent, viewer: viewer, epoch: epoch, due: due, firstNumber: number, on: fleet.owner)
        }
        #expect(try await claim(1) == [0, 0, 0, 0])
        #expect(try await claim(11) == [1, 1, 1, 1])
        #expect(try await fleet.count("fleet.claim_rest") == 4)
        _ = try await fleet.keepUp()
        #expect(try await fleet.count("fleet.claim_\(try await fleet.day(2))") == 1)
        #expect(try await fleet.count("fleet.claim_rest") == 3)
        // Kept for the retention after they were made, whatever their dates.
        _ = try await fleet.owner.call("UPDATE fleet.claim SET claimed_at = now() - interval '6 days 23 hours'")
        _ = try await fleet.keepUp()
        #expect(try await fleet.count("fleet.claim") == 4)
        _ = try await fleet.owner.call("UPDATE fleet.claim SET claimed_at = now() - interval '7 days 1 hour'")
        _ = try await fleet.keepUp()
        #expect(try await fleet.count("fleet.claim_rest") == 0)
    }

    /// Notes have the time of an agent's clock, whatever that shows.
    @Test func farNotesAreDropped() async throws {
        let fleet = try await FleetFixture()
        let agent = try await fleet.start()
        _ = try await fleet.owner.call(
            """
            SELECT fleet.notes_add($1, jsonb_agg(jsonb_build_object('at', now() + n * interval '1 day', 'kind', 'log', 'words', n::text)))
            FROM unnest('{-20000,-8,-6,0,6,8,27000}'::int[]) n
            """, [.integer(agent)])
        #expect(try await fleet.count("fleet.note_rest") == 6)
        _ = try await fleet.keepUp()
        let kept = try await fleet.owner.call("SELECT words FROM fleet.note ORDER BY at").rows
        #expect(try kept.map { try $0.text("words") } == ["-6", "0", "6"])
    }

    /// By its ad a successor knows a beacon again whose start has moved (FLT-5).
    @Test func adsAreKeptWithTheirClaims() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let day = try await fleet.day(-9)
        let (from, to) = (try await fleet.midnight(-9), try await fleet.midnight(-8))
        // The bounds of a partition are no parameters.
        for kind in ["claim", "ad"] {
            try await fleet.owner.run(
                script: """
                    CREATE TABLE fleet.\(kind)_\(day) PARTITION OF fleet.\(kind)
                    FOR VALUES FROM ('\(from.iso8601)') TO ('\(to.iso8601)')
                    """)
        }
        _ = try await FleetFixture.claim(
            agent, viewer: viewer, epoch: epoch, due: [from + .seconds(1)], on: fleet.owner)
        let partition = "pg_class WHERE oid = to_regclass('fleet.ad_\(day)')"
        _ = try await fleet.keepUp()
        #expect(try await fleet.count(partition) == 1)
        _ = try await fleet.owner.call("UPDATE fleet.claim SET claimed_at = now() - interval '7 days 1 hour'")
        _ = try await fleet.keepUp()
        #expect(try await fleet.count(partition) == 0)
    }

    /// A store that an earlier version made does not know when an ad was named, until `fleet init` runs.
    @Test func adsOfEarlierVersionsCountFromTheUpgrade() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, _) = try await fleet.agentWithViewer()
        let ad: JSONValue = [
            "viewer": .integer(Int64(viewer)), "first_start": "1970-01-01 00:00:00+00", "id": 21, "ad": "=start 0",
            "break": "=ping/x",
        ]
        let add = "SELECT fleet.ads_add($1, $2) AS count"
        _ = try await fleet.owner.call(add, [.integer(agent), .json([ad])])
        _ = try await fleet.owner.call("ALTER TABLE fleet.ad DROP COLUMN named_at")
        #expect(try await fleet.register(for: .create).create().isNew == false)
        #expect(try await fleet.count("fleet.ad_rest WHERE named_at > now() - interval '1 hour'") == 1)
        // It is known to be named.
        #expect(try await fleet.owner.call(add, [.integer(agent), .json([ad])]).row.integer("count") == 0)
    }

    /// The ad of all pings of a session belongs to no day: it ends when claims have not named it for the retention and a day.
    @Test func adsOfNoDayEndWithTheirClaims() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, _) = try await fleet.agentWithViewer()
        func name() async throws {
            let ad: JSONValue = [
                "viewer": .integer(Int64(viewer)), "first_start": "1970-01-01 00:00:00+00", "id": 21, "ad": "=start 0",
                "break": "=ping/x",
            ]
            _ = try await fleet.owner.call("SELECT fleet.ads_add($1, $2)", [.integer(agent), .json([ad])])
        }
        func pass(_ hours: Int) async throws -> Int {
            _ = try await fleet.owner.call(
                "UPDATE fleet.ad SET named_at = named_at - $1 * interval '1 hour'", [.integer(hours)])
            _ = try await fleet.keepUp()
            return try await fleet.count("fleet.ad_rest")
        }
        try await name()
        #expect(try await pass(7 * 24 + 23) == 1)
        try await name()
        #expect(try await pass(11) == 1)
        try await name()
        #expect(try await pass(7 * 24 + 12) == 1)
        #expect(try await pass(2) == 0)
    }

    /// An agent of an earlier program names an ad once, however long its claims name it.
    @Test func adsOfAgentsThatNameThemOnceAreKept() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, _) = try await fleet.agentWithViewer()
        func setLoad(_ load: JSONValue) async throws {
            _ = try await fleet.owner.call("SELECT fleet.agent_beat($1, $2)", [.integer(agent), .json(load)])
        }
        try await setLoad(["stateVersion": 1])
        _ = try await fleet.owner.call(
            """
            INSERT INTO fleet.ad (viewer, first_start, id, ad, break, named_at)
            VALUES ($1, 'epoch', 21, '=start 0', '=ping/x', now() - interval '30 days')
            """, [.integer(viewer)])
        _ = try await fleet.keepUp()
        #expect(try await fleet.count("fleet.ad_rest") == 1)
        // Its claims are kept after its end.
        _ = try await fleet.owner.call("SELECT fleet.agent_end($1)", [.integer(agent)])
        _ = try await fleet.keepUp()
        #expect(try await fleet.count("fleet.ad_rest") == 1)
        _ = try await fleet.owner.call(
            """
            WITH gone AS (UPDATE fleet.agent SET fenced_at = now() - interval '8 days')
            UPDATE fleet.viewer SET owner = NULL
            """)
        for _ in 0..<2 { _ = try await fleet.keepUp() }
        #expect(try await fleet.count("fleet.ad_rest") == 0)
    }

    @Test func reportBlocksNothing() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let old = "fleet.claim_\(try await fleet.day(-9))"
        let (from, to) = (try await fleet.midnight(-9), try await fleet.midnight(-8))
        // The bounds of a partition are no parameters.
        try await fleet.owner.run(
            script: """
                CREATE TABLE \(old) PARTITION OF fleet.claim
                FOR VALUES FROM ('\(from.iso8601)') TO ('\(to.iso8601)')
                """)
        let reader = try await fleet.database.connection()
        try await reader.run(script: "BEGIN; SELECT * FROM fleet.report('-infinity', 'infinity')")
        let upkeep = try await fleet.database.connection()
        async let said = upkeep.call("SELECT fleet.keep_up() AS said").row.text("said")
        // No claim waits for longer than that behind the lock which the upkeep does not get.
        _ = try await fleet.owner.call("ALTER FUNCTION fleet.claim SET lock_timeout = '500ms'")
        let now = try await fleet.midnight(0)
        let end = ContinuousClock.now + .seconds(5)
        var number = 0
        while ContinuousClock.now < end {
            number += 1
            let results = try await FleetFixture.claim(
                agent, viewer: viewer, epoch: epoch, due: [now + .seconds(number)], firstNumber: number,
                on: fleet.owner)
            #expect(results == [0])
            // The report stays open for all of the time.
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await said.contains("later:"))
        #expect(try await fleet.count(old) == 0)
        try await reader.run(script: "COMMIT")
        #expect(try await fleet.keepUp().contains("-claim_"))
        #expect(try await storeProblem { try await fleet.count(old) } == .noFleet(database: fleet.database.name))
    }

    /// Claims wait behind what the upkeep has locked: it waits once at most while it has a lock, and the rest is done later.
    @Test func upkeepWithALockWaitsOnce() async throws {
        let fleet = try await FleetFixture()
        let day = try await fleet.day(2)
        let kinds = ["claim", "unsent", "ad", "note"]
        try await fleet.owner.run(
            script: "DROP TABLE \(kinds.map { "fleet.\($0)_\(day)" }.joined(separator: ", "))")
        let reader = try await fleet.database.connection()
        try await reader.run(
            script: "BEGIN; SELECT FROM fleet.unsent; SELECT FROM fleet.ad; SELECT FROM fleet.note")
        #expect(try await fleet.keepUp() == " +claim_\(day) later:unsent_\(day)")
        try await reader.run(script: "COMMIT")
        #expect(try await fleet.keepUp() == " +unsent_\(day) +ad_\(day) +note_\(day)")
    }
}

/// Roles belong to the server, which all tests share.
enum TestRoles {
    static let all = ["adtop_agent", "adtop_operator", "adtop_reader"]

    static func make(_ database: TestDatabase) async throws {
        let connection = try await database.connection()
        for role in all {
            try await connection.run(
                script: """
                    DO $$ BEGIN CREATE ROLE \(role) LOGIN;
                    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
                    """)
        }
    }
}
