import Monitoring
import Ports

/// What the dashboard shows: a live session, or a recorded one.
protocol WatchedSession: Sendable {
    /// The clock by which its snapshots count.
    var time: any TimeSource { get }
    func snapshot() async -> Snapshot
    /// Newest only; ends with the session.
    func snapshots() async -> AsyncStream<Snapshot>
    /// What the user wants of it; a recorded session says what it made of that.
    func submit(_ input: Input) async -> ReplayNotice?
    /// So many inputs on, or back; only a recorded session can.
    func step(by count: Int) async -> ReplayNotice?
    /// Its creative cache; nil where it has none.
    var cache: SessionCache? { get }
    /// Runs until `stop` or its own end.
    func run() async
    func stop() async
}

/// The monitor with its clock.
struct LiveSession: WatchedSession {
    let monitor: Monitor
    let time: any TimeSource
    let cache: SessionCache?

    func snapshot() async -> Snapshot { await monitor.snapshot() }
    func snapshots() async -> AsyncStream<Snapshot> { await monitor.snapshots() }

    func submit(_ input: Input) async -> ReplayNotice? {
        await monitor.submit(input)
        return nil
    }

    func step(by count: Int) async -> ReplayNotice? {
        ReplayNotice(text: "only a recording can be stepped through: adtop replay FILE", isGood: false)
    }

    func run() async { await monitor.run() }
    func stop() async { await monitor.stop() }
}
