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
    let executor = WorldExecutor()
    /// The sessions of all agents.
    private let sessions = Monitors()

    init() {
        store = ModelStore(clock)
    }

    /// The clock for whatever runs here.
    var time: WorldClock { WorldClock(clock: clock, executor: executor) }

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
        var made: [Monitor] { all.withLock { $0 } }
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
            time: time, log: log, on: executor
        ) { [time, executor, sessions] viewer, journal in
            var settings = settings
            settings.take(over: viewer, at: time.now())
            let monitor = Monitor(
                settings, transport: transport, time: time,
                journal: WorldJournal(journal: journal, executor: executor))
            monitors.add(monitor)
            sessions.add(monitor)
            return SessionGroup.Member(name: name, monitor: monitor)
        }
        return run(runtime, monitors)
    }

    /// - Parameter monitors: the sessions that it makes.
    func run(_ runtime: FleetRuntime, _ monitors: Monitors = Monitors()) -> Agent {
        Agent(
            runtime: runtime, monitors: monitors, task: Task(executorPreference: executor) { await runtime.run() })
    }

    /// The agent's process is gone: nothing is given and nothing more is written.
    func kill(_ agent: Agent) async {
        agent.task.cancel()
        await agent.task.value
    }

    /// The agent ends in order.
    func end(_ agent: Agent) async {
        await agent.runtime.end()
        await pass(.seconds(4))
        await kill(agent)
    }

    /// Lets time pass in the steps that agents and sessions wait for, until a condition holds.
    func pass(_ span: Duration, until isReached: () -> Bool = { false }) async {
        let end = clock.now().uptime + span
        await settle()
        while clock.now().uptime < end, !isReached(), !Task.isCancelled {
            let ring = min(clock.nextRing ?? end, end)
            clock.advance(by: max(.zero, ring - clock.now().uptime))
            await settle()
        }
    }

    /// How often sessions are asked whether they are at rest. A task that a session makes may need several turns there before it does a step in
    /// the world: one that has work for the journal makes another one, which goes to the journal.
    private static let turns = 6

    /// Waits until agents and sessions have nothing to do at this moment.
    private func settle() async {
        var begun = -1
        repeat {
            await executor.rest()
            begun = executor.begun
            // Alarms and the work of a journal are tasks of their own, which begin at the session that made them. It answers behind all that
            // waited for a turn there, and before what that makes: the next question is behind this.
            for _ in 0..<Self.turns {
                for session in sessions.made { _ = await session.service() }
            }
        } while executor.begun != begun && !Task.isCancelled
    }
}

/// What arrived, by true beacon: ad and event, whatever else the URL carries.
final class Collector: Sendable {
    private struct State {
        var arrivals: [String: Int] = [:]
    }

    private let state = Locked(State())

    var arrivals: [String: Int] { state.withLock { $0.arrivals } }
    var doubled: [String] { arrivals.filter { $0.value > 1 }.keys.sorted() }

    func note(_ request: HTTPRequest, arrives: Bool) {
        state.withLock { state in
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
