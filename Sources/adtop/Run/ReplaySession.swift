import Live
import Monitoring
import Ports

/// A recording that plays by itself: its inputs go through the same state as they did live, at their own distances.
actor ReplaySession: WatchedSession {
    nonisolated let time: any TimeSource
    private var replay: Replay
    private var subscribers: [AsyncStream<Snapshot>.Continuation] = []
    private var isStopped = false

    /// Plays from `start` (uptime of the recording), `speed` times as fast as it was.
    init(_ replay: Replay, from start: Duration, speed: Double) {
        self.replay = replay
        self.replay.move(toUptime: start)
        let origin = self.replay.snapshot().at
        time = ScaledTime(real: SystemTimeSource(), origin: origin.advanced(by: start - origin.uptime), speed: speed)
    }

    func snapshot() -> Snapshot { replay.snapshot(at: time.now()) }

    func snapshots() -> AsyncStream<Snapshot> {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(snapshot())
        subscribers.append(continuation)
        return stream
    }

    /// What was reported is shown; nothing can be done about it.
    nonisolated var cache: SessionCache? { nil }

    func submit(_ input: Input) -> String? {
        "this is a recording: nothing can be changed or sent"
    }

    func run() async {
        while !isStopped, replay.position < replay.count {
            let next = replay.recording.inputs[replay.position].at.uptime
            // Cancelled when the dashboard ends.
            guard (try? await time.sleep(untilUptime: next)) != nil, !isStopped else { break }
            replay.move(toUptime: time.now().uptime)
            let snapshot = snapshot()
            subscribers.forEach { $0.yield(snapshot) }
        }
        subscribers.forEach { $0.finish() }
    }

    func stop() {
        isStopped = true
    }
}

/// A clock that starts at a recorded moment and runs `speed` times as fast as the real one.
private struct ScaledTime: TimeSource {
    let real: SystemTimeSource
    let origin: Moment
    let speed: Double
    private let started: Duration

    init(real: SystemTimeSource, origin: Moment, speed: Double) {
        self.real = real
        self.origin = origin
        self.speed = speed
        started = real.now().uptime
    }

    func now() -> Moment {
        origin.advanced(by: (real.now().uptime - started) * speed)
    }

    func sleep(untilUptime uptime: Duration) async throws(CancellationError) {
        try await real.sleep(untilUptime: started + (uptime - origin.uptime) / speed)
    }
}
