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
        case answer(ScriptedServer.Step)
    }

    private struct Origin {
        var responder: OriginResponder?
        var state = OriginState()
        var visits = 0
    }

    private let server: ScriptedServer

    /// - Parameter host: the host of its URLs; nil for the one that each request names.
    init(at host: String? = nil, _ guards: @escaping @Sendable (Visit) -> Verdict) async throws {
        let scenario = try #require(try BuiltinScenarios.load("sprint")).scenario
        let origin = Locked(Origin())
        server = try await ScriptedServer { request in
            let visit = origin.withLock { origin in
                let visit = Visit(request: request, number: origin.visits)
                if !visit.isBeacon { origin.visits += 1 }
                return visit
            }
            switch guards(visit) {
            case .answer(let step): return [step]
            case .pass(let fields):
                return [origin.withLock { Self.answer(visit, at: host, from: &$0, scenario, fields) }]
            }
        }
    }

    private static func answer(
        _ visit: Visit, at host: String?, from origin: inout Origin, _ scenario: Scenario, _ fields: [String]
    ) -> ScriptedServer.Step {
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
        let answer = responder.respond(to: asked, at: now, state: &origin.state)
        return .answer(
            "\(answer.status) Status", answer.headers.map { "\($0.name.rawValue): \($0.value)" } + fields,
            body: String(decoding: answer.body, as: UTF8.self))
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
        "http://\(credentials)127.0.0.1:\(port)\(OriginResponder.masterPath)"
    }

    /// Waits until so many beacons have come.
    func waitForBeacons(_ count: Int) async throws {
        try await server.wait(for: "beacon number \(count)") { requests in
            requests.count { $0.line.contains(" /beacon/") } >= count
        }
    }

    func stop() async throws { try await server.stop() }
}
