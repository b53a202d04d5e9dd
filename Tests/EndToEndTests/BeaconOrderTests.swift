import DemoOrigin
import Foundation
import Locks
import ScriptedServers
import TestSupport
import Testing

/// The order in which the real program writes the beacons of an ad.
@Suite struct BeaconOrderTests {
    /// Four ads in each break, and twice as many breaks as `sprint` has.
    private static func scenario() throws -> Scenario {
        var scenario = try #require(try BuiltinScenarios.load("sprint")).scenario
        for name in scenario.ads.keys { scenario.ads[name]?.durationMs = 500 }
        scenario.breaks?.everyMs = 2_500
        for pod in scenario.breaks?.pods.indices ?? 0..<0 {
            scenario.breaks?.pods[pod].ads = ["hurdles", "dash", "relay", "marathon"]
        }
        return scenario
    }

    /// The origin as a server of one thread with a connection for each request: it reads requests in the order in which they
    /// were written, which a busy one with more threads does not.
    private static func origin() async throws -> ScriptedServer {
        let start = Int(Date().timeIntervalSince1970 * 1_000)
        let responder = OriginResponder(scenario: try scenario(), seed: 1, startMs: start, authority: "127.0.0.1")
        let state = Locked(OriginState())
        return try await ScriptedServer(hasOneThread: true) { request in
            let lines = request.head.split(separator: "\r\n").dropFirst()
            let fields = lines.compactMap { line -> (name: String, value: String)? in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
            }
            let target = request.line.split(separator: " ").last.map(String.init) ?? ""
            let now = Int(Date().timeIntervalSince1970 * 1_000)
            let response = state.withLock {
                responder.respond(to: OriginRequest(target: target, headers: fields), at: now, state: &$0)
            }
            let head = response.headers.map { "\($0.name.rawValue): \($0.value)" } + ["Connection: close"]
            let length = "Content-Length: \(response.body.count)"
            let text = (["HTTP/1.1 \(response.status) -", length] + head).map { $0 + "\r\n" }.joined() + "\r\n"
            return [.send(Array(text.utf8) + response.body), .close]
        }
    }

    private struct Beacon {
        var ad: String
        var event: String
    }

    /// Beacons in the order in which they came.
    private static func beacons(_ requests: [ScriptedServer.Request]) -> [Beacon] {
        requests.compactMap { request in
            guard let items = URLComponents(string: String(request.line.dropFirst(4)))?.queryItems,
                request.line.contains("/beacon/")
            else { return nil }
            let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
            return Beacon(ad: "\(values["break"] ?? "") \(values["ad"] ?? "")", event: values["event"] ?? "")
        }
    }

    @Test func impressionComesBeforeStart() async throws {
        let state = try TemporaryFolder()
        let origin = try await Self.origin()
        let url = origin.url(OriginResponder.masterPath) + "?sessid=0123456789abcdef"
        let child = try AdtopChild(
            [url, "--no-init-request", "--poll", "500ms", "--fire", "--dump", "--for", "150s"], state: state.path)
        try await origin.wait(for: "twenty ads") { requests in
            Set(Self.beacons(requests).filter { $0.event == "start" }.map(\.ad)).count >= 20
        }
        _ = try await child.interrupt()
        let beacons = Self.beacons(origin.requests)
        let reversed = beacons.indices.filter { place in
            beacons[place].event == "start"
                && beacons[place...].contains { $0.event == "impression" && $0.ad == beacons[place].ad }
        }
        #expect(reversed.isEmpty, "\(reversed.map { beacons[$0].ad }) of \(beacons.count)")
        try await origin.stop()
    }
}
