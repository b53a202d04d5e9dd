package import Fleet
import Locks
package import Monitoring
package import Ports

/// The store of a fleet on PostgreSQL for one agent: a connection for claims and one for all else. Calls are the functions of the schema, one
/// statement each.
package final class PostgresStore: FleetStore {
    /// What an agent says of itself.
    package struct Agent: Hashable, Sendable {
        package var name: String
        package var version: String
        package var region: String
        package var capacity: Int
        package var process: Int32

        package init(name: String, version: String, region: String = "", capacity: Int = 2_000, process: Int32) {
            self.name = name
            self.version = version
            self.region = region
            self.capacity = capacity
            self.process = process
        }
    }

    private struct State {
        var connections: [Bool: PostgresConnection] = [:]
        var problem: StoreProblem?
        /// The version in which sessions are saved: that of the fleet when the incarnation began, so that every agent at work can read them,
        /// before an upgrade is finished and after it was taken back.
        var stateVersion = StoreProblem.ownStateVersion
    }

    private let agent: Agent
    private let address: PostgresAddress
    private let time: any TimeSource
    private let seal: SessionSeal?
    private let state = Locked(State())
    private let names = StoreNames()
    private let turn = HostTurn()
    package let hints: AsyncStream<Void>
    private let hintSink: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - time: the clock of the agent.
    ///   - seal: seals the sessions that are handed on; nil leaves them in clear.
    package init(_ address: PostgresAddress, for agent: Agent, time: any TimeSource, seal: SessionSeal? = nil) {
        self.seal = seal
        self.address = address
        self.agent = agent
        self.time = time
        // One hint that was not taken yet says all.
        (hints, hintSink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What the store reported last; nil while it answers.
    package var problem: StoreProblem? { state.withLock { $0.problem } }

    package func perform(_ call: StoreCall) async -> StoreReply {
        await withTaskCancellationHandler {
            await carryOut(call)
        } onCancel: {
            drop(claims: call.isClaim)
        }
    }

    private func carryOut(_ call: StoreCall) async -> StoreReply {
        let connection = connection(claims: call.isClaim)
        // Whoever cancels from here on finds the connection.
        guard !Task.isCancelled else { return .failed(.lost(place: "the store")) }
        do throws(StoreProblem) {
            let reply = try await answer(call, connection)
            state.withLock { $0.problem = nil }
            return reply
        } catch {
            state.withLock { $0.problem = error }
            return StoreRefusal(error).map { .answered(.refused($0), hasWarning: false) } ?? .failed(error)
        }
    }

    package func drop(claims: Bool) {
        state.withLock { $0.connections.removeValue(forKey: claims) }?.drop()
    }

    package func close() async {
        let open = state.withLock { state in
            defer { state.connections = [:] }
            return Array(state.connections.values)
        }
        for connection in open { await connection.close() }
        hintSink.finish()
    }

    private func connection(claims: Bool) -> PostgresConnection {
        state.withLock { state in
            if let known = state.connections[claims] { return known }
            let hint: @Sendable () -> Void = { [hintSink] in hintSink.yield() }
            let new = PostgresConnection(
                address, application: "adtop/\(agent.name)", task: .agent, turn: turn, heard: claims ? nil : hint)
            state.connections[claims] = new
            return new
        }
    }

    /// All of a call on the thread of its connection: on a busy machine each change of threads costs as much as the call.
    private func answer(
        _ call: StoreCall, _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> StoreReply {
        try connection.open()
        switch call {
        case .start(let name, let place): return try start(name, place, connection)
        case .beat(let id, let load): return try beat(id, load, connection)
        case .take(let id, let count):
            let rows = try connection.call(Self.take, [.integer(id), .integer(count)])
            return Self.reply(.taken(try StoreReading.taken(rows, seal: seal)), rows)
        case .owned(let id):
            let rows = try connection.call("SELECT viewer, epoch FROM fleet.viewers_of($1)", [.integer(id)])
            return Self.reply(.owned(try StoreReading.owned(rows)), rows)
        case .claims(let id, let viewers, let key): return try claims(id, viewers, after: key, connection)
        case .claim(let id, let requests): return try claim(id, requests, connection)
        case .channels(let id, let since): return try channels(id, since: since, connection)
        case .unsent(let id, let rows):
            let hosts = try names.numbers(of: rows.map(\.beacon.host), connection)
            let ads = names.newAds(of: rows.map(\.beacon), at: time.now().uptime)
            return try done(
                "SELECT fleet.unsent_add($1, $2)" + (ads == nil ? "" : " FROM fleet.ads_add($1, $3)"),
                [.integer(id), StoreNames.unsent(rows, hosts)] + [ads].compactMap(\.self), connection)
        default:
            let form = StoreWriting.SessionForm(version: state.withLock { $0.stateVersion }, isSealed: seal != nil)
            guard let (sql, parameters) = StoreWriting.statement(sealed(call), at: time.now().uptime, sessions: form)
            else {
                throw .strangeAnswer("this call")
            }
            return try done(sql, parameters, connection)
        }
    }

    /// What cannot be sealed is not saved.
    private func sealed(_ call: StoreCall) -> StoreCall {
        guard let seal, case .sessions(let agent, let states, let number) = call else { return call }
        let sealed = states.compactMap { id, state in seal.seal(state, of: id.viewer).map { (id, $0) } }
        return .sessions(agent: agent, states: Dictionary(uniqueKeysWithValues: sealed), number: number)
    }

    private func done(
        _ sql: String, _ parameters: [PostgresParameter], _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> StoreReply {
        Self.reply(.done, try connection.call(sql, parameters))
    }

    private static func reply(_ answer: StoreAnswer, _ rows: PostgresAnswer) -> StoreReply {
        .answered(answer, hasWarning: rows.warning != nil)
    }

    private static let take = """
        SELECT viewer, epoch, \(PostgresSQL.microseconds("due_from")), channel, name, url, options, number,
        \(PostgresSQL.hex("state")), coalesce(sealed, false) AS is_sealed, \(PostgresSQL.microseconds("media")), \(PostgresSQL.microseconds("media_at")), rate,
        \(PostgresSQL.microseconds("at")), region FROM fleet.viewers_take($1, $2, \(StoreProblem.ownStateVersion)::smallint)
        """
}

/// Calls that need more than one statement, or whose answers say more than that they are done.
extension PostgresStore {
    private func start(
        _ name: String, _ place: String, _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> StoreReply {
        try connection.requireKnownSchema()
        try connection.requireFunctions()
        try connection.requireLastingServer()
        let rows = try connection.call(
            "SELECT agent, lease_ms, beat_ms, mode, state_version FROM fleet.agent_start($1, $2, $3, $4, $5, $6, $7)",
            [
                .text(name), .text(agent.version), .integer(StoreProblem.ownProtocol), .text(agent.region),
                .integer(agent.capacity), .text(place), .integer(agent.process),
            ])
        let row = try rows.row
        let terms = FleetTerms(
            lease: .milliseconds(try row.integer("lease_ms")), beat: .milliseconds(try row.integer("beat_ms")),
            isFiring: try row.text("mode") == "fire")
        let version: Int = try row.integer("state_version")
        state.withLock { $0.stateVersion = min(version, StoreProblem.ownStateVersion) }
        return Self.reply(.started(agent: try row.integer("agent"), terms: terms), rows)
    }

    private func beat(
        _ id: Int, _ load: AgentLoad, _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> StoreReply {
        let json: JSONValue = [
            "queue": .integer(Int64(load.queue)), "spoolBytes": .integer(Int64(load.spoolBytes)),
            "failing": .integer(Int64(load.failing)), "cores": .optional(load.usage.cores.map(Self.hundredths)),
            "residentBytes": .optional(load.usage.residentBytes),
            "claimP99Ms": .optional(load.usage.claimP99.map { Double($0.inMicroseconds) / 1_000 }),
            "stateVersion": .integer(Int64(StoreProblem.ownStateVersion)),
            "claimsSilentMs": .optional(load.silence?.span.inMilliseconds),
            "claimsProblem": .optional(load.silence?.words),
            // Ads without a day end some time after they were named (``StoreNames``), unless an agent names them once.
            "namesAdsAgain": true,
        ]
        let rows = try connection.call(
            "SELECT mode, drain, want, holding, change, watched FROM fleet.agent_beat($1, $2)",
            [.integer(id), .json(json)])
        let row = try rows.row
        var beat = StoreAnswer.Beat(
            want: try row.integer("want"), holding: try row.integer("holding"), isDraining: try row.flag("drain"))
        beat.isFiring = try row.text("mode") == "fire"
        beat.change = try row.integer("change")
        beat.watched = try row.integers("watched")
        return Self.reply(.beat(beat), rows)
    }

    /// What changed, then what it means: the viewers are read as they are after the change.
    private func channels(
        _ id: Int, since: Int, _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> StoreReply {
        let channels = try connection.call(
            "SELECT id, name, url, options FROM fleet.channels_changed($1) WHERE removed_at IS NULL",
            [.integer(since)])
        let rows = try connection.call("SELECT viewer, epoch FROM fleet.viewers_unwanted($1)", [.integer(id)])
        let unwanted = try StoreReading.owned(rows)
        return Self.reply(.channels(try StoreReading.channels(channels), unwanted: unwanted), rows)
    }

    private static func hundredths(_ number: Double) -> Double { (number * 100).rounded() / 100 }

    /// What was claimed of viewers, then the ads that it names: an ad is added before the first claim that names it.
    private func claims(
        _ id: Int, _ viewers: [Int], after key: ClaimKey?, _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> StoreReply {
        let parameters: [PostgresParameter] = [.integer(id), .array(viewers.map { .integer($0) })]
        let part: [PostgresParameter] = [
            .integer(StoreCall.largestPart), .time(key.map { StoreWriting.date($0.due) }),
            key.map { .identity(StoreWriting.bytes($0.beacon)) } ?? .null, .optional(key?.round),
            .optional(key?.attempt),
        ]
        let claims = try connection.call(
            """
            SELECT viewer, \(PostgresSQL.microseconds("due_at")), beacon, round, attempt, state, status, type, url, ad,
            epoch, number FROM fleet.claims_after($1, $2, $3, $4, $5, $6, $7)
            """, parameters + part)
        // Beside them the store has those of a day, which are many more.
        let named = PostgresParameter.array(try StoreReading.adIDs(claims).map { .integer($0) })
        let ads = try connection.call(
            """
            SELECT viewer, id, \(PostgresSQL.microseconds("first_start")), ad, break FROM fleet.ads_of($1, $2)
            WHERE id = ANY ($3)
            """, parameters + [named])
        return Self.reply(.claims(try StoreReading.claims(claims, ads: ads)), claims)
    }

    /// Hosts that the store does not know yet, then ads that it does not know and the claims, in one transaction.
    private func claim(
        _ id: Int, _ requests: [ClaimRequest], _ connection: isolated PostgresConnection
    ) throws(StoreProblem) -> StoreReply {
        let hosts = try names.numbers(of: requests.map(\.beacon.host), connection)
        let claim = "SELECT fleet.claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) AS results"
        let ads = names.newAds(of: requests.map(\.beacon), at: time.now().uptime)
        // What is in FROM is executed first.
        let rows = try connection.call(
            ads == nil ? claim : claim + " FROM fleet.ads_add($1, $14)",
            [.integer(id)] + StoreNames.columns(of: requests, hosts) + [ads].compactMap(\.self))
        let results = try rows.row.integers("results", as: Int.self)
        guard results.count == requests.count else { throw .strangeAnswer("the number of results") }
        var answers: [ClaimResult] = []
        for result in results {
            switch result {
            case 0: answers.append(.granted)
            case 1: answers.append(.taken)
            case 2: answers.append(.notOwner)
            case 3: answers.append(.tooOld)
            default: throw .strangeAnswer("a result of a claim")
            }
        }
        if rows.warning == nil { names.hasAds(of: zip(requests, answers).compactMap { $1 == .notOwner ? nil : $0 }) }
        return Self.reply(.claimed(answers), rows)
    }
}

extension StoreRefusal {
    /// Nil for a problem that says nothing about the call.
    init?(_ problem: StoreProblem) {
        switch problem {
        case .fenced: self = .fenced
        case .protocolNotAdmitted: self = .protocolUnknown
        case .notDurable: self = .notDurable
        case .observing: self = .observing
        case .nameInUse: self = .nameInUse
        case .otherServer: self = .otherServer
        default: return nil
        }
    }
}
