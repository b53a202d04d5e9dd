import Locks
import Ports
import Testing

@testable import Monitoring
@testable import Session

@Suite(.timeLimit(.minutes(1))) struct SessionGroupTests {
    /// Answers every request with a failure, and records the sender and time.
    private final class Network: HTTPTransport {
        private let asked = Locked<[String]>([])
        var hosts: [String] { asked.withLock { $0 } }

        func send(_ request: HTTPRequest) async -> HTTPExchange {
            asked.withLock { $0.append(request.url.host) }
            return HTTPExchange(failure: HTTPFailure(.connect, "refused"))
        }
    }

    /// A stopped clock: every sleep lasts until it is cancelled.
    private struct Standing: TimeSource {
        let moment = Moment(wall: UnixTime(milliseconds: 1_000), uptime: .seconds(5))
        func now() -> Moment { moment }
        func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
            do {
                // Nothing else ends it: the test cancels what it started.
                try await Task.sleep(for: .seconds(3_600))
            } catch {
                throw CancellationError()
            }
        }
    }

    private func group(_ names: [String], _ network: Network, spread: Duration) throws -> SessionGroup {
        let (time, log) = (Standing(), SessionsLog())
        let members = try names.map { name in
            var configuration = MonitorConfiguration(
                mediaURL: try WebURL("http://\(name).example/live/master.m3u8"))
            configuration.name = name
            return SessionGroup.Member(
                name: name,
                monitor: Monitor(
                    configuration, transport: network, time: time, journal: InMemoryJournal(),
                    logSink: log.sink(for: name)))
        }
        return SessionGroup(members, log: log, spread: spread, seed: 1, time: time)
    }

    private static func waitUntilItFails(_ monitor: Monitor) async {
        for await snapshot in await monitor.snapshots() where snapshot.session.phase == .failing { return }
    }

    @Test func startsLieEvenlyInTheSpan() {
        let starts = SessionGroup.starts(count: 500, spread: .seconds(10), seed: 7)
        #expect(starts.first == .zero)
        for (index, start) in starts.enumerated().dropFirst() {
            #expect(start >= .milliseconds(20) * index && start < .milliseconds(20) * (index + 1))
        }
        #expect(starts != SessionGroup.starts(count: 500, spread: .seconds(10), seed: 8))
        #expect(SessionGroup.starts(count: 3, spread: .zero, seed: 7) == [.zero, .zero, .zero])
    }

    @Test func theSpanIsOneOfPollsOrMore() {
        #expect(SessionGroup.spread(of: 1, polling: .seconds(4)) == .zero)
        #expect(SessionGroup.spread(of: 10, polling: .seconds(4)) == .seconds(4))
        #expect(SessionGroup.spread(of: 500, polling: .seconds(4)) == .seconds(10))
    }

    @Test func sessionsAreNamedAsTheListNamesThem() async throws {
        let group = try group(["a", "b"], Network(), spread: .zero)
        let health = await group.health()
        #expect(health.map(\.name) == ["a", "b"])
        #expect(health.map(\.mediaURL) == ["http://a.example/live/master.m3u8", "http://b.example/live/master.m3u8"])
        #expect(health.allSatisfy { $0.phase == .starting })
    }

    @Test func whatFailsInOneTouchesNoOther() async throws {
        let network = Network()
        let group = try group(["a", "b"], network, spread: .zero)
        let running = Task { await group.run() }
        // Session initialisation takes a handful of requests; each is answered at once.
        for member in group.members { await Self.waitUntilItFails(member.monitor) }
        await group.members[0].monitor.stop()
        #expect(await group.health().map(\.phase) == [.ended, .failing])
        #expect(Set(network.hosts) == ["a.example", "b.example"])
        let log = await group.view().log
        for name in ["a", "b"] {
            #expect(log.suffix(log.count).contains { $0.session == name && $0.level == .error })
        }
        await group.stop()
        await running.value
    }

    @Test func stoppingEndsThoseThatHaveNotBegunToo() async throws {
        let network = Network()
        let group = try group(["a", "b", "c"], network, spread: .seconds(60))
        let running = Task { await group.run() }
        await Self.waitUntilItFails(group.members[0].monitor)
        await group.stop()
        await running.value
        #expect(Set(network.hosts) == ["a.example"])
        #expect(await group.health().map(\.phase) == [.ended, .ended, .ended])
    }
}
