import Dashboard
import Foundation
import Monitoring
import Ports
import Screen

/// Follows many sessions without a terminal and prints their table, or the model, from the same renderer as the dashboard.
struct MonitorDump {
    /// Without `--for` the table is printed once every session has its playlist or failed, at the latest then.
    static let firstTableLimit: Duration = .seconds(30)
    /// How often that is looked at.
    private static let lookEvery: Duration = .milliseconds(250)

    let plan: DumpPlan
    let settings: Settings
    let time: any TimeSource
    /// False where standard output belongs to the event stream.
    var printsTable = true

    /// Runs until there is something to print, prints it, and throws the exit status that fits.
    func run(_ group: SessionGroup) async throws {
        let running = Task { await group.run() }
        let isInterrupted = await wait(for: group)
        let sessions = await group.health()
        let now = time.now()
        let opened = await openedSnapshot(group, sessions, at: now)
        await group.stop()
        await running.value
        if printsTable { try printed(sessions, opened, at: now) }
        try judge(sessions, isInterrupted)
    }

    /// True when a signal ended the wait.
    private func wait(for group: SessionGroup) async -> Bool {
        let deadline = time.now().uptime + (plan.duration ?? Self.firstTableLimit)
        return await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask { [time] in
                // Cancelled when something else ended the wait first.
                _ = try? await time.sleep(untilUptime: deadline)
                return false
            }
            if plan.duration == nil {
                tasks.addTask { [time] in
                    while await group.health().contains(where: { $0.phase == .starting }) {
                        guard (try? await time.sleep(untilUptime: time.now().uptime + Self.lookEvery)) != nil else {
                            break
                        }
                    }
                    return false
                }
            }
            tasks.addTask {
                for await _ in StopSignals.stream() { return true }
                return !Task.isCancelled
            }
            let first = await tasks.next() ?? false
            tasks.cancelAll()
            return first
        }
    }

    /// The snapshot of the session that `--keys` opens, if they open one.
    private func openedSnapshot(_ group: SessionGroup, _ sessions: [SessionHealth], at now: Moment) async -> Snapshot? {
        guard let settings = try? DashboardSetup.settings(settings, isUTF8: true) else { return nil }
        var table = SessionTableState(size: plan.size, settings: settings)
        guard let index = table.press(plan.keys, sessions, now: now).opened else { return nil }
        return await group.members[index].monitor.snapshot()
    }

    private func printed(_ sessions: [SessionHealth], _ opened: Snapshot?, at now: Moment) throws {
        guard plan.format != .json else {
            let value =
                opened.map { SnapshotJSON(isRedacted: plan.isRedacted).value(of: $0) }
                ?? SessionsJSON(isRedacted: plan.isRedacted).value(of: sessions, at: now)
            Output.write(value.text(indented: true) + "\n")
            return
        }
        var own = try DashboardSetup.settings(settings, isUTF8: true)
        own.redactsURLs = plan.isRedacted
        var table = SessionTableState(size: plan.size, settings: own)
        let rest = table.press(plan.keys, sessions, now: now).rest
        let frame = HeadlessFrame(
            settings: settings, size: plan.size, pane: nil, keys: rest, isRedacted: plan.isRedacted)
        let text =
            try opened.map { try frame.text(of: $0, as: plan.format) }
            ?? frame.text(of: SessionTableRenderer.frame(sessions, table, now: now).grid, as: plan.format)
        // A reader that closed early has seen what it wanted.
        Output.write(text)
    }

    private func judge(_ sessions: [SessionHealth], _ isInterrupted: Bool) throws {
        if isInterrupted { throw ExitStatus.interrupted.code }
        let failing = sessions.filter(\.isFailing)
        guard let first = failing.first else { return }
        guard failing.count < sessions.count else {
            throw CommandFailure(.network, "every session fails: \(first.name): \(first.problem ?? "no answer")")
        }
        throw CommandFailure(
            .findings,
            "\(failing.count) of \(sessions.count) sessions fail: \(first.name): \(first.problem ?? "no answer")")
    }
}
