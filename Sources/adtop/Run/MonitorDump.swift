import Dashboard
import Foundation
import Monitoring
import Ports
import Screen

/// Follows many sessions without a terminal and prints their table or the model, with the dashboard's renderer.
struct MonitorDump {
    /// Without `--for` the table is printed once every session has its playlist or has failed, at the latest after this
    /// time.
    static let firstTableLimit: Duration = .seconds(30)
    /// How often the sessions are checked.
    private static let lookEvery: Duration = .milliseconds(250)

    let plan: DumpPlan
    let settings: ScreenSettings
    let time: any TimeSource
    /// False when standard output is used for the event stream.
    var printsTable = true

    /// Runs until the table can be printed, prints it, and throws the exit status if it is not success.
    func run(_ group: SessionGroup) async throws {
        var screen = try DashboardSetup.settings(settings, isUTF8: true)
        screen.redactsURLs = plan.isRedacted
        let headless = HeadlessWait(time: time)
        let running = Task { await group.run() }
        let end = await wait(for: group, headless)
        let view = await group.view()
        let now = time.now()
        var table = SessionTableState(size: plan.size, settings: screen)
        let pressed = table.press(plan.keys, view, now: now)
        var opened: Snapshot?
        if let index = pressed.opened { opened = await group.members[index].monitor.snapshot() }
        await group.stop()
        await WayOut.end(of: running)
        if printsTable { try print(view, table, opened, keys: pressed.rest, at: now) }
        try judge(view.sessions, end)
    }

    private func wait(for group: SessionGroup, _ headless: HeadlessWait) async -> HeadlessWait.End {
        let deadline = time.now().uptime + (plan.duration ?? Self.firstTableLimit)
        guard plan.duration == nil else { return await headless.end(by: deadline) }
        return await headless.end(by: deadline) { [time] in
            while await group.health().contains(where: { $0.phase == .starting }) {
                guard (try? await time.sleep(untilUptime: time.now().uptime + Self.lookEvery)) != nil else {
                    return false
                }
            }
            return true
        }
    }

    /// Prints the table, or the session that `--keys` opened after its further keys.
    private func print(
        _ view: SessionsView, _ table: SessionTableState, _ opened: Snapshot?, keys: [InputEvent],
        at now: Moment
    ) throws {
        let frame = HeadlessFrame(
            settings: settings, size: plan.size, pane: nil, keys: keys, isRedacted: plan.isRedacted)
        let text: String
        if let opened {
            text = try frame.text(of: opened, as: plan.format)
        } else if plan.format == .json {
            text =
                SessionsJSON(isRedacted: plan.isRedacted).value(of: view.sessions, at: now).text(indented: true) + "\n"
        } else {
            text = try frame.text(of: SessionTableRenderer.frame(view, table, now: now).grid, as: plan.format)
        }
        // An early close by the reader is not an error.
        Output.write(text)
    }

    private func judge(_ sessions: [SessionHealth], _ end: HeadlessWait.End) throws {
        if end == .interrupted { throw ExitStatus.interrupted.code }
        let failing = sessions.filter(\.isFailing)
        guard let first = failing.first else { return }
        guard failing.count < sessions.count else {
            throw CommandFailure(.network, "all sessions are failing: \(first.name): \(first.problem ?? "no answer")")
        }
        throw CommandFailure(
            .findings,
            "\(failing.count) of \(sessions.count) sessions are failing: \(first.name): \(first.problem ?? "no answer")"
        )
    }
}
