package import Fleet
package import Ports

/// What `adtop fleet status` reads: the views for operators and readers, and what every role may read of the server.
extension FleetRegister {
    /// The store, and its clock.
    package func store() async throws(StoreProblem) -> (store: FleetOverview.Store, now: UnixTime) {
        let start = ContinuousClock.now
        let row = try await connection.call(Self.storeQuery).row
        let latency = ContinuousClock.now - start
        let days = try await connection.call(Self.dayQuery).rows
        let names = try days.map { row throws(StoreProblem) in Self.day(try row.text("day")) }
        var kept: [String] = []
        for (name, row) in zip(names, days) where try row.flag("is_kept") { kept.append(name) }
        let upkeep = try row.optionalInteger("upkeep_age", as: Int64.self)
        let store = FleetOverview.Store(
            schemaVersion: try row.integer("schema_version"),
            protocols: ProtocolRange(
                lowest: try row.integer("protocol_min"), highest: try row.integer("protocol_max")),
            stateVersion: try row.integer("state_version"), mode: try row.text("mode"),
            durability: try row.text("durability"), serverVersion: await connection.serverVersion,
            systemID: try row.optionalText("system_id"), timeline: try row.optionalText("timeline"),
            standbys: try row.integer("standbys"), namesStandbys: try row.flag("names_standbys"),
            isStandby: try row.flag("is_standby"), latency: latency,
            bytes: try row.integer("bytes", as: Int64.self), days: names, keptDays: kept,
            isTomorrowThere: try row.flag("is_tomorrow_there"), upkeepAge: upkeep.map { .microseconds($0) })
        return (store, try row.time("now"))
    }

    /// Agents at work, and those that ended within an hour; by name.
    package func agents() async throws(StoreProblem) -> [FleetOverview.Agent] {
        let agents = try await connection.call(Self.agentQuery).rows.map { row throws(StoreProblem) in
            let state = try row.text("state")
            guard let known = FleetOverview.Agent.State(rawValue: state) else {
                throw .strangeAnswer("the state of an agent")
            }
            return FleetOverview.Agent(
                name: try row.text("name"), id: try row.integer("id", as: Int64.self), state: known,
                version: try row.text("version"),
                protocolVersion: try row.integer("protocol"), region: try row.text("region"),
                place: try row.text("place"), pid: try row.integer("pid"), capacity: try row.integer("capacity"),
                holding: try row.integer("holding"),
                beatAge: .microseconds(try row.integer("beat_age", as: Int64.self)),
                uptime: .microseconds(try row.integer("uptime", as: Int64.self)),
                load: FleetOverview.Load(try row.optionalJSON("load")))
        }
        return agents.sorted { $0.name == $1.name ? $0.id < $1.id : NaturalOrder.precedes($0.name, $1.name) }
    }

    /// All of it.
    /// - Parameters:
    ///   - time: our clock, with which that of the store is compared.
    ///   - known: rate and unknown claims of a reading of late; nil counts them, which takes longer the more is claimed.
    package func overview(
        by time: any TimeSource, claims known: FleetClaims? = nil
    ) async throws(StoreProblem) -> FleetOverview {
        var (store, now) = try await store()
        try await requireOwnServer(store)
        // The answer is as old as its way back.
        store.clockSkew = now - (time.now().wall - store.latency / 2)
        var overview = FleetOverview(at: now, store: store)
        overview.agents = try await agents()
        var viewers = FleetOverview.Viewers()
        for row in try await connection.call(Self.regionQuery).rows {
            let region = FleetOverview.Region(
                name: try row.text("region"), viewers: try row.integer("viewers"), waiting: try row.integer("waiting"),
                orphaned: try row.integer("orphaned"))
            overview.regions.append(region)
            viewers.count += region.viewers
            viewers.waiting += region.waiting
            viewers.orphaned += region.orphaned
            let waits = try row.optionalInteger("longest_wait", as: Int64.self) ?? 0
            let orphaned = try row.optionalInteger("longest_orphaned", as: Int64.self) ?? 0
            viewers.longestWait = max(viewers.longestWait, .microseconds(waits))
            viewers.longestOrphaned = max(viewers.longestOrphaned, .microseconds(orphaned))
        }
        let channels = try await connection.call(Self.channelQuery).row
        viewers.channels = try channels.integer("channels")
        viewers.failingChannels = try channels.integer("failing")
        overview.viewers = viewers
        let claims: FleetClaims
        if let known { claims = known } else { claims = try await self.claims() }
        (overview.claimsPerSecond, overview.unknownLastHour) = (claims.perSecond, claims.unknownLastHour)
        return overview
    }

