import Ports
import ScriptedServers
import Testing

@testable import Live
@testable import Monitoring
@testable import Session

/// The order of beacons on a real wire, seen by a server with one thread that never answers.
@Suite struct SendOrderTests {
    private static let pairs = 100

    /// Hands over the pairs as a monitor does, and starts them all at once, the last one first.
    /// - Returns: how many of them reached the server in reverse.
    private static func reversed(lane: (Int) -> String?) async throws -> Int {
        let transport = LiveHTTPTransport(sessions: 100, openFiles: 4_096)
        let server = try await ScriptedServer(hasOneThread: true) { _ in [] }
        var lanes = SendLanes()
        var orders: [(request: HTTPRequest, turn: SendLanes.Turn?)] = []
        for pair in 0..<pairs {
            for event in ["impression", "start"] {
                var request = HTTPRequest(
                    url: try WebURL(server.url("/\(pair)/\(event)")), maximumBodyBytes: 1_024)
                request.totalTimeout = .seconds(3)
                request.lane = lane(pair)
                orders.append((request, lanes.turn(for: request)))
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for order in orders.reversed() {
                group.addTask {
                    await order.turn?.come(SystemTimeSource(), patience: .seconds(5))
                    let exchange = await transport.send(order.request) { order.turn?.isWritten() }
                    order.turn?.isWritten()
                    #expect(exchange.failure?.kind == .timeout)
                }
            }
        }
        let paths = server.requests.map { $0.head.split(separator: " ").dropFirst().first.map(String.init) ?? "" }
        await transport.shutdown()
        try await server.stop()
        #expect(paths.count == 2 * pairs)
        return (0..<pairs).count { pair in
            let places = ["impression", "start"].map { paths.firstIndex(of: "/\(pair)/\($0)") ?? 0 }
            return places[0] > places[1]
        }
    }

    @Test func impressionIsOnTheWireBeforeStart() async throws {
        #expect(try await Self.reversed { "ad \($0)" } == 0)
    }

    /// Without lanes some of the pairs are reversed, or the test above could not fail.
    @Test func withoutALaneTheOrderIsLost() async throws {
        #expect(try await Self.reversed { _ in nil } > 0)
    }
}
