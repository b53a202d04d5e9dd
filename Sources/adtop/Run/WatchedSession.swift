import Monitoring
import Ports
import Session

/// A session that the dashboard shows: live or recorded.
protocol WatchedSession: Sendable {
    /// The clock of the snapshots.
    var time: any TimeSource { get }
    func snapshot() async -> Snapshot
    /// The newest snapshots; the stream ends with the session.
    func snapshots() async -> AsyncStream<Snapshot>
    /// Submits an input of the user; a recorded session returns a notice of the result.
    func submit(_ input: Input) async -> ReplayNotice?
    /// Steps forward or back by `count` inputs; only a recorded session can.
    func step(by count: Int) async -> ReplayNotice?
    /// The session's creative cache, if any.
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
        ReplayNotice(text: "step: only for recordings (adtop replay FILE)", isGood: false)
    }

    func run() async { await monitor.run() }
    func stop() async { await monitor.stop() }
}
