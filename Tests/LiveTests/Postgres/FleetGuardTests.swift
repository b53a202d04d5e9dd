import Fleet
import Ports
import ScriptedServers
import Testing

@testable import Live

/// What guards a fleet whatever its roles and connections set, on a server of Debian's package.
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct FleetGuardTests {
    /// A fleet whose roles exist and have their rights.
    private static func fleet() async throws -> FleetFixture {
        let fleet = try await FleetFixture()
        try await TestRoles.make(fleet.database)
        _ = try await fleet.register(for: .create).create()
        return fleet
    }

    /// An agent that gave a viewer and took it again owns it, and not in the epoch before.
    @Test func wrongEpoch() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        try await fleet.give(1, of: "", by: agent)
        #expect(try await fleet.take(1, by: agent) == [""])
        func claim(_ epoch: Int, number: Int) async throws -> [Int] {
            try await FleetFixture.claim(
                agent, viewer: viewer, epoch: epoch, due: [try await fleet.midnight(0)], firstNumber: number,
                on: fleet.owner)
        }
        #expect(try await claim(epoch, number: 1) == [2])
        #expect(try await fleet.count("fleet.claim") == 0)
        #expect(try await claim(epoch + 2, number: 2) == [0])
    }

    /// The viewers of a process that starts again at its place are free at once: its first beat tells it to take them.
    @Test func restartAtPlace() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let again = try await fleet.start()
        #expect(try await fleet.count("fleet.agent WHERE id = \(agent) AND fenced_at IS NOT NULL") == 1)
        #expect(try await fleet.beat(again) == 1)
        #expect(try await fleet.take(1, by: again) == [""])
        #expect(
            try await fleet.count("fleet.viewer WHERE id = \(viewer) AND owner = \(again) AND epoch = \(epoch + 1)")
                == 1)
    }

    /// Where no standby is named, `strict` grants nothing and renews no lease (FLT-9).
    @Test func strictWithoutAStandbyGrantsNothing() async throws {
        let fleet = try await FleetFixture()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let due = [try await fleet.midnight(0)]
        _ = try await fleet.owner.call("UPDATE fleet.store SET durability = 'strict'")
        #expect(try await storeProblem { try await fleet.beat(agent) } == .notDurable)
        #expect(try await storeProblem { try await fleet.take(1, by: agent) } == .notDurable)
        #expect(try await storeProblem { try await fleet.give(1, of: "", by: agent) } == .notDurable)
        let claim = {
            try await FleetFixture.claim(agent, viewer: viewer, epoch: epoch, due: due, on: fleet.owner)
        }
        #expect(try await storeProblem { try await claim() } == .notDurable)
        #expect(try await fleet.count("fleet.claim") == 0)
        _ = try await fleet.owner.call("UPDATE fleet.store SET durability = 'trusted'")
        #expect(try await claim() == [0])
    }

    /// What a role sets for its commits does not weaken those that grant, renew or give (FLT-9).
    @Test(arguments: ["off", "local", "remote_write"]) func settingsOfARoleDoNotUndoDurability(
        setting: String
    ) async throws {
        let fleet = try await Self.fleet()
        let (agent, viewer, epoch) = try await fleet.agentWithViewer()
        let due = [try await fleet.midnight(0)]
        _ = try await fleet.owner.call(
            "ALTER ROLE adtop_agent IN DATABASE \(fleet.database.name) SET synchronous_commit = '\(setting)'")
        let connection = try await fleet.database.connection(as: "adtop_agent", for: .agent)
        func inForce() async throws -> String {
            try await connection.call("SELECT current_setting('synchronous_commit') AS value").row.text("value")
        }
        #expect(try await inForce() == setting)
        try await connection.run(script: "BEGIN")
        let results = try await FleetFixture.claim(agent, viewer: viewer, epoch: epoch, due: due, on: connection)
        #expect(results == [0])
        #expect(try await inForce() == "on")
        try await connection.run(script: "COMMIT")
        for call in [
            "agent_beat(\(agent), NULL)", "viewers_take(\(agent), 1, 1::smallint)",
            "viewers_give(\(agent), '{\(viewer)}', '{\(epoch)}')",
        ] {
            try await connection.run(script: "BEGIN; SELECT FROM fleet.\(call)")
            #expect(try await inForce() == "on", "\(call)")
            try await connection.run(script: "ROLLBACK")
        }
    }

    /// The settings that `init` gives the roles count, whatever those of the database are.
    @Test func rolesHaveTheirSettings() async throws {
        let fleet = try await Self.fleet()
        let name = fleet.database.name
        _ = try await fleet.owner.call("ALTER DATABASE \(name) SET default_transaction_isolation = 'serializable'")
        for role in TestRoles.all {
            let connection = try await fleet.database.connection(as: role, for: .read)
            let row = try await connection.call(
                """
                SELECT current_setting('transaction_isolation') AS isolation,
                    current_setting('idle_in_transaction_session_timeout') AS idle
                """
            ).row
            #expect(try row.text("isolation") == "read committed", "\(role)")
            #expect(try row.text("idle") == "5s", "\(role)")
        }
    }

    /// A backend outlives the agent that waited for it, so each function that writes for agents ends its wait for a lock by itself. The upkeep
    /// sets a shorter one.
    @Test func whatWritesForAgentsWaitsForLocksForAMoment() async throws {
        let fleet = try await Self.fleet()
        let endless = try await fleet.owner.call(
            """
            SELECT proname FROM pg_proc p WHERE pronamespace = 'fleet'::regnamespace AND provolatile = 'v'
                AND has_function_privilege('adtop_agent', p.oid, 'EXECUTE')
                AND NOT coalesce(proconfig, '{}') @> '{lock_timeout=1500ms}'
            """
        ).rows.map { try $0.text("proname") }
        #expect(endless == ["keep_up"])
        let agent = try await fleet.start()
        let other = try await fleet.database.connection()
        try await other.run(
            script: "BEGIN; LOCK TABLE fleet.claim IN ACCESS EXCLUSIVE MODE; SELECT FROM fleet.agent FOR UPDATE")
        let outcome = """
            SELECT fleet.outcomes('{1}', '{1}', '{1}', '{1970-01-01}', '{00000000000000000000000000000001}', '{0}', '{1}',
                '{a}', '{200}', '{1}')
            """
        for call in [outcome, "SELECT fleet.agent_end(\(agent))"] {
            let problem = try await storeProblem { try await fleet.owner.call(call) }
            #expect(problem?.state == "55P03", "\(call)")
        }
        try await other.run(script: "ROLLBACK")
    }

    /// The owner makes the schema, gives the rights and changes the store without being a superuser.
    @Test func theOwnerIsNoSuperuser() async throws {
        let database = try await TestDatabase()
        try await TestRoles.make(database)
        let superuser = try await database.connection()
        try await superuser.run(
            script: """
                DO $$ BEGIN CREATE ROLE plain_owner LOGIN;
                EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
                """)
        _ = try await superuser.call("ALTER DATABASE \(database.name) OWNER TO plain_owner")
        let owner = FleetRegister(try PostgresAddress(database.address(as: "plain_owner")), for: .create)
        let made = try await owner.create()
        #expect(made.isNew && made.missingRoles == [])
        #expect(try await !owner.create().isNew)
        #expect(try await owner.setDurability("trusted") == .made)
        #expect(try await owner.acceptServer() == "00000001")
        let agent = try await database.connection(as: "adtop_agent", for: .agent)
        let id = try await agent.call("SELECT agent FROM fleet.agent_start('a1', '1', 1, '', 1, 'p', 1)").row.integer(
            "agent")
        _ = try await agent.call("SELECT want FROM fleet.agent_beat($1, NULL)", [.integer(id)])
        _ = try await agent.call("SELECT fleet.keep_up()")
        #expect(
            try await storeProblem { try await agent.call("SELECT FROM fleet.claim") }
                == .noRights(user: "adtop_agent", task: .agent))
        let reader = FleetRegister(try PostgresAddress(database.address(as: "adtop_reader")), for: .read)
        try await reader.open()
        let overview = try await reader.overview(by: SystemTimeSource())
        #expect(overview.agents.map(\.name) == ["a1"] && overview.store.durability == "trusted")
        #expect(try await reader.report(since: nil, channel: nil).totals.due == 0)
    }
}
