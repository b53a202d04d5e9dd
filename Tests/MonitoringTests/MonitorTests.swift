import AdTracking
import Monitoring
import Ports
import Session
import TestSupport
import Testing

/// The actor around the state: ordering, publishing, stopping. The time limit turns a hang into a failure.
@Suite(.timeLimit(.minutes(1))) struct MonitorTests {
    private static let origin = FakeOrigin(breaks: [
        .init(id: "b1", ads: [.init("a1", start: 80_000, duration: 20_000, isUserDriven: true)])
    ])

    /// Runs a monitor beside `body`, which must end it or let it end.
    private func run(
        _ origin: FakeOrigin = origin, withholding url: String? = nil,
        _ body: (Monitor, MonitorWorld) async throws -> Void
    ) async throws {
        let world = MonitorWorld(origin, withholding: url)
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
        _ monitor: Monitor, _ world: MonitorWorld, for condition: (Snapshot) -> Bool
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
            // Read once: the session continues and may send the next one meanwhile.
            let sent = world.sent.filter { $0.contains("/b?") }
            #expect(Set(sent).count == sent.count)
        }
    }

    /// `start` is not handed to the transport while `impression` is not on the wire, whether it is answered or not.
    @Test func aBeaconWaitsForTheOneBeforeItOnTheWire() async throws {
        let (impression, start) = (FakeOrigin.beacon("a1", "impression"), FakeOrigin.beacon("a1", "start"))
        try await run(withholding: impression) { monitor, world in
            _ = try await wait(monitor, world) { _ in world.isTurnAwaited || world.sent.contains(start) }
            #expect(world.sent.contains(impression))
            #expect(!world.sent.contains(start))
            // The clock stands until the beacon is sent, whose turn has come: much later it would not be sent any more.
            let news = world.news
            world.write()
            for await _ in news where world.sent.contains(start) { break }
            #expect(world.sent.contains(start))
        }
    }

    /// What it waits for counts: it is sent when its request is written.
    @Test func aBeaconThatWaitsForItsTurnIsLate() async throws {
        let (impression, start) = (FakeOrigin.beacon("a1", "impression"), FakeOrigin.beacon("a1", "start"))
        try await run(withholding: impression) { monitor, world in
            _ = try await wait(monitor, world) { _ in world.isTurnAwaited || world.sent.contains(start) }
            let claimed = world.now().wall
            world.advance(by: .seconds(2))
            world.write()
            let snapshot = try await wait(monitor, world) { snapshot in
                let sent = Self.beacons([impression, start], in: snapshot)
                return sent.count == 2 && sent.allSatisfy { $0.state == .acknowledged }
            }
            let sent = Self.beacons([impression, start], in: snapshot)
            #expect(sent.allSatisfy { ($0.late ?? .zero) >= .seconds(2) })
            #expect(sent.compactMap(\.attempts.first).allSatisfy { $0.at.wall >= claimed + .seconds(2) })
            #expect(snapshot.counters.late >= 2)
        }
    }

    private static func beacons(_ urls: [String], in snapshot: Snapshot) -> [URLView] {
        let events = snapshot.breaks.first?.ads.first?.events ?? []
        return events.flatMap(\.urls).filter { urls.contains($0.url) }
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
        let world = MonitorWorld(Self.origin)
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
        let world = MonitorWorld(Self.origin)
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
        let world = MonitorWorld(Self.origin)
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
        var recorded: MonitorWorld?
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

    /// Behind its last input, when the session has ended: not when all sessions of the process have ended.
    @Test func aRecordingEndsWithItsSession() async throws {
        var recorded: MonitorWorld?
        try await run { monitor, world in
            _ = try await wait(monitor, world) { $0.session.phase == .running }
            #expect(world.inputsAtEnd == nil)
            recorded = world
        }
        let world = try #require(recorded)
        #expect(world.inputsAtEnd == world.inputs.count)
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
