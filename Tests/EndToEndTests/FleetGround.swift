import DemoOrigin
import Fleet
import FleetSchema
import Foundation
import Live
import Locks
import Ports
import ScriptedServers
import TestSupport
import Testing

/// A fleet of real programs: a server of its own, an origin whose collector knows each beacon whatever its cache buster and its start, and
/// agents. No two documents of the origin have the same starts and URLs, so the store's unique key alone stops nothing.
struct FleetGround: Sendable {
    /// Whether a server can be started here. Where make soak asks for these tests, they fail without one in place of being skipped.
    static var isWanted: Bool { TestDatabase.isPossible || OneAtATime.FleetKillTests.areLongOnesAsked }

    let server: PrivatePostgres
    /// Follows the server; nil for none.
    let standby: PrivatePostgres?
    let origin: WatchedOrigin
    /// One for each viewer: who continues a viewer continues its session.
    let sessions: [String]
    private let folder: TemporaryFolder
    private let hasPromoted = Locked(false)

    /// A lease that a test can wait for.
    static let lease = Duration.milliseconds(1_500)

    /// - Parameters:
    ///   - schema: the schema's script, perhaps with a guard left out.
    ///   - hasStandby: whether a standby follows the server, asynchronously.
    ///   - change: what differs from `sprint`.
    init(
        viewers: Int, schema: String = StoreSchema.creation, hasStandby: Bool = false,
        _ change: (inout Scenario) -> Void = { _ in }
    ) async throws {
        sessions = (1...viewers).map { String(0x0123_4567_89ab_0000 + $0, radix: 16) }
        folder = try TemporaryFolder()
        server = try PrivatePostgres()
        origin = try await WatchedOrigin { scenario in
            WatchedOrigin.keepMetadata(&scenario)
            scenario.metadata.changes = MetadataChanges(startsMs: 300, cacheBuster: PlannedTarget.cacheBuster)
            change(&scenario)
        }
        try await server.waitUntilReady()
        standby = hasStandby ? try PrivatePostgres(standbyOf: server) : nil
        try await standby?.waitUntilReady()
        let channels = sessions.enumerated().map { index, session -> JSONValue in
            ["name": .string("ch\(index + 1)"), "url": .string("\(origin.streamURL)?sessid=\(session)")]
        }
        // Once more would find it made.
        try await ask(schema, within: .seconds(60))
        try await ask(
            """
            UPDATE fleet.store SET lease = '1500 ms', beat = '300 ms', mode = 'fire';
            SELECT fleet.channels_add('\(JSONValue.array(channels).text())')
            """)
    }

    /// What `--store` takes: whichever server can be written to.
    private var address: String { standby.map { "\(server.address()),\($0.folder)" } ?? server.address() }

    /// The server whose commits count.
    var primary: PrivatePostgres { hasPromoted.withLock { $0 } ? standby ?? server : server }

    /// Makes the standby the primary. Its operator has to promise that it has every claim: it has no standby of its own.
    ///
    /// Swift 6.3 cannot split a function with this one in it.
    @inline(never) func promote() async throws {
        let standby = try #require(standby)
        standby.promote()
        try await standby.waitUntilReady()
        hasPromoted.withLock { $0 = true }
        try await ask("UPDATE fleet.store SET durability = 'trusted'")
    }

    /// From now on each claim waits for the standby.
    func requireStandby() async throws {
        try await ask("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try await ask("SELECT pg_reload_conf()")
        try await ask("UPDATE fleet.store SET durability = 'strict'")
    }

    /// Each claim takes up to 100 ms between its check and its commit. What was not answered in time is asked again.
    func stretchClaims() async throws {
        try await ask(
            """
            CREATE OR REPLACE FUNCTION public.stretch() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(random() * 0.1); RETURN NULL; END $$;
            CREATE OR REPLACE TRIGGER stretch BEFORE INSERT ON fleet.claim FOR EACH STATEMENT EXECUTE FUNCTION public.stretch()
            """)
    }

    /// Starts an agent. Two of the same place are the same agent, one after the other.
    func start(_ name: String, place: String? = nil, _ switches: String = "heedless") throws -> AdtopChild {
        try AdtopChild(
            [
                "fleet", "agent", "--store", address, "--name", name, "--no-init-request", "--poll", "500ms",
            ], state: folder.file(place ?? name), environment: ["ADTOP_TEST_AGENT": switches])
    }

    /// Runs statements as the owner, with the answer of the last one; again as long as the server is away. A former primary is not asked.
    @discardableResult
    func ask(_ script: String, within limit: Duration = .seconds(5)) async throws -> PostgresAnswer {
        let address = try PostgresAddress(hasPromoted.withLock { $0 } ? primary.address() : self.address)
        // After a crash the server syncs its whole folder before it answers, which a busy disk can delay.
        let end = ContinuousClock.now + .seconds(90)
        while true {
            let connection = PostgresConnection(address, application: "adtop/tests", task: .own)
            do throws(StoreProblem) {
                try await connection.open()
                let answer = try await connection.run(script: script, within: .init(time: limit))
                await connection.close()
                return answer
            } catch {
                await connection.close()
                guard error.exitCode == 3, ContinuousClock.now < end else { throw error }
            }
            // Nothing announces that the server answers again.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// A number that a query gives.
    func number(_ query: String) async throws -> Int { try await ask("SELECT (\(query)) AS n").row.integer("n") }

    /// Waits until a condition of the store holds.
    func wait(for what: String, within limit: Duration = .seconds(30), until condition: String) async throws {
        let end = ContinuousClock.now + limit
        while try await number("SELECT (\(condition))::int") == 0 {
            try #require(ContinuousClock.now < end, "\(what) did not come in \(limit)")
            // The store announces nothing.
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    /// Server processes of agents whose names begin so, those that were connected first first.
    func backends(of prefix: String = "a") async throws -> [pid_t] {
        try await ask(
            "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'adtop/\(prefix)%' ORDER BY backend_start"
        ).rows.map { try $0.integer("pid", as: pid_t.self) }
    }

    /// Stops the server process of an agent's connection for all but claims, between two of its calls.
    func stopBeats(of agent: String) async throws -> pid_t {
        let pid = try #require(try await backends(of: agent).first)
        while true {
            kill(pid, SIGSTOP)
            if try await number("SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid) AND state = 'idle'") == 1 {
                return pid
            }
            kill(pid, SIGCONT)
        }
    }

    func stop() async {
        await origin.stop()
        standby?.stop()
        server.stop()
    }
}

/// What the plan of the origin calls a beacon.
enum PlannedTarget {
    static let cacheBuster = "zx"

    /// The path and query of its URL, without the cache buster.
    static func of(_ url: String) -> String {
        let path = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).last.map { "/\($0)" }
        return (path ?? "").replacing(/[&?]zx=[^&]*/, with: "")
    }

    /// The session of its viewer.
    static func session(of target: String) -> String {
        target.firstMatch(of: /sessid=([^&]*)/).map { String($0.output.1) } ?? ""
    }
}

extension Scenario {
    /// A stream that begins with so many seconds of content; then an ad of 24 s plays every minute. Whoever joins in it sends its impression.
    mutating func playsOneLongAd(after seconds: Int) {
        ads["hurdles"]?.durationMs = 24_000
        guard var pattern = breaks, var pod = pattern.pods.first else { return }
        pod.ads = ["hurdles"]
        pattern.pods = [pod]
        (pattern.everyMs, pattern.firstMs) = (60_000, seconds * 1_000)
        breaks = pattern
    }
}
