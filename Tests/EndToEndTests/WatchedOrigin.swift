import DemoOrigin
import Foundation
import OriginServer
import Ports
import TestSupport
import Testing

/// The embedded origin in this process with a break every five seconds, and programs that watch one session of it.
struct WatchedOrigin: Sendable {
    private let server: DemoServer
    let url: String

    /// The stream's address without a session.
    let streamURL: String

    /// - Parameters:
    ///   - session: how long a session of the scenario lasts, and what it is refused then.
    ///   - change: what else differs from `sprint`.
    init(session: SessionShape = SessionShape(), _ change: (inout Scenario) -> Void = { _ in }) async throws {
        var scenario = try #require(try BuiltinScenarios.load("sprint")).scenario
        scenario.session = session
        change(&scenario)
        server = DemoServer(.init(scenario: scenario), clock: { Int64(Date().timeIntervalSince1970 * 1_000) })
        streamURL = try await server.start().streamURL
        // Every program watches the same session: a new one would be another viewer with beacons of its own.
        url = "\(streamURL)?sessid=0123456789abcdef"
    }

    /// With sessions in the form of a service.
    init(_ dialect: SessionShape.Dialect, _ change: (inout Scenario) -> Void = { _ in }) async throws {
        try await self.init { scenario in
            scenario.session.dialect = dialect
            change(&scenario)
        }
    }

    /// A change for `init`: the metadata keeps every break of a test, so that a program which starts late on a busy machine knows
    /// what an earlier one sent.
    static func keepMetadata(_ scenario: inout Scenario) { scenario.metadata.windowMs = 120_000 }

    /// On 127.0.0.1.
    var port: Int { URL(string: streamURL)?.port ?? 0 }

    /// What the collector got, in order.
    var receipts: [Receipt] { server.receipts }
    /// URLs of the receipts, from path to query.
    var targets: [String] { server.receipts.map(\.target) }
    /// A beacon that a viewer must send.
    struct Planned: Sendable {
        /// From path to query.
        let target: String
        /// When it is due, on the dates of the stream.
        let atMs: Int
        let breakID: String
        let event: String
    }

    /// The beacons that a viewer of the session must send, by the date at which they are due.
    func plan(
        from: Int, to: Int, session: String = "0123456789abcdef"
    ) async throws -> [Planned] {
        let port = try #require(URL(string: streamURL)?.port)
        let path = "/plan?sessid=\(session)&fromMs=\(from)&toMs=\(to)&continues=true"
        let answer = await LoopbackClient(port: port).get(path)
        let document = try JSONReader.read(answer.body)
        return (document["beacons"]?.arrayValue ?? []).map { beacon in
            let url = beacon["url"]?.stringValue ?? ""
            return Planned(
                target: String(url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }),
                atMs: Int(beacon["atMs"]?.integerValue ?? 0), breakID: beacon["breakId"]?.stringValue ?? "",
                event: beacon["event"]?.stringValue ?? "")
        }
    }

    /// The beacons that a viewer must send who played this. What is due at the very join is played, and a plan begins after
    /// its start; but of an ad that ends there nothing was played.
    func plan(of played: ClosedRange<Int>, session: String) async throws -> [Planned] {
        try await plan(from: played.lowerBound - 1, to: played.upperBound, session: session).filter {
            $0.atMs > played.lowerBound || $0.event != "complete"
        }
    }

    /// Stops, and expects that the viewer of one session sent each beacon once that was due, and no other one.
    /// - Parameters:
    ///   - document: what the viewer's program knew at its end.
    ///   - margin: what was due so many milliseconds before the end may be on its way.
    ///   - joined: parts of the URLs of beacons whose spans may include the join, so that they are due but in no plan that continues: the
    ///     span of an impression is its ad, that of a start its first second.
    ///   - mayLackFirst: whether beacons of the break in which the viewer joined may be missing.
    func expectDueOnce(
        in document: DumpedSession, margin: Int = 1_500, joined: [String] = ["event=impression&", "event=start&"],
        mayLackFirst: Bool = false
    ) async throws {
        let session = try #require(receipts.first?.session)
        let played = try #require(document.played.first)
        let planned = try await plan(of: played, session: session)
        await stop()
        let targets = receipts.filter { $0.event != "ping" }.map(\.target)
        let first = mayLackFirst ? planned.first { $0.atMs >= played.lowerBound }?.breakID : nil
        let due = planned.filter { $0.atMs < played.upperBound - margin && $0.breakID != first }.map(\.target)
        #expect(due.count > 10)
        #expect(Set(due).subtracting(targets) == [])
        #expect(Set(targets).count == targets.count)
        let unplanned = Set(targets).subtracting(planned.map(\.target))
        #expect(unplanned.allSatisfy { target in joined.contains { target.contains($0) } }, "\(unplanned)")
    }

    /// URLs that came more than once, whatever cache busters and tokens they have.
    var duplicates: [String] { server.receipts.filter(\.isDuplicate).map(\.target) }

    func stop() async { await server.stop() }

    /// Starts a program that follows the session and prints it as JSON at its end.
    func watch(
        _ arguments: [String] = [], state: String, through command: [String] = [], environment: [String: String] = [:]
    ) throws -> AdtopChild {
        let fixed = ["--no-init-request", "--poll", "500ms", "--dump", "--format", "json", "--unredacted"]
        // Without a condition it follows the stream until the test interrupts it.
        let span = arguments.contains("--for") ? [] : ["--for", "150s"]
        return try AdtopChild(
            [url] + fixed + span + arguments, state: state, through: command, environment: environment)
    }

    /// Starts a program that opens a session of its own, as viewers do, and prints it as JSON at its end.
    func open(_ arguments: [String], state: String) throws -> AdtopChild {
        try AdtopChild([streamURL, "--dump", "--format", "json", "--unredacted"] + arguments, state: state)
    }

    /// Runs one until what its arguments say has come.
    func dump(
        _ arguments: [String], state: String, through command: [String] = [], status: Int32 = 0
    ) async throws -> DumpedSession {
        let run = try await watch(arguments, state: state, through: command).end()
        #expect(run.status == status, "\(run.errors)")
        return DumpedSession(json: try run.json())
    }

    /// Waits until the collector has what is wanted.
    func wait(
        for what: String, within limit: Duration = .seconds(60),
        until isDone: @escaping @Sendable ([Receipt]) -> Bool
    ) async throws {
        try await TestSupport.wait(
            for: what, within: limit, on: server.receiptArrivals(),
            was: { "after \(receipts.count) receipts" }, until: { isDone(server.receipts) })
    }

    /// Waits until it has so many receipts.
    func waitForReceipts(_ count: Int) async throws {
        try await wait(for: "receipt number \(count)") { $0.count >= count }
    }

    /// Waits until beacons of so many breaks have come that had none before: all earlier ones are then over.
    func waitForNewBreaks(_ count: Int) async throws {
        let known = Set(receipts.map(\.breakId))
        try await wait(for: "\(count) new breaks") { Set($0.map(\.breakId)).subtracting(known).count >= count }
    }
}
