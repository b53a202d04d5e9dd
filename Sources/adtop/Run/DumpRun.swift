import AdTracking
import Dashboard
import Foundation
import Live
import Monitoring
import Ports
import Screen
import Session

/// Follows a session without a terminal and prints one frame or the model, with the dashboard's renderer.
struct DumpRun {
    /// Without `--for` and `--until` the frame is taken once playlist and metadata have answered, at the latest after
    /// this time.
    static let firstFrameLimit: Duration = .seconds(10)
    /// Longest wait for `--until` without `--for`.
    static let conditionLimit: Duration = .seconds(600)

    let plan: DumpPlan
    let settings: Settings
    let time: any TimeSource
    /// False when standard output is used for the event stream.
    var printsFrame = true
    /// What receives a line for every event; nil for none.
    var events: EventStream?

    /// Runs until the frame can be taken, prints it, and throws the exit status if it is not success.
    func run(_ monitor: Monitor) async throws {
        let headless = HeadlessWait(time: time, events: events)
        let session = Task { await monitor.run() }
        let end = await wait(for: monitor, headless)
        let snapshot = await monitor.snapshot()
        await monitor.stop()
        await WayOut.end(of: session)
        if printsFrame {
            try WayOut.waitingForReader { try Self.print(snapshot, plan: plan, settings: settings.screen) }
        }
        try judge(end, snapshot)
    }

    private func wait(for monitor: Monitor, _ headless: HeadlessWait) async -> HeadlessWait.End {
        let limit = plan.duration ?? (plan.condition == nil ? Self.firstFrameLimit : Self.conditionLimit)
        let snapshots = await monitor.snapshots()
        return await headless.end(by: time.now().uptime + limit) { await reach(in: snapshots) }
    }

    /// True when the condition is met, or without one when the first frame is complete. With only `--for` it waits for
    /// the time limit.
    private func reach(in snapshots: AsyncStream<Snapshot>) async -> Bool {
        var watch = plan.condition.map(DumpWatch.init)
        for await snapshot in snapshots {
            if isOverForGood(snapshot) { return true }
            if watch != nil {
                if watch?.isMet(by: snapshot) == true { return true }
            } else if plan.duration == nil, isComplete(snapshot) {
                return true
            }
        }
        return false
    }

    /// Why the session is over. Not the latest error: other answers of the same session may fail after the one that ended it.
    private static func whyOver(_ snapshot: Snapshot) -> String {
        let over = snapshot.findings.last { $0.finding.rule == SessionRule.sessionOver.rawValue }
        return
            "\(over?.finding.message ?? "session over: \(Redaction.url(snapshot.session.mediaURL))"); start again to open a new one"
    }

    /// Why a session that is attached to its tracking data has none; nil for other sessions, and for one that has.
    private static func whyNeverRead(_ snapshot: Snapshot) -> CommandFailure? {
        let health = snapshot.session.metadataHealth
        guard snapshot.playlist.kind == .clock, health.lastGoodAt == nil else { return nil }
        let other = snapshot.findings.last { $0.finding.rule == SessionRule.otherProvider.rawValue }
        let url = Redaction.url(snapshot.session.mediaURL)
        let why = snapshot.errors.latest?.message ?? "no answer from \(url); --for waits longer"
        let isUnreadable = snapshot.errors.latest?.kind == .metadata
        return CommandFailure(
            isUnreadable ? .unreadable : .network, why + (other.map { ". \($0.finding.message)" } ?? ""))
    }

    /// Why the stream could not be opened: the sentence of the card.
    private static func whyClosed(_ snapshot: Snapshot) -> String {
        let url = Redaction.url(snapshot.session.mediaURL)
        if let sentence = snapshot.session.opening?.sentence { return "cannot open \(url): \(sentence)" }
        return snapshot.errors.latest?.message ?? "no answer from \(url); --for waits longer"
    }

    /// Whether the server has ended the session and nothing can follow.
    func isOverForGood(_ snapshot: Snapshot) -> Bool {
        !settings.session.renews && snapshot.session.phase == .over
    }

    private func isComplete(_ snapshot: Snapshot) -> Bool {
        if snapshot.session.phase == .failing || snapshot.session.phase == .ended { return true }
        let metadata = snapshot.session.metadataHealth.state
        return snapshot.playlist.windowEnd != nil && (metadata == .good || metadata == .none || metadata == .failing)
            && snapshot.playlist.reloads > 0 && (snapshot.counters.metadataPolls > 0 || metadata == .none)
    }

    /// Prints the frame or the model on stdout. For a recording, the keys also control the replay.
    static func print(
        _ snapshot: Snapshot, plan: DumpPlan, settings: ScreenSettings, playing player: ReplayPlayer? = nil
    ) throws {
        let frame = HeadlessFrame(
            settings: settings, size: plan.size, pane: plan.pane, keys: plan.keys, isRedacted: plan.isRedacted)
        // An early close by the reader is not an error.
        Output.write(try frame.text(of: snapshot, as: plan.format, playing: player))
    }

    /// Throws the exit status of a session that ended so, if it is not success.
    func judge(_ end: HeadlessWait.End, _ snapshot: Snapshot) throws {
        if end == .interrupted { throw ExitStatus.interrupted.code }
        if isOverForGood(snapshot) {
            throw CommandFailure(.sessionOver, Self.whyOver(snapshot))
        }
        if let failure = Self.whyNeverRead(snapshot) { throw failure }
        // A server may still be silent when the time is up.
        let isClosed = snapshot.session.phase == .failing || (end == .timeUp && snapshot.session.opening != nil)
        if isClosed, snapshot.playlist.windowEnd == nil {
            throw CommandFailure(.network, Self.whyClosed(snapshot))
        }
        if settings.session.mode == .fire, snapshot.session.mode == .observe, !snapshot.session.canArm,
            !settings.session.isReadonly, snapshot.counters.beaconsSent == 0
        {
            let reason = snapshot.errors.byKind[.beacon]?.message ?? "the journal cannot be used"
            throw CommandFailure(.interrupted, "--fire: nothing was sent: \(reason)")
        }
        if end == .timeUp, plan.condition != nil {
            throw CommandFailure(.interrupted, "--until: not reached in time; --for sets the time limit")
        }
    }
}
