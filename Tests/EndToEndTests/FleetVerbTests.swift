import Fleet
import Foundation
import Live
import Ports
import ScriptedServers
import TestSupport
import Testing

/// The verbs of a fleet, on a server of Debian's package.
@Suite(.enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"))
struct FleetVerbTests {
    private static func run(
        _ database: TestDatabase, _ arguments: String..., input: String = ""
    ) async throws -> AdtopProcess {
        try await AdtopProcess.run(["fleet"] + arguments + ["--store", database.address()], input: input)
    }

    @Test func aFleetIsSetUp() async throws {
        let database = try await TestDatabase()
        let none = try await Self.run(database, "status")
        #expect(none.status == 4)
        #expect(
            none.errors
                == "adtop: store: there is no fleet in database '\(database.name)'; run adtop fleet init as its owner\n"
        )
        let made = try await Self.run(database, "init")
        #expect(made.status == 0)
        #expect(made.output.hasPrefix("created a fleet in database '\(database.name)' (schema 1); it observes"))
        #expect(try await Self.run(database, "init").output.hasPrefix("there is a fleet"))
        #expect(try await Self.run(database, "status").status == 0)
        #expect(try await Self.run(database, "mode").output == "observe\n")
        let asked = try await Self.run(database, "mode", "fire")
        #expect(asked.status == 2)
        #expect(asked.errors.hasSuffix("There is no terminal to ask; give --yes\n"))
        #expect(try await Self.run(database, "mode", "fire", "--yes").output == "fire\n")
        #expect(try await Self.run(database, "durability").output == "single\n")
        let strict = try await Self.run(database, "durability", "strict", "--yes")
        #expect(strict.status == 1)
        #expect(strict.errors.hasPrefix("adtop: store: synchronous_standby_names is empty, so nothing was changed;"))
        #expect(try await Self.run(database, "durability", "trusted", "--yes").output == "trusted\n")
        #expect(try await Self.run(database, "accept-server", "--yes").output == "accepted timeline 00000001\n")
    }

    @Test func aStateKeyHas32Bytes() async throws {
        let database = try await TestDatabase()
        let short = try await Self.run(database, "agent", "--name", "a", "--state-key", "-", input: "0123456789abcdef")
        #expect(short.status == 2)
        let sentence = "adtop: agent: - has 16 bytes, and a state key has 32; make one with head -c 32"
        #expect(short.errors.hasPrefix(sentence))
        let missing = try await Self.run(database, "agent", "--name", "a", "--state-key", "/none/key")
        #expect(missing.status == 2)
        #expect(missing.errors.contains("/none/key") && missing.errors.hasSuffix("names a file of 32 bytes\n"))
    }

    /// An agent that ends before it asks any store.
    private static func errors(_ state: String, through command: [String] = []) async throws -> String {
        let run = try await AdtopProcess.run(
            ["fleet", "agent", "--name", "a1", "--store", "postgres://a@/a?host=/none"], state: state, through: command)
        #expect(run.status == 2)
        return run.errors
    }

    @Test func aStateFolderThatIsInUseIsNamed() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/adtop/fleet/a1"
        let place = try #require(try AgentPlace(folder: path))
        let sentence = "adtop: agent: another adtop uses \(path); stop it, or choose another --name\n"
        #expect(try await Self.errors(folder.path) == sentence)
        // The lock ends with the value.
        #expect(place.folder == path)
    }

    @Test func aStateFolderThatIsNoneIsNamed() async throws {
        let remedy = "set XDG_STATE_HOME to a folder that can be written\n"
        #expect(try await Self.errors("/dev/null/nowhere") == "adtop: agent: /dev/null: not a folder; \(remedy)")
        let folder = try TemporaryFolder()
        let lock = "\(folder.path)/adtop/fleet/a1/lock"
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: true)
        #expect(try await Self.errors(folder.path) == "adtop: agent: \(lock): is a folder; \(remedy)")
    }

    @Test(.enabled(if: PlainRights.command != nil, "root may write into every folder"))
    func aStateFolderThatMayNotBeWrittenIsNamed() async throws {
        let command = try #require(PlainRights.command)
        let folder = try TemporaryFolder()
        let state = try folder.close("state", 0o500)
        let errors = try await Self.errors(state, through: command)
        let remedy = "let this user write there, or set XDG_STATE_HOME to another folder"
        #expect(errors == "adtop: agent: \(state)/adtop: not permitted; \(remedy)\n")
    }

    @Test(.enabled(if: Namespaces.areThere, "needs user and mount namespaces"))
    func aStateFolderOnAFullDiskIsNamed() async throws {
        let folder = try TemporaryFolder()
        // The folder itself is the only file that it may have.
        let command = Namespaces.mounting("-o nr_inodes=1", at: folder)
        let remedy = "make room there, or set XDG_STATE_HOME to another folder"
        let sentence = "adtop: agent: \(folder.path)/adtop: the disk is full; \(remedy)\n"
        #expect(try await Self.errors(folder.path, through: command) == sentence)
    }

    /// A store of the time before this protocol: nothing is raised while an agent of then is at work, and afterwards none is admitted.
    @Test func anUpgradeIsFinishedWhenNoOlderAgentIsAtWork() async throws {
        let database = try await TestDatabase()
        _ = try await Self.run(database, "init")
        let finished = "finished: protocol 1, sessions saved in version 1\n"
        #expect(try await Self.run(database, "upgrade", "--finish").output == finished)
        let owner = try await database.connection()
        try await owner.run(script: "UPDATE fleet.store SET protocol_min = 0, protocol_max = 0, state_version = 0")
        _ = try await Self.run(database, "init")
        let start = "SELECT agent FROM fleet.agent_start('old', '0.9', 0, '', 10, 'here', 1)"
        let old = try await owner.call(start).row.integer("agent")
        let refused = try await Self.run(database, "upgrade", "--finish", "--yes")
        #expect(refused.status == 1)
        let older =
            "adtop: agent: older agents are at work: old (adtop 0.9, nothing reported); drain each, and start it"
        #expect(refused.errors.hasPrefix(older))
        #expect(try await owner.call("SELECT protocol_min FROM fleet.store").row.integer("protocol_min") == 0)
        _ = try await owner.call("SELECT fleet.agent_end($1)", [.integer(old)])
        let open = try await Self.run(database, "upgrade")
        #expect(open.output.hasPrefix("not finished: protocol 0, sessions saved in version 0; adtop fleet upgrade"))
        let asked = try await Self.run(database, "upgrade", "--finish")
        #expect(asked.status == 2)
        #expect(asked.errors.hasSuffix("There is no terminal to ask; give --yes\n"))
        #expect(try await Self.run(database, "upgrade", "--finish", "--yes").output == finished)
        #expect(
            try await owner.call("SELECT protocol_max FROM fleet.store").row.integer("protocol_max") == 1)
        do throws(StoreProblem) {
            _ = try await owner.call(start)
            Issue.record("an older agent was admitted")
        } catch {
            #expect(error == .protocolNotAdmitted(ProtocolRange(lowest: 1, highest: 1)))
        }
        // A store that is further than this program admits none of its agents, and the verb has their sentence.
        try await owner.run(script: "UPDATE fleet.store SET protocol_min = 2, protocol_max = 2")
        let problem = StoreProblem.protocolNotAdmitted(ProtocolRange(lowest: 2, highest: 2))
        let newer = try await Self.run(database, "upgrade", "--finish")
        #expect(newer.errors == "adtop: \(problem.sentence)\n" && newer.status == 4)
    }

    /// An agent reports what it knows in its beats.
    @Test func anAgentReportsItsStateVersion() async throws {
        let database = try await TestDatabase()
        let folder = try TemporaryFolder()
        _ = try await Self.run(database, "init")
        let agent = try AdtopChild(
            ["fleet", "agent", "--store", database.address(), "--name", "a1"], state: folder.path)
        let owner = try await database.connection()
        try await owner.run(script: "UPDATE fleet.store SET protocol_min = 0, state_version = 0")
        let end = ContinuousClock.now + .seconds(60)
        while try await owner.call("SELECT count(load) AS n FROM fleet.agent").row.integer("n") == 0 {
            try #require(ContinuousClock.now < end, "no beat came")
            // The store announces nothing.
            try await Task.sleep(for: .milliseconds(30))
        }
        #expect(try await Self.run(database, "upgrade", "--finish", "--yes").status == 0)
        agent.signal(SIGTERM)
        #expect(try await agent.end().status == 0)
    }

    @Test func theListIsKept() async throws {
        let database = try await TestDatabase()
        _ = try await Self.run(database, "init")
        let list = "ch7 https://a.example/7?sessid=s3cret viewers=3 regions=eu poll=4s\nch8 https://a.example/8\n"
        #expect(try await Self.run(database, "add", "-", input: list).output == "2 added, 0 changed, 0 as they were\n")
        #expect(
            try await Self.run(database, "list").output
                == list.replacing("s3cret", with: "***"))
        #expect(try await Self.run(database, "list", "--unredacted").output == list)
        let bad = try await Self.run(database, "add", "-", input: "ch9 https://a.example/9\nch9 https://a.example/10\n")
        #expect(bad.status == 4)
        #expect(bad.errors == "adtop: standard input:2: the name 'ch9' is used on line 1\n")
        let json = try await Self.run(database, "list", "--json").json().objectValue
        #expect(json?["schema"] == "adtop-fleet-list/1")
        #expect(json?["channels"]?.arrayValue?.count == 2)
        let unknown = try await Self.run(database, "rm", "ch9")
        #expect(unknown.status == 2)
        #expect(unknown.errors.hasPrefix("adtop: 'ch9': not in the list"))
        #expect(try await Self.run(database, "rm", "ch8").output == "1 removed, 1 left\n")
        let drained = try await Self.run(database, "drain", "a9")
        #expect(drained.status == 2)
        #expect(drained.errors == "adtop: agent: there is no 'a9' at work; none is at work\n")
    }

    @Test func statusHasProblemsAndCodes() async throws {
        let database = try await TestDatabase()
        _ = try await Self.run(database, "init")
        _ = try await Self.run(database, "add", "-", input: "ch7 https://a.example/7 regions=eu\n")
        let text = try await Self.run(database, "status")
        #expect(text.status == 1)
        #expect(text.output.contains("no-agent-in-region: region 'eu' has no agent for 1 viewer"))
        let status = try await Self.run(database, "status", "--json", "--wait", "1s")
        #expect(status.status == 1)
        let object = try #require(try status.json().objectValue)
        #expect(object["schema"] == "adtop-fleet-status/1")
        let codes = object["problems"]?.arrayValue?.compactMap { $0.objectValue?["code"]?.stringValue }
        #expect(codes == ["no-agent-in-region", "mode-observe"])
        let report = try await Self.run(database, "report", "--json").json().objectValue
        #expect(report?["schema"] == "adtop-report/1")
    }

    /// A fleet with a channel that no agent may follow; the store holds up whoever counts its claims, and status does that last.
    private static func heldFleet() async throws -> (database: TestDatabase, owner: PostgresConnection) {
        let database = try await TestDatabase()
        _ = try await run(database, "init")
        _ = try await run(database, "add", "-", input: "ch7 https://a.example/7 regions=eu\n")
        let owner = try await database.connection()
        try await owner.run(script: "BEGIN; LOCK TABLE fleet.claim IN ACCESS EXCLUSIVE MODE")
        return (database, owner)
    }

    /// Returns once a call of this database waits for a lock.
    private static func waitForLock(_ connection: PostgresConnection) async throws {
        let waiting = "pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        let end = ContinuousClock.now + .seconds(30)
        while try await connection.call("SELECT count(*) AS n FROM \(waiting)").row.integer("n") == 0 {
            try #require(ContinuousClock.now < end, "no call waits")
            // The store announces nothing.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func waitingEndsAtTheFirstLookWithoutAProblem() async throws {
        let (database, owner) = try await Self.heldFleet()
        let other = try await database.connection()
        let waiting = try AdtopChild(["fleet", "status", "--wait", "2m", "--store", database.address()])
        try await Self.waitForLock(other)
        // The look under way has seen the problem already.
        _ = try await other.call("SELECT fleet.channels_remove('{ch7}')")
        let start = ContinuousClock.now
        try await owner.run(script: "ROLLBACK")
        let run = try await waiting.end()
        #expect(run.status == 0 && run.output.contains("no problems"), "\(run.output)\(run.errors)")
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    /// Also while the store does not answer.
    @Test func anInterruptEndsTheWait() async throws {
        let (database, owner) = try await Self.heldFleet()
        let other = try await database.connection()
        let waiting = try AdtopChild(["fleet", "status", "--wait", "2m", "--store", database.address()])
        try await Self.waitForLock(other)
        let start = ContinuousClock.now
        let run = try await waiting.interrupt()
        #expect(run.status == AdtopProcess.interrupted && run.output.isEmpty, "\(run.errors)")
        // A call waits for 10 s.
        #expect(ContinuousClock.now - start < .seconds(5))
        try await owner.run(script: "ROLLBACK")
    }

    /// An empty report is that of a channel without beacons, and never that of a wrong name.
    @Test func aReportOfAnUnknownChannelIsRejected() async throws {
        let database = try await TestDatabase()
        _ = try await Self.run(database, "init")
        _ = try await Self.run(database, "add", "-", input: "channel7 https://a.example/7\n")
        #expect(try await Self.run(database, "report", "--channel", "channel7").status == 0)
        let near = try await Self.run(database, "report", "--channel", "chanel7", "--json")
        #expect(near.status == 2 && near.output.isEmpty)
        #expect(
            near.errors.hasPrefix(
                "adtop: --channel: there is no 'chanel7' with viewers or beacons; did you mean 'channel7'?"))
        let far = try await Self.run(database, "report", "--channel", "zzzzzzzz")
        #expect(far.status == 2)
        #expect(
            far.errors.hasPrefix(
                "adtop: --channel: there is no 'zzzzzzzz' with viewers or beacons; see adtop fleet list"))
    }

    /// No password gets into an argument, so none is repeated.
    @Test func aPasswordIsRejectedAndNotRepeated() async throws {
        let run = try await AdtopProcess.run(["fleet", "status", "--store", "postgres://anna:s3cret@127.0.0.1/adtop"])
        #expect(run.status == 2)
        #expect(run.errors == "adtop: \(StoreProblem.passwordInAddress.sentence)\n")
    }

    /// The server reads its rules when it comes to it, and nothing announces that.
    private static func waitUntilRejected(_ address: PostgresAddress) async throws {
        for _ in 0..<500 {
            let connection = PostgresConnection(address, application: "adtop/tests", task: .read)
            do {
                try await connection.open()
            } catch {
                return
            }
            await connection.close()
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func aWrongPasswordIsReported() async throws {
        let server = try PrivatePostgres()
        try await server.waitUntilReady()
        let owner = PostgresConnection(
            try PostgresAddress(server.address()), application: "adtop/tests", task: .create)
        try await owner.open()
        _ = try await owner.call("CREATE ROLE anna LOGIN PASSWORD 'right'")
        try "local all owner trust\nlocal all all scram-sha-256\n".write(
            toFile: "\(server.folder)/data/pg_hba.conf", atomically: false, encoding: .utf8)
        _ = try await owner.call("SELECT pg_reload_conf()")
        await owner.close()
        try await Self.waitUntilRejected(try PostgresAddress(server.address(as: "anna")))
        for (password, problem) in [
            (nil, StoreProblem.passwordMissing(user: "anna")), ("s3cret", .passwordRejected(user: "anna")),
            ("right", .noFleet(database: "postgres")),
        ] {
            let child = try AdtopChild(
                ["fleet", "status", "--store", server.address(as: "anna")],
                environment: (password.map { ["PGPASSWORD": $0] } ?? [:]).merging(["HOME": server.folder]) { $1 })
            let run = try await child.end()
            #expect(run.errors == "adtop: \(problem.sentence)\n")
            #expect(run.status == problem.exitCode)
        }
        server.stop()
    }

    @Test func aServerThatIsAwayIsNamed() async throws {
        let run = try await AdtopProcess.run(["fleet", "status", "--store", "postgres://anna@127.0.0.1:1/adtop"])
        #expect(run.status == 3)
        #expect(run.errors == "adtop: store: 127.0.0.1:1: connection refused; is the server running?\n")
        let none = try await AdtopProcess.run(["fleet", "status"])
        #expect(none.status == 2)
    }

    /// An agent that is started while the server is away waits for it; a server that comes back without a fleet ends it.
    @Test func anAgentWaitsForItsServer() async throws {
        let server = try PrivatePostgres()
        try await server.waitUntilReady()
        let folder = try TemporaryFolder()
        let made = try await AdtopProcess.run(["fleet", "init", "--store", server.address()])
        #expect(made.status == 0)
        server.crash()
        try await Self.waitUntilRejected(try PostgresAddress(server.address()))
        let log = folder.file("log")
        let agent = try AdtopChild(
            ["fleet", "agent", "--store", server.address(), "--name", "a1", "--log-file", log], state: folder.path)
        try await Self.wait(for: "the store is away", in: log)
        server.restart()
        try await Self.wait(for: "the store is back", in: log)
        let status = try await AdtopProcess.run(["fleet", "status", "--json", "--store", server.address()]).json()
        let agents = status.objectValue?["agents"]?.arrayValue?.compactMap { $0.objectValue?["name"]?.stringValue }
        #expect(agents == ["a1"])
        agent.signal(SIGTERM)
        let run = try await agent.end()
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.split(separator: "\n").filter { $0.contains("the store is away (store: ") }.count == 1)
        server.stop()
    }

    /// What waiting does not change ends an agent at its start.
    @Test func anAgentWithoutAFleetEnds() async throws {
        let database = try await TestDatabase()
        let folder = try TemporaryFolder()
        let run = try await AdtopProcess.run(
            ["fleet", "agent", "--store", database.address(), "--name", "a1"], state: folder.path)
        #expect(run.status == 4)
        #expect(run.errors.hasSuffix("adtop: \(StoreProblem.noFleet(database: database.name).sentence)\n"))
    }

    /// Waits until a log has some words.
    private static func wait(for words: String, in log: String) async throws {
        let end = ContinuousClock.now + .seconds(60)
        // The file is not there before the first line.
        while (try? String(contentsOfFile: log, encoding: .utf8).contains(words)) != true {
            try #require(ContinuousClock.now < end, "no '\(words)' in the log")
            // A file announces nothing.
            try await Task.sleep(for: .milliseconds(30))
        }
    }
}
