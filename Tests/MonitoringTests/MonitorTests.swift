import AdTracking
import Locks
import Monitoring
import Ports
import Session
import TestSupport
import Testing

/// The actor around the state: ordering, publishing, stopping. The time limit turns a hang into a failure.
@Suite(.timeLimit(.minutes(1))) struct MonitorTests {
    /// A clock that moves only on command, a network on it, and a record of the monitor's inputs.
    private final class World: TimeSource, HTTPTransport, InputRecorder {
        private struct State {
            var now = Moment(wall: FakeOrigin.start + .seconds(95), uptime: .seconds(100))
            var sleepers: [Int: (Duration, CheckedContinuation<Bool, Never>)] = [:]
            var cancelled: Set<Int> = []
            var next = 0
            var sent: [String] = []
            var counts: [String: Int] = [:]
            var inputs: [RecordedInput] = []
            /// Requests whose answers the monitor has not taken yet.
            var unanswered = 0
        }

        private let contents = Locked(State())
        private let changes = Changes()
        let origin: FakeOrigin
        let (failures, failureSink) = AsyncStream.makeStream(of: String.self)

        init(_ origin: FakeOrigin) {
            self.origin = origin
        }

        var sent: [String] { contents.withLock { $0.sent } }
        var inputs: [RecordedInput] { contents.withLock { $0.inputs } }
        /// An element for every input, and for every time that the monitor begins to wait for the clock.
        var news: AsyncStream<Void> { changes.stream() }

        func record(_ input: RecordedInput) {
            contents.withLock { state in
                state.inputs.append(input)
                switch input.input {
                case .fetched, .beaconAnswered: state.unanswered -= 1
                default: break
                }
            }
            changes.announce()
        }

        func now() -> Moment { contents.withLock { $0.now } }

        func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
            let id = contents.withLock { state in
                state.next += 1
                return state.next
            }
            let wasRung = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let result: Bool? = contents.withLock { state in
                        if state.cancelled.remove(id) != nil { return false }
                        if state.now.uptime >= uptime { return true }
                        state.sleepers[id] = (uptime, continuation)
                        return nil
                    }
                    if let result { continuation.resume(returning: result) }
                    changes.announce()
                }
            } onCancel: {
                let sleeper = contents.withLock { state -> CheckedContinuation<Bool, Never>? in
                    guard let sleeper = state.sleepers.removeValue(forKey: id) else {
                        state.cancelled.insert(id)
                        return nil
                    }
                    return sleeper.1
                }
                sleeper?.resume(returning: false)
            }
            if !wasRung { throw CancellationError() }
        }

        /// When the next sleeper wants to be rung; nil while there is none, or a request is on its way.
        private var nextRing: Duration? {
            contents.withLock { $0.unanswered > 0 ? nil : $0.sleepers.values.map(\.0).min() }
        }

        /// Moves the clock to the next moment that the monitor waits for, once it has nothing else to do: it takes nothing
        /// more in over several round trips.
        func advance(_ monitor: Monitor) async {
            guard nextRing != nil else { return }
            let before = inputs.count
            for _ in 0..<5 { _ = await monitor.health() }
            guard let ring = nextRing, inputs.count == before else { return }
            advance(by: max(.zero, ring - now().uptime))
        }

        func advance(by span: Duration) {
            let due = contents.withLock { state in
                state.now = state.now.advanced(by: span)
                let due = state.sleepers.filter { $0.value.0 <= state.now.uptime }
                for id in due.keys { state.sleepers[id] = nil }
                return due.values.map(\.1)
            }
            for sleeper in due { sleeper.resume(returning: true) }
        }

        func send(_ request: HTTPRequest) async -> HTTPExchange {
            let (now, count) = contents.withLock { state in
                state.sent.append(request.url.text)
                state.unanswered += 1
                let count = state.counts[request.url.path, default: 0]
                state.counts[request.url.path] = count + 1
                return (state.now, count)
            }
            return origin.reply(to: request, at: now, count: count).exchange
        }
    }

    private static let origin = FakeOrigin(breaks: [
        .init(id: "b1", ads: [.init("a1", start: 80_000, duration: 20_000, isUserDriven: true)])
    ])

    /// Runs a monitor beside `body`, which must end it or let it end.
    private func run(
        _ origin: FakeOrigin = origin, _ body: (Monitor, World) async throws -> Void
    ) async throws {
        let world = World(origin)
        var configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        configuration.seed = 3
        let monitor = Monitor(configuration, transport: world, time: world, journal: InMemoryJournal(), recorder: world)
        async let running: Void = monitor.run()
        do {
            try await body(monitor, world)
        } catch {
            await monitor.stop()
            await running
            throw error
        }
        await monitor.stop()
        await running
    }

    /// The first snapshot that satisfies `condition`; the clock advances whenever the monitor waits for it.
    private func wait(
        _ monitor: Monitor, _ world: World, for condition: (Snapshot) -> Bool
    ) async throws -> Snapshot {
        for await _ in world.news {
            let snapshot = await monitor.snapshot()
            if condition(snapshot) { return snapshot }
            await world.advance(monitor)
        }
        throw CancellationError()
    }

    @Test func aSessionRunsToItsBeacons() async throws {
        try await run { monitor, world in
            let snapshot = try await wait(monitor, world) { $0.counters.beaconsAcknowledged >= 3 }
            #expect(snapshot.session.phase == .running)
            #expect(
                Set(world.sent.filter { $0.contains("/b?") }).count == world.sent.filter { $0.contains("/b?") }.count)
        }
    }

    @Test func reportsReturnWhetherABeaconWasSent() async throws {
        try await run { monitor, world in
            #expect(await monitor.report(.mute) == false)
            _ = try await wait(monitor, world) { $0.breaks.first?.ads.first?.isOnAir == true }
            #expect(await monitor.report(.mute) == true)
            #expect(await monitor.report(.skip) == false)
            #expect(world.sent.contains(FakeOrigin.beacon("a1", "mute")))
        }
    }

    @Test func aSlowReaderGetsTheNewestSnapshotOnly() async throws {
        try await run { monitor, world in
            let stream = await monitor.snapshots()
            _ = try await wait(monitor, world) { $0.counters.metadataPolls >= 3 }
            var reader = stream.makeAsyncIterator()
            let snapshot = try #require(await reader.next())
            #expect(snapshot.counters.metadataPolls >= 2)
        }
    }

    @Test func readersEndWithTheSession() async throws {
        let world = World(Self.origin)
        let configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        let monitor = Monitor(configuration, transport: world, time: world, journal: InMemoryJournal(), recorder: world)
        let stream = await monitor.snapshots()
        async let running: Void = monitor.run()
        async let last = stream.reduce(into: Snapshot?.none) { $0 = $1 }
        await monitor.stop()
        await running
        #expect(await last?.session.phase == .ended)
        #expect(await monitor.report(.mute) == false)
    }

    @Test func cancellingTheTaskEndsTheSession() async throws {
        let world = World(Self.origin)
        let configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        let monitor = Monitor(configuration, transport: world, time: world, journal: InMemoryJournal(), recorder: world)
        let task = Task { await monitor.run() }
        _ = try await wait(monitor, world) { $0.session.phase == .running }
        task.cancel()
        await task.value
        // Nothing goes on after it: no reader waits, no action is taken, the clock wakes no request.
        for await _ in await monitor.snapshots() {}
        #expect(await monitor.report(.mute) == false)
        let (sent, inputs) = (world.sent.count, world.inputs.count)
        world.advance(by: .seconds(60))
        await monitor.submit(.woke)
        #expect(world.sent.count == sent && world.inputs.count == inputs)
    }

    /// Stopping waits for the journal: it contains the outcome of every answered beacon.
    @Test func stoppingFlushesTheJournal() async throws {
        let world = World(Self.origin)
        let storage = InMemoryJournal.Storage()
        let configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        let monitor = Monitor(
            configuration, transport: world, time: world, journal: InMemoryJournal(storage: storage), recorder: world)
        async let running: Void = monitor.run()
        _ = try await wait(monitor, world) { $0.counters.beaconsAcknowledged >= 2 }
        await monitor.stop()
        await running
        let journal = InMemoryJournal(storage: storage)
        let entries = try await journal.open(SessionKey("http://127.0.0.1:8080 S1")).entries
        #expect(entries.count >= 2)
        #expect(entries.allSatisfy { $0.outcome == "acknowledged" })
    }

    @Test func inputsAreRecordedInOrderAndReplayTheSession() async throws {
        var last: Snapshot?
        var recorded: World?
        try await run { monitor, world in
            last = try await wait(monitor, world) { $0.counters.beaconsAcknowledged >= 3 }
            recorded = world
        }
        let inputs = try #require(recorded).inputs
        #expect(inputs.first?.input == .started)
        #expect(inputs.contains { $0.input == .stopped })
        var configuration = MonitorConfiguration(mediaURL: try WebURL(FakeOrigin.base + "/live/index.m3u8"))
        configuration.seed = 3
        var replay = Replay(Recording(configuration: configuration, inputs: inputs))
        replay.move(toUptime: try #require(last).at.uptime)
        #expect(replay.snapshot().counters.beaconsSent >= 3)
        #expect(replay.snapshot().session.manifestURL == last?.session.manifestURL)
    }

    @Test func aFailedRecordingIsReportedImmediately() async throws {
        try await run { monitor, world in
            world.failureSink.yield("no space left on device")
            let snapshot = try await wait(monitor, world) { $0.errors.byKind[.recording] != nil }
            let message = "recording stopped: no space left on device"
            #expect(snapshot.errors.latest?.message == message)
            #expect(snapshot.log.suffix(100).contains { $0.level == .error && $0.message == message })
            #expect(snapshot.session.mode == .fire)
        }
    }
}
