import Fleet
import Foundation
import Live
import ScriptedServers
import TestSupport
import Testing

/// How the verbs of a fleet find their store and its password, on a server of Debian's package; and that no password is repeated anywhere.
@Suite(
    .enabled(if: TestDatabase.isPossible, "PostgreSQL is not installed (scripts/setup peers)"),
    .timeLimit(.minutes(2)))
struct FleetAccessTests {
    private static let password = "s3cret-of-anna"

    /// A fleet on a server that lets only its owner in without a password.
    private struct Desk {
        let server: PrivatePostgres
        let folder: TemporaryFolder
        let owner: PostgresConnection

        init() async throws {
            server = try PrivatePostgres()
            try await server.waitUntilReady()
            folder = try TemporaryFolder()
            let address = try PostgresAddress(server.address())
            owner = PostgresConnection(address, application: "adtop/tests", task: .own)
            try await owner.open()
            for role in ["adtop_agent", "adtop_reader"] {
                _ = try await owner.call("CREATE ROLE \(role) LOGIN PASSWORD '\(FleetAccessTests.password)'")
            }
            _ = try await FleetRegister(address, for: .create).create()
            try "local all owner trust\nlocal all all scram-sha-256\n".write(
                toFile: "\(server.folder)/data/pg_hba.conf", atomically: false, encoding: .utf8)
            _ = try await owner.call("SELECT pg_reload_conf()")
            try await waitUntilRejected(try PostgresAddress(server.address(as: "adtop_reader")))
            try folder.write(
                """
                [reader]
                host=\(server.folder)
                dbname=postgres
                user=adtop_reader
                [known]
                host=\(server.folder)
                dbname=postgres
                user=adtop_reader
                password=\(FleetAccessTests.password)
                [agent]
                host=\(server.folder)
                dbname=postgres
                user=adtop_agent
                [far]
                host=192.0.2.1
                dbname=postgres
                user=adtop_reader
                sslmode=require
                """, to: "services")
        }

        /// The server reads its rules when it comes to it, and nothing announces that.
        private func waitUntilRejected(_ address: PostgresAddress) async throws {
            for _ in 0..<500 {
                let connection = PostgresConnection(address, application: "adtop/tests", task: .read)
                guard (try? await connection.open()) != nil else { return }
                await connection.close()
                try await Task.sleep(for: .milliseconds(10))
            }
        }

        /// A password file with one password for everything.
        func passwordFile(_ password: String, permissions: Int = 0o600) throws -> String {
            try folder.write("*:*:*:*:\(password)\n", to: "passwords")
            let path = folder.file("passwords")
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
            return path
        }

        func start(_ arguments: [String], service: String, passwords: String? = nil) throws -> AdtopChild {
            var environment = ["HOME": folder.path, "PGSERVICEFILE": folder.file("services")]
            environment["PGPASSFILE"] = passwords
            return try AdtopChild(
                ["fleet"] + arguments + ["--store", "service=\(service)"], state: folder.path, environment: environment)
        }
    }

    /// A verb ends with a problem's sentence and code, which may follow what the library writes; without one it ends well.
    private static func expect(_ problem: StoreProblem?, of child: AdtopChild) async throws {
        let run = try await child.end()
        #expect(run.status == problem?.exitCode ?? 0, "\(run.errors)")
        #expect(run.errors.hasSuffix(problem.map { "adtop: \($0.sentence)\n" } ?? ""))
        #expect(!(run.output + run.errors).contains(password))
    }

    @Test func aServiceNamesStoreAndRole() async throws {
        let desk = try await Desk()
        defer { desk.server.stop() }
        try await Self.expect(nil, of: desk.start(["status"], service: "known"))
        try await Self.expect(
            .passwordMissing(user: "adtop_reader"), of: desk.start(["status"], service: "reader"))
        try await Self.expect(.unknownService("none"), of: desk.start(["status"], service: "none"))
        try await Self.expect(
            .weakTLS(host: "192.0.2.1", given: "require"), of: desk.start(["status"], service: "far"))
        try await Self.expect(
            .noRights(user: "adtop_reader", task: .agent),
            of: desk.start(["agent", "--name", "a1"], service: "known"))
        #expect(try await desk.owner.call("SELECT id FROM fleet.agent").count == 0)
    }

    @Test func aPasswordFileHasThePassword() async throws {
        let desk = try await Desk()
        defer { desk.server.stop() }
        for (password, permissions, problem) in [
            (Self.password, 0o600, nil), ("wrong-\(Self.password)", 0o600, .passwordRejected(user: "adtop_reader")),
            // The library does not read what others may read.
            (Self.password, 0o644, .passwordMissing(user: "adtop_reader")),
        ] as [(String, Int, StoreProblem?)] {
            let file = try desk.passwordFile(password, permissions: permissions)
            try await Self.expect(problem, of: desk.start(["status"], service: "reader", passwords: file))
        }
    }

    /// As everybody on the machine can list them.
    private static func arguments(of child: AdtopChild) async throws -> String {
        #if os(Linux)
            try String(contentsOfFile: "/proc/\(child.pid)/cmdline", encoding: .utf8)
        #else
            String(
                decoding: try await ChildProcess("/bin/ps", ["-o", "args=", "-p", "\(child.pid)"], environment: [:])
                    .end().output, as: UTF8.self)
        #endif
    }

    /// Neither the list of processes nor what an agent writes has the password with which it works.
    @Test func anAgentRepeatsNoPassword() async throws {
        let desk = try await Desk()
        defer { desk.server.stop() }
        let file = try desk.passwordFile(Self.password)
        let log = desk.folder.file("log")
        let agent = try desk.start(["agent", "--name", "a1", "--log-file", log], service: "agent", passwords: file)
        let end = ContinuousClock.now + .seconds(60)
        let sessions =
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'adtop/a1' AND usename = 'adtop_agent'"
        while try await desk.owner.call("SELECT id FROM fleet.agent").count == 0 {
            try #require(ContinuousClock.now < end, "the agent is not admitted")
            // A row announces nothing.
            try await Task.sleep(for: .milliseconds(30))
        }
        #expect(try await desk.owner.call(sessions).count > 0)
        let arguments = try await Self.arguments(of: agent)
        #expect(arguments.contains("service=agent") && !arguments.contains(Self.password))
        agent.signal(SIGTERM)
        let run = try await agent.end()
        #expect(run.status == 0, "\(run.errors)")
        let written = run.output + run.errors + (try String(contentsOfFile: log, encoding: .utf8))
        #expect(written.contains("agent a1 at ") && !written.contains(Self.password))
    }
}
