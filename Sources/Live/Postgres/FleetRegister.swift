package import Fleet
import FleetSchema
import Ports

/// The store of a fleet as people use it: its schema, its list, agents, mode. Each method is one call, or a few that may be repeated.
package struct FleetRegister: Sendable {
    /// Bounds of calls that change many rows.
    static let long = PostgresConnection.Limits(time: .seconds(300))

    let connection: PostgresConnection

    /// - Parameter task: what the role must be allowed to do.
    package init(_ address: PostgresAddress, for task: StoreTask) {
        connection = PostgresConnection(address, application: "adtop/fleet", task: task)
    }

    /// Connects, and checks that there is a fleet with a schema that this program knows.
    package func open() async throws(StoreProblem) {
        try await connection.open()
        try await connection.requireKnownSchema()
    }

    /// Ends the connection at once and for good, also while a call waits.
    package func drop() { connection.drop() }

    /// The list, by name.
    package func channels() async throws(StoreProblem) -> [FleetChannel] {
        let answer = try await connection.call(
            """
            SELECT name, url, options, labels, regions, viewers FROM fleet.channels_changed(-1)
            WHERE removed_at IS NULL
            """, within: Self.long)
        let channels = try answer.rows.map { row throws(StoreProblem) in
            var options: [String: String] = [:]
            for member in try row.optionalJSON("options")?.objectValue?.members ?? [] {
                options[member.name] = member.value.stringValue
            }
            return FleetChannel(
                name: try row.text("name"), url: try row.text("url"), options: options,
                labels: try row.texts("labels").compactMap(\.self),
                regions: try row.texts("regions").compactMap(\.self), viewers: try row.integer("viewers"))
        }
        return channels.sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    /// Adds channels and changes those whose names are in the list, all or none.
    package func add(_ channels: [FleetChannel]) async throws(StoreProblem) -> ListChange {
        let change = ListChange(adding: channels, to: try await self.channels())
        let rows = change.added + change.changed
        guard !rows.isEmpty else { return change }
        _ = try await connection.call(
            "SELECT fleet.channels_add($1)", [.json(.array(rows.map(\.json)))], within: Self.long)
        return change
    }

    /// Removes channels; returns how many were in the list.
    package func remove(_ names: [String]) async throws(StoreProblem) -> Int {
        try await connection.call(
            "SELECT fleet.channels_remove($1) AS count", [.array(names.map { .text($0) })], within: Self.long
        ).row.integer("count")
    }

    /// Marks an agent; returns how many viewers it has, nil where no agent of the name is at work.
    package func drain(_ agent: String, isOn: Bool) async throws(StoreProblem) -> Int? {
        try await connection.call("SELECT fleet.agent_drain($1, $2) AS count", [.text(agent), .flag(isOn)])
            .row.optionalInteger("count")
    }

    /// - Parameter mode: `fire` or `observe`.
    package func setMode(_ mode: String) async throws(StoreProblem) {
        _ = try await connection.call("SELECT fleet.mode_set($1)", [.text(mode)])
    }

    /// Raises what agents must know, for the owner; false, and nothing is changed, where an agent of a lower protocol is at work.
    package func finish(_ upgrade: FleetUpgrade) async throws(StoreProblem) -> Bool {
        try await !connection.call(
            """
            UPDATE fleet.store SET protocol_min = greatest(protocol_min, $1), protocol_max = greatest(protocol_max, $1),
                state_version = greatest(state_version, $2)
            WHERE NOT EXISTS (SELECT FROM fleet.agent WHERE fenced_at IS NULL AND protocol < $1)
                AND \(Self.withoutStandby) RETURNING state_version
            """, [.integer(upgrade.target.protocolVersion), .integer(upgrade.target.stateVersion)]
        ).rows.isEmpty
    }

    /// Makes this server the fleet's, for the owner; returns its timeline.
    package func acceptServer() async throws(StoreProblem) -> String {
        _ = try await connection.call("SELECT fleet.server_accept(durability) FROM fleet.store")
        return try await connection.call("SELECT timeline FROM fleet.store").row.text("timeline")
    }
}

extension PostgresConnection {
    /// Throws unless there is a fleet with a schema that this program knows.
    package func requireKnownSchema() throws(StoreProblem) {
        let version = try call("SELECT fleet.schema_version() AS version").row.integer("version")
        if version > StoreProblem.knownSchemas.upperBound { throw .newerSchema(version) }
        if version < StoreProblem.knownSchemas.lowerBound { throw .olderSchema(version) }
    }

    /// Throws where the functions of the fleet are of a program so early that some which an agent of this one calls may be missing.
    package func requireFunctions(
        from lowest: Int = StoreSchema.lowestFunctionsVersion
    ) throws(StoreProblem) {
        guard try functionsVersion() >= lowest else { throw .earlierFleet }
    }

    /// The version of the functions that the store has; 0 for those of programs that gave them none, or let no agent ask for it.
    func functionsVersion() throws(StoreProblem) -> Int {
        let isKept = try call(
            """
            SELECT coalesce(has_function_privilege(to_regprocedure('fleet.functions_version()'), 'EXECUTE'), false)
                AS is_kept
            """
        ).row.flag("is_kept")
        guard isKept else { return 0 }
        return try call("SELECT fleet.functions_version() AS version").row.integer("version")
    }

    /// Throws where a crash of the server would forget commits.
    package func requireLastingServer() throws(StoreProblem) {
        let row = try call(
            "SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes"
        ).row
        for setting in ["fsync", "full_page_writes"] where try row.text(setting) != "on" {
            throw .forgetful(setting: setting)
        }
    }
}
