import Live
import Ports
import Session

/// A recording that plays: its inputs are applied to the same state as in the live session, at their recorded
/// intervals. `ReplayPlayer` implements the user's controls.
actor ReplaySession: WatchedSession {
    private let real = SystemTimeSource()
    private let clock: ReplayClock
    private var player: ReplayPlayer
    private var subscribers: [AsyncStream<Snapshot>.Continuation] = []
    private var isStopped = false
    /// Ends by itself, or is cancelled when the course of the replay changes.
    private var wait: Task<Void, Never>?

    nonisolated var time: any TimeSource { clock }
    /// A recording shows the recorded cache reports but has no cache.
    nonisolated var cache: SessionCache? { nil }

    /// The real time is that of `SystemTimeSource`.
    init(_ player: ReplayPlayer) {
        self.player = player
        clock = ReplayClock(player.course)
    }

    func snapshot() -> Snapshot { player.snapshot(real: real.now().uptime) }

    func snapshots() -> AsyncStream<Snapshot> {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(snapshot())
        if isStopped { continuation.finish() } else { subscribers.append(continuation) }
        return stream
    }

    func submit(_ input: Input) -> ReplayNotice? {
        defer { changed() }
        return player.take(input, real: real.now().uptime)
    }

    func step(by count: Int) -> ReplayNotice? {
        defer { changed() }
        return player.step(by: count, real: real.now().uptime)
    }

    /// Plays until `stop`; at its end the clock of the recording stops, and the user may seek back.
    func run() async {
        while !isStopped {
            let next = player.course.isPaused ? nil : player.next
            let wait = Task { [clock] in await clock.wait(untilUptime: next) }
            self.wait = wait
            await wait.value
            guard !isStopped else { break }
            player.advance(real: real.now().uptime)
            publish()
        }
        subscribers.forEach { $0.finish() }
    }

    func stop() {
        isStopped = true
        wait?.cancel()
    }

    private func changed() {
        clock.follow(player.course)
        publish()
        wait?.cancel()
    }

    private func publish() {
        let snapshot = snapshot()
        subscribers.forEach { $0.yield(snapshot) }
    }
}
