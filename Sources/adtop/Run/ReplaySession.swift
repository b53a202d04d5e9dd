import Live
import Monitoring
import Ports

/// A recording that plays by itself: its inputs go through the same state as they did live, at their own distances. Pause,
/// seek and rate are of the replay; of the session nothing can be changed.
actor ReplaySession: WatchedSession {
    /// Speeds it can be played at.
    static let speeds = 0.01...1_000.0

    private let clock: ReplayClock
    private var replay: Replay
    private var subscribers: [AsyncStream<Snapshot>.Continuation] = []
    private var isStopped = false
    /// Ends by itself, or when what it waits for has changed.
    private var wait: Task<Void, Never>?

    nonisolated var time: any TimeSource { clock }

    /// Plays from `start` (uptime of the recording), `speed` times as fast as it was.
    init(_ replay: Replay, from start: Duration, speed: Double) {
        self.replay = replay
        self.replay.move(toUptime: start)
        clock = ReplayClock(at: replay.recording.moment(atUptime: start), speed: speed)
    }

    func snapshot() -> Snapshot { replay.snapshot(at: clock.now()) }

    func snapshots() -> AsyncStream<Snapshot> {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(snapshot())
        if isStopped { continuation.finish() } else { subscribers.append(continuation) }
        return stream
    }

    /// What was reported is shown; nothing can be done about it.
    nonisolated var cache: SessionCache? { nil }

    func submit(_ input: Input) -> String? {
        switch input {
        case .toggled(.pause): clock.isPaused ? clock.run() : clock.pause()
        case .playerCommanded(.play): clock.run()
        case .playerCommanded(.pause): clock.pause()
        case .playerCommanded(.setRate(let rate)):
            guard Self.speeds.contains(rate) else { return "a recording plays at rates from 0.01 to 1000" }
            clock.setSpeed(rate)
        case .playerCommanded(.seek(let target)): seek(target)
        default: return "this is a recording: nothing can be changed or sent"
        }
        changed()
        return nil
    }

    /// Plays until `stop`; at its end it stands still and may be wound back.
    func run() async {
        while !isStopped {
            let next = replay.position < replay.count ? replay.recording.inputs[replay.position].at.uptime : nil
            let wait = Task { [clock] in await clock.wait(untilUptime: next) }
            self.wait = wait
            await wait.value
            guard !isStopped else { break }
            replay.move(toUptime: clock.now().uptime)
            publish()
        }
        subscribers.forEach { $0.finish() }
    }

    func stop() {
        isStopped = true
        wait?.cancel()
    }

    private func seek(_ target: SeekTarget) {
        guard let span = replay.span else { return }
        let uptime: Duration =
            switch target {
            case .live: span.upperBound
            case .by(let distance): clock.now().uptime + distance
            case .date(let date): replay.recording.uptime(atWall: date)
            }
        clock.move(to: replay.recording.moment(atUptime: min(max(uptime, span.lowerBound), span.upperBound)))
    }

    private func changed() {
        replay.move(toUptime: clock.now().uptime)
        publish()
        wait?.cancel()
    }

    private func publish() {
        let snapshot = snapshot()
        subscribers.forEach { $0.yield(snapshot) }
    }
}
