import Fleet
import ScriptedServers
import Testing

@testable import Live

/// Servers of other versions, each by what it sends to whoever connects.
@Suite(.enabled(if: PostgresAddress.isLibraryThere, "libpq is not installed (scripts/setup)"))
struct PostgresVersionTests {
    /// A message: its letter, its length and its bytes (PostgreSQL documentation, section 55.7).
    private static func message(_ letter: Character, _ bytes: [UInt8]) -> [UInt8] {
        let length = UInt32(bytes.count + 4)
        return Array(String(letter).utf8) + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + bytes
    }

    /// A session that may write, of a server of that version.
    private static func session(_ version: String) -> [UInt8] {
        let settings = [
            ("server_version", version), ("in_hot_standby", "off"), ("default_transaction_read_only", "off"),
        ]
        return message("R", [0, 0, 0, 0])
            + settings.flatMap { message("S", Array("\($0)\0\($1)\0".utf8)) }
            + message("K", [0, 0, 0, 1, 0, 0, 0, 2]) + message("Z", Array("I".utf8))
    }

    /// Why a connection to such a server is not used; nil where it is.
    private static func problem(_ version: String) async throws -> StoreProblem? {
        let server = try await ScriptedServer(greeting: [.send(session(version))]) { _ in [] }
        let address = try PostgresAddress("postgres://a@127.0.0.1:\(server.port)/adtop?sslmode=disable")
        let connection = PostgresConnection(address, application: "adtop/tests", task: .agent)
        let problem = try await storeProblem { try await connection.open() }
        await connection.close()
        try await server.stop()
        return problem
    }

    @Test(arguments: [
        ("9.6.24", "9.6.24"), ("11.22", "11.22"), ("12.4 (Debian 12.4-1)", "12.4"), ("13.99", "13.99"),
        ("14.0", nil), ("15.18 (Debian 15.18-0+deb12u1)", nil), ("17.1", nil),
    ])
    func olderServersAreRejected(version: String, named: String?) async throws {
        let problem = try await Self.problem(version)
        #expect(problem == named.map { StoreProblem.serverTooOld(version: $0) })
        #expect(problem?.exitCode ?? 4 == 4)
        if let named {
            #expect(problem?.sentence == "store: PostgreSQL \(named) is too old; 14 or later is needed")
        }
    }
}
