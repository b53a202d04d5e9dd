package import Fleet
package import Live
import Locks

/// A database of its own for one test, on a server that the tests of a process share. The server ends with the process.
package struct TestDatabase: Sendable {
    /// Whether a server can be started here; `scripts/setup peers` installs what it needs.
    package static let isPossible = PrivatePostgres.programs != nil && PostgresAddress.isLibraryThere

    private static let server = Task {
        let server = try PrivatePostgres()
        try await server.waitUntilReady()
        return server
    }
    private static let count = Locked(0)

    package let server: PrivatePostgres
    package let name: String

    package init() async throws {
        server = try await Self.server.value
        name = Self.count.withLock { count in
            count += 1
            return "test\(count)"
        }
        let connection = PostgresConnection(
            try PostgresAddress(server.address()), application: "adtop/tests", task: .create)
        try await connection.open()
        _ = try await connection.call("CREATE DATABASE \(name)")
        await connection.close()
    }

    /// What `--store` takes.
    package func address(as role: String = PrivatePostgres.owner) -> String { server.address(name, as: role) }

    /// An open connection.
    package func connection(
        as role: String = PrivatePostgres.owner, for task: StoreTask = .own
    ) async throws -> PostgresConnection {
        let connection = PostgresConnection(
            try PostgresAddress(address(as: role)), application: "adtop/tests", task: task)
        try await connection.open()
        return connection
    }
}
