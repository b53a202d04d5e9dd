import Locks
import Ports
import TestSupport
import Testing

@testable import Monitoring
@testable import Session

/// Requests of one lane are written in their order, without waiting for answers.
@Suite(.timeLimit(.minutes(1))) struct SendLanesTests {
    /// A clock whose sleeps end at once, or only when they are cancelled.
    private struct Clock: TimeSource {
        var isOver = false

        func now() -> Moment { Moment(wall: FakeOrigin.start, uptime: .zero) }

        func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
            guard !isOver else { return }
            let (never, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            end.finish()
            throw CancellationError()
        }
    }

    private final class Wire: Sendable {
        private let contents = Locked<[String]>([])
        var written: [String] { contents.withLock { $0 } }
        func write(_ name: String) { contents.withLock { $0.append(name) } }
    }

    private static func request(_ host: String, lane: String?) throws -> HTTPRequest {
        var request = HTTPRequest(url: try WebURL("http://\(host)/b"), maximumBodyBytes: 1)
        request.lane = lane
        return request
    }

    @Test func theOrderOfTurnsIsThatOfTheWire() async throws {
        var lanes = SendLanes()
        let wire = Wire()
        let names = (0..<20).map { "\($0)" }
        var turns: [(String, SendLanes.Turn)] = []
        for name in names {
            let turn = lanes.turn(for: try Self.request("t", lane: "ad 1"))
            turns.append((name, try #require(turn)))
        }
        await withTaskGroup(of: Void.self) { group in
            // The last one starts first.
            for (name, turn) in turns.reversed() {
                group.addTask {
                    await turn.come(Clock(), patience: .seconds(5))
                    wire.write(name)
                    turn.isWritten()
                }
            }
        }
        #expect(wire.written == names)
    }

    @Test func otherHostsAndLanesDoNotWait() async throws {
        var lanes = SendLanes()
        let first = lanes.turn(for: try Self.request("t", lane: "ad 1"))
        #expect(first != nil)
        for (host, lane) in [("u", "ad 1"), ("t", "ad 2")] {
            let turn = lanes.turn(for: try Self.request(host, lane: lane))
            await turn?.come(Clock(), patience: .seconds(5))
            #expect(turn != nil)
        }
        let none = lanes.turn(for: try Self.request("t", lane: nil))
        #expect(none == nil)
    }

    /// One that is never written delays the next as long as a connection may take, not longer.
    @Test func aRequestThatIsNeverWrittenHoldsNothingUp() async throws {
        var lanes = SendLanes()
        let request = try Self.request("t", lane: "ad 1")
        let first = lanes.turn(for: request)
        let second = lanes.turn(for: request)
        await second?.come(Clock(isOver: true), patience: .seconds(5))
        lanes.ended(try #require(first), of: request)
        lanes.ended(try #require(second), of: request)
        let third = lanes.turn(for: request)
        await third?.come(Clock(), patience: .seconds(5))
    }

    /// A request that ends without having been written, such as a refused connection, lets the next one go.
    @Test func theEndOfARequestCountsAsWritten() async throws {
        var lanes = SendLanes()
        let request = try Self.request("t", lane: "ad 1")
        let first = lanes.turn(for: request)
        let second = lanes.turn(for: request)
        lanes.ended(try #require(first), of: request)
        await second?.come(Clock(), patience: .seconds(5))
    }
}
