import AdTracking
import Fleet
import Locks
import Ports
import Session
import TestSupport

@testable import Monitoring

/// Agents with real sessions, each on a stream of its own, at one store and one collector, on a clock that moves only on command.
final class FleetWorld: Sendable {
    let clock = MonitorWorld(FakeOrigin())
    let store: ModelStore
    let collector = Collector()

    init() {
        store = ModelStore(clock)
    }

    /// One agent of the fleet.
    struct Agent: Sendable {
        let runtime: FleetRuntime
        let monitors: Monitors
        let task: Task<Void, Never>
    }

    /// The sessions that an agent made, the newest last.
    final class Monitors: Sendable {
        private let all = Locked([Monitor]())
        var last: Monitor? { all.withLock { $0.last } }
        func add(_ monitor: Monitor) { all.withLock { $0.append(monitor) } }
    }

    /// - Parameters:
    ///   - refusesBeacons: no connection to the collector can be made from there.
    ///   - disk: where the agent's place keeps its spool, at most so many bytes.
    func start(
        _ name: String, on origin: FakeOrigin, retry: RetrySetting = .safe, refusesBeacons: Bool = false,
        disk: (any SpoolDisk)? = nil, spoolLimit: Int = FleetSpool.largest, log: (any SessionLogSink)? = nil
    ) throws -> Agent {
        let transport = Transport(
            origin: origin, clock: clock, collector: collector, refusesBeacons: refusesBeacons)
        let monitors = Monitors()
        var configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        configuration.seed = 3
        configuration.retry = retry
        configuration.writesHistory = true
        let settings = configuration
        let runtime = FleetRuntime(
            FleetAgent(name: name, place: name, spoolLimit: spoolLimit, isSame: nil), store: store, disk: disk,
            time: clock, log: log
        ) { [clock] viewer, journal in
            var settings = settings
            settings.take(over: viewer, at: clock.now())
            let monitor = Monitor(settings, transport: transport, time: clock, journal: journal)
            monitors.add(monitor)
            return SessionGroup.Member(name: name, monitor: monitor)
        }
        return Agent(runtime: runtime, monitors: monitors, task: Task { await runtime.run() })
    }

    /// The agent's process is gone: nothing is given and nothing more is written.
    func kill(_ agent: Agent) async {
        agent.task.cancel()
        await agent.task.value
    }

    /// The agent ends in order.
    func end(_ agent: Agent, others: [Agent] = []) async {
        await agent.runtime.end()
        await pass(.seconds(4), [agent] + others)
        await kill(agent)
    }

    /// Lets time pass in the steps that agents and sessions wait for, until a condition holds.
    func pass(_ span: Duration, _ agents: [Agent], until isReached: () -> Bool = { false }) async {
        let end = clock.now().uptime + span
        await settle(agents)
        while clock.now().uptime < end, !isReached() {
            let ring = min(await nextRing() ?? end, end)
            clock.advance(by: max(.zero, ring - clock.now().uptime))
            await settle(agents)
        }
    }

    /// The next time that is waited for. An agent at work always does, once its task has begun.
    private func nextRing() async -> Duration? {
        for _ in 0..<10_000 {
            if let ring = clock.nextRing { return ring }
            await Task.yield()
        }
        return nil
    }

    /// Rounds without any activity after which there is none: a thread that carries some may have to wait for a processor.
    private static let quietRounds = 300
    /// The same while calls are on their way to the store or back, which no actor orders.
    private static let callRounds = 10_000

    /// Waits until agents and sessions have nothing to do at this moment.
    private func settle(_ agents: [Agent]) async {
        var before = -1
        var rounds = 0
        var isCalling = false
        while before != activity || rounds < (isCalling ? Self.callRounds : Self.quietRounds) {
            rounds = before == activity ? rounds + 1 : 0
            before = activity
            var open = 0
            for agent in agents {
                _ = await agent.runtime.health()
                open += await agent.runtime.openCalls
            }
            isCalling = open > store.withheld
            await Task.yield()
        }
    }

    private var activity: Int { store.calls + collector.requests }
}

/// What arrived, by true beacon: ad and event, whatever else the URL carries.
final class Collector: Sendable {
    private struct State {
        var arrivals: [String: Int] = [:]
        var requests = 0
    }

    private let state = Locked(State())

    var arrivals: [String: Int] { state.withLock { $0.arrivals } }
    var requests: Int { state.withLock { $0.requests } }
    var doubled: [String] { arrivals.filter { $0.value > 1 }.keys.sorted() }

    func note(_ request: HTTPRequest, arrives: Bool) {
        state.withLock { state in
            state.requests += 1
            guard arrives, request.url.path.hasSuffix("/b"), let query = request.url.query else { return }
            let truth = query.split(separator: "&").filter { $0.hasPrefix("ad=") || $0.hasPrefix("e=") }
            state.arrivals[truth.joined(separator: " "), default: 0] += 1
        }
    }
}

private struct Transport: HTTPTransport {
    let origin: FakeOrigin
    let clock: MonitorWorld
    let collector: Collector
    let refusesBeacons: Bool

    func send(_ request: HTTPRequest) async -> HTTPExchange {
        let isRefused = refusesBeacons && request.url.path.hasSuffix("/b")
        collector.note(request, arrives: !isRefused)
        if isRefused { return FakeOrigin.failure(.connect, "connection refused").exchange }
        return origin.reply(to: request, at: clock.now(), count: 0).exchange
    }
}
