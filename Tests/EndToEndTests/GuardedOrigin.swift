import DemoOrigin
import Foundation
import Locks
import ScriptedServers
import Testing

/// The embedded origin behind a guard of a test, which sees each request first. It has the breaks of `sprint`.
final class GuardedOrigin: Sendable {
    /// One request at the guard.
    struct Visit: Sendable {
        let request: ScriptedServer.Request
        /// Counts the requests that are not beacons, from 0.
        let number: Int

        var target: String { String(request.line.drop { $0 != " " }.dropFirst()) }
        var isBeacon: Bool { target.hasPrefix("/beacon/") }

        /// The value of a header field.
        func field(_ name: String) -> String? { GuardedOrigin.field(name, of: request) }
    }

    /// What the guard does with a request.
    enum Verdict: Sendable {
        /// The origin answers, with these fields added.
        case pass([String] = [])
        /// The origin answers, with a body that the test changes.
        case change(@Sendable (String) -> String)
        case answer(ScriptedServer.Step)
    }

    private struct Origin {
        var responder: OriginResponder?
        var state = OriginState()
        var visits = 0
    }

    private let server: ScriptedServer
    private let origin: Locked<Origin>
    private let address: String

    /// - Parameters:
    ///   - host: the host of its URLs; nil for the one that each request names.
    ///   - address: where it listens, 127.0.0.1 or ::1.
    ///   - hasOneThread: whether requests on several connections are seen in the order in which they came.
    init(
        at host: String? = nil, on address: String = "127.0.0.1", hasOneThread: Bool = false,
        _ guards: @escaping @Sendable (Visit) -> Verdict
    ) async throws {
        let scenario = try #require(try BuiltinScenarios.load("sprint")).scenario
        let origin = Locked(Origin())
        (self.origin, self.address) = (origin, address)
        server = try await ScriptedServer(hasOneThread: hasOneThread, host: address) { request in
            let visit = origin.withLock { origin in
                let visit = Visit(request: request, number: origin.visits)
                if !visit.isBeacon { origin.visits += 1 }
                return visit
            }
            let verdict = guards(visit)
            if case .answer(let step) = verdict { return [step] }
            let answer = origin.withLock { Self.answer(visit, at: host, from: &$0, scenario) }
            let body = String(decoding: answer.body, as: UTF8.self)
            return switch verdict {
            case .change(let changed): [Self.step(answer, body: changed(body))]
            case .pass(let fields): [Self.step(answer, body: body, fields)]
            case .answer(let step): [step]
            }
        }
    }

    private static func step(_ answer: OriginResponse, body: String, _ fields: [String] = []) -> ScriptedServer.Step {
        .answer(
            "\(answer.status) Status", answer.headers.map { "\($0.name.rawValue): \($0.value)" } + fields, body: body)
    }

    private static func answer(
        _ visit: Visit, at host: String?, from origin: inout Origin, _ scenario: Scenario
    ) -> OriginResponse {
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        let responder =
            origin.responder
            ?? OriginResponder(scenario: scenario, seed: 1, startMs: now, authority: visit.field("Host") ?? "")
        origin.responder = responder
        let parts = visit.request.head.split(separator: "\r\n").dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            let value = line.dropFirst(name.count + 2)
            guard let host, name.lowercased() == "host" else { return (name: String(name), value: String(value)) }
            return (name: String(name), value: host + value.drop { $0 != ":" })
        }
        let asked = OriginRequest(
            method: String(visit.request.line.prefix { $0 != " " }), target: visit.target, headers: parts,
            body: Array(visit.request.body.utf8))
        return responder.respond(to: asked, at: now, state: &origin.state)
    }

    static func field(_ name: String, of request: ScriptedServer.Request) -> String? {
        let lines = request.head.split(separator: "\r\n").dropFirst()
        return lines.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }.map {
            String($0.dropFirst(name.count + 2))
        }
    }

    var port: Int { server.port }
    var requests: [ScriptedServer.Request] { server.requests }
    var beacons: [ScriptedServer.Request] { requests.filter { $0.line.contains(" /beacon/") } }

    /// The stream's address, with user information before the host if there is some.
    func url(as credentials: String = "") -> String {
        let host = address.contains(":") ? "[\(address)]" : address
        return "http://\(credentials)\(host):\(port)\(OriginResponder.masterPath)"
    }

    /// What the origin answers to GET, without a request to the guard.
    func document(_ target: String) -> String {
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        return origin.withLock { origin in
            guard let responder = origin.responder else { return "" }
            let asked = OriginRequest(method: "GET", target: target, headers: [], body: [])
            return String(decoding: responder.respond(to: asked, at: now, state: &origin.state).body, as: UTF8.self)
        }
    }

    /// Waits until the requests are as wanted.
    func wait(for what: String, until isDone: @escaping @Sendable ([ScriptedServer.Request]) -> Bool) async throws {
        try await server.wait(for: what, until: isDone)
    }

    /// Waits until so many beacons have come.
    func waitForBeacons(_ count: Int) async throws {
        try await server.wait(for: "beacon number \(count)") { requests in
            requests.count { $0.line.contains(" /beacon/") } >= count
        }
    }

    func stop() async throws { try await server.stop() }
}
