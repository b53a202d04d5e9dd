import Dashboard
import Foundation
import Monitoring
import Ports
import Screen

/// Follows a session without a terminal and prints one frame or the model, from the same renderer as the dashboard.
struct DumpRun {
    /// Without `--for` and `--until` the frame is taken once playlist and metadata have answered, at the latest then.
    static let firstFrameLimit: Duration = .seconds(10)
    /// `--until` without `--for` gives up then.
    static let conditionLimit: Duration = .seconds(600)

    let plan: DumpPlan
    let settings: Settings
    let time: any TimeSource
    /// False where standard output belongs to the event stream.
    var printsFrame = true

    /// Runs until there is something to print, prints it, and throws the exit status that fits.
    func run(_ monitor: Monitor) async throws {
        let session = Task { await monitor.run() }
        let end = await wait(for: monitor)
        let snapshot = await monitor.snapshot()
        await monitor.stop()
        await session.value
        if printsFrame { try Self.print(snapshot, plan: plan, settings: settings) }
        try judge(end, snapshot)
    }

    private func wait(for monitor: Monitor) async -> HeadlessWait.End {
        let limit = plan.duration ?? (plan.condition == nil ? Self.firstFrameLimit : Self.conditionLimit)
        let snapshots = await monitor.snapshots()
        return await HeadlessWait.end(by: time.now().uptime + limit, time: time) { await reach(in: snapshots) }
    }

    /// True when the condition is met; without one, when the first picture is complete. With only `--for` it waits on.
    private func reach(in snapshots: AsyncStream<Snapshot>) async -> Bool {
        var watch = plan.condition.map(DumpWatch.init)
        for await snapshot in snapshots {
            if watch != nil {
                if watch?.isMet(by: snapshot) == true { return true }
            } else if plan.duration == nil, isComplete(snapshot) {
                return true
            }
        }
        return false
    }

    private func isComplete(_ snapshot: Snapshot) -> Bool {
        if snapshot.session.phase == .failing || snapshot.session.phase == .ended { return true }
        let metadata = snapshot.session.metadataHealth.state
        return snapshot.playlist.windowEnd != nil && (metadata == .good || metadata == .none || metadata == .failing)
            && snapshot.playlist.reloads > 0 && (snapshot.counters.metadataPolls > 0 || metadata == .none)
    }

    /// The frame or the model on stdout; the keys move a recording.
    static func print(
        _ snapshot: Snapshot, plan: DumpPlan, settings: Settings, playing player: ReplayPlayer? = nil
    ) throws {
        let frame = HeadlessFrame(
            settings: settings, size: plan.size, pane: plan.pane, keys: plan.keys, isRedacted: plan.isRedacted)
        // A reader that closed early has seen what it wanted.
        Output.write(try frame.text(of: snapshot, as: plan.format, playing: player))
    }

    private func judge(_ end: HeadlessWait.End, _ snapshot: Snapshot) throws {
        if end == .interrupted { throw ExitStatus.interrupted.code }
        if snapshot.session.phase == .failing, snapshot.playlist.windowEnd == nil {
            throw CommandFailure(
                .network, snapshot.latestError?.message ?? "no answer from \(snapshot.session.mediaURL)")
        }
        if end == .timeUp, plan.condition != nil {
            throw CommandFailure(.interrupted, "what --until waits for did not come in time")
        }
    }
}