    /// Throws where a `single` fleet is on another server than its own: a copy, a restored or a promoted one, on which nothing is claimed.
    private func requireOwnServer(_ store: FleetOverview.Store) async throws(StoreProblem) {
        guard store.durability == "single", !store.isStandby else { return }
        // A reader may not ask before `fleet init` of this version has run.
        let mayAsk = try await connection.call(
            "SELECT coalesce(has_function_privilege(to_regprocedure('fleet.server()'), 'EXECUTE'), false) AS may_ask"
        ).row.flag("may_ask")
        guard mayAsk else { return }
        let here = try await connection.call("SELECT system_id, timeline FROM fleet.server()").row
        let timeline = try here.text("timeline")
        guard (try here.text("system_id"), timeline) != (store.systemID, store.timeline) else { return }
        throw .otherServer(timeline: timeline, known: store.timeline ?? "none")
    }

    private func claims() async throws(StoreProblem) -> FleetClaims {
        let row = try await connection.call(Self.claimQuery).row
        return FleetClaims(
            perSecond: try row.optionalNumber("rate"),
            unknownLastHour: try row.optionalInteger("unknown", as: Int64.self))
    }

    /// `2026-11-24` for `20261124`.
    private static func day(_ digits: String) -> String {
        "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.dropFirst(6))"
    }

    static func age(_ column: String, as name: String) -> String {
        "(extract(epoch FROM clock_timestamp() - \(column)) * 1000000)::bigint AS \(name)"
    }

    private static let storeQuery = """
        SELECT schema_version, protocol_min, protocol_max, state_version, mode, durability, system_id, timeline,
            (SELECT count(*) FROM pg_stat_replication) AS standbys,
            current_setting('synchronous_standby_names') <> '' AS names_standbys, pg_is_in_recovery() AS is_standby,
            pg_database_size(current_database()) AS bytes, \(age("upkeep_at", as: "upkeep_age")),
            to_regclass('fleet.claim_' || to_char((now() AT TIME ZONE 'UTC')::date + 1, 'YYYYMMDD')) IS NOT NULL
                AS is_tomorrow_there,
            \(PostgresSQL.microseconds("clock_timestamp()", as: "now")) FROM fleet.stores
        """

    private static let dayQuery = """
        SELECT right(c.relname, 8) AS day,
            to_date(right(c.relname, 8), 'YYYYMMDD') + interval '2 days' < now() - (SELECT retention FROM fleet.stores) AS is_kept
        FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'fleet.claim'::regclass AND c.relname ~ '_[0-9]{8}$' ORDER BY 1
        """

    private static let agentQuery = """
        SELECT name, id, state, version, protocol, region, place, pid, capacity,
            CASE WHEN fenced_at IS NULL THEN holding ELSE 0 END AS holding, \(age("beat_at", as: "beat_age")),
            (extract(epoch FROM coalesce(fenced_at, clock_timestamp()) - started_at) * 1000000)::bigint AS uptime, load
        FROM fleet.agents WHERE fenced_at IS NULL OR fenced_at > now() - interval '1 hour'
        """

    private static let regionQuery = """
        SELECT region, count(*) AS viewers, count(*) FILTER (WHERE phase = 'waiting') AS waiting,
            count(*) FILTER (WHERE phase = 'orphaned') AS orphaned,
            \(age("min(without_agent_since) FILTER (WHERE phase = 'waiting')", as: "longest_wait")),
            \(age("min(without_agent_since) FILTER (WHERE phase = 'orphaned')", as: "longest_orphaned"))
        FROM fleet.viewers GROUP BY region ORDER BY region
        """

    /// A store that `fleet init` of this version has not seen counts no list, so its row is asked without naming the column.
    private static let channelQuery = """
        SELECT coalesce((SELECT (to_jsonb(s)->>'channels')::bigint FROM fleet.stores s), count(DISTINCT channel)) AS channels,
            count(DISTINCT channel) FILTER (WHERE problem IS NOT NULL AND phase NOT IN ('waiting', 'orphaned')) AS failing
        FROM fleet.viewers
        """

    /// A claim without an outcome is unknown only after its request had time for an answer.
    private static let claimQuery = """
        SELECT count(*) FILTER (WHERE claimed_at > now() - interval '60 s') / 60.0 AS rate,
            count(*) FILTER (WHERE state = 'unknown' AND claimed_at < now() - interval '30 s') AS unknown
        FROM fleet.beacons WHERE claimed_at > now() - interval '1 hour'
        """
}

/// What is counted over the claims of an hour.
package struct FleetClaims: Hashable, Sendable {
    package var perSecond: Double?
    package var unknownLastHour: Int64?

    package init(perSecond: Double?, unknownLastHour: Int64?) {
        (self.perSecond, self.unknownLastHour) = (perSecond, unknownLastHour)
    }
}
