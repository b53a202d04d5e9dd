package import Fleet
import FleetSchema

/// What `adtop fleet init` does.
extension FleetRegister {
    /// What ``create()`` found or made.
    package struct Creation: Hashable, Sendable {
        package var isNew: Bool
        package var database: String
        package var version: Int
        /// Functions and views that a fleet which was there did not have as they are now.
        package var replaced: Int
        /// Roles that have rights now.
        package var roles: [String]
        package var missingRoles: [String]
    }

    /// Makes the schema. Where it is present, replaces its functions and views by those of this program, so that a fleet of the same version has
    /// them as they are now; where a later program made them, it changes nothing and throws `laterFleet`. Gives the roles that exist their rights.
    /// All of it is one transaction, and only one process at a time does it.
    package func create() async throws(StoreProblem) -> Creation {
        try await connection.open()
        try await connection.requireLastingServer()
        // Whoever waits for another process sees what it committed: each of the statements that follow has a snapshot of its own.
        try await connection.run(script: Self.beginning, within: Self.long)
        do throws(StoreProblem) {
            let creation = try await make()
            try await connection.run(script: "COMMIT")
            return creation
        } catch {
            // A connection that broke has ended the transaction, too.
            _ = try? await connection.run(script: "ROLLBACK")
            throw error
        }
    }

    /// This waits for readers of a view that is replaced, but not forever. It does not wait for a standby: later claims are confirmed together
    /// with this commit. Without a standby it would keep the row of the store locked, and that row has to change before commits succeed again.
    private static let beginning = """
        BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '10s'; SET LOCAL synchronous_commit = 'local';
        SELECT pg_advisory_xact_lock(hashtextextended('adtop fleet init', 0))
        """

    private func make() async throws(StoreProblem) -> Creation {
        let row = try await connection.call(
            "SELECT to_regnamespace('fleet') IS NOT NULL AS is_there, current_database() AS name"
        ).row
        let isThere = try row.flag("is_there")
        if isThere { try await requireOwnSchema() }
        let before = try await definitions()
        if isThere {
            try await replaceFunctions()
        } else {
            try await connection.run(script: StoreSchema.creation, within: Self.long)
        }
        try await connection.run(script: StoreSchema.rights, within: Self.long)
        let after = try await definitions()
        // Agents of this program's protocol are admitted beside those of the former one, until the upgrade is finished.
        _ = try await connection.call(
            "UPDATE fleet.store SET protocol_max = $1 WHERE protocol_max < $1", [.integer(StoreProblem.ownProtocol)])
        let present = try await connection.call(
            "SELECT rolname FROM pg_roles WHERE rolname = ANY ($1)",
            [.array(StoreSchema.roles.map { .text($0) })]
        ).rows.map { row throws(StoreProblem) in try row.text("rolname") }
        return Creation(
            isNew: !isThere, database: try row.text("name"), version: StoreSchema.version,
            replaced: isThere ? after.count { before[$0.key] != $0.value } : 0,
            roles: StoreSchema.roles.filter(present.contains),
            missingRoles: StoreSchema.roles.filter { !present.contains($0) })
    }

    /// Throws where the store has those of a later program with the same schema. Those serve this program as well: a function whose result
    /// changed has another name.
    private func replaceFunctions() async throws(StoreProblem) {
        guard try await connection.functionsVersion() <= StoreSchema.functionsVersion else { throw .laterFleet }
        try await connection.run(script: StoreSchema.functions, within: Self.long)
    }

    /// Throws where the schema is of a version that this program does not know, or no fleet's at all.
    private func requireOwnSchema() async throws(StoreProblem) {
        do throws(StoreProblem) {
            try await connection.requireKnownSchema()
        } catch {
            guard case .noFleet(let database) = error else { throw error }
            // The SQLSTATE of a schema that is there already.
            throw .failed(
                state: "42P06",
                words: "database '\(database)' has a schema 'fleet' that adtop did not make; use another database")
        }
    }

    /// The functions and views of the fleet, each with a hash of what it does; none where there is no fleet.
    private func definitions() async throws(StoreProblem) -> [String: String] {
        var definitions: [String: String] = [:]
        for row in try await connection.call(Self.definitionQuery).rows {
            definitions[try row.text("name")] = try row.text("hash")
        }
        return definitions
    }

    private static let definitionQuery = """
        SELECT p.oid::regprocedure::text AS name, md5(pg_get_functiondef(p.oid)) AS hash FROM pg_proc p
        WHERE p.pronamespace = to_regnamespace('fleet')
        UNION ALL SELECT c.oid::regclass::text, md5(pg_get_viewdef(c.oid)) FROM pg_class c
        WHERE c.relnamespace = to_regnamespace('fleet') AND c.relkind = 'v'
        """
}
