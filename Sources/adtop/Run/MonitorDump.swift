import Dashboard
import Foundation
import Live
import Monitoring
import Ports
import Screen
import Session

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
    /// What receives a line for every event; nil for none.
    var events: EventStream?

    /// Runs until the table can be printed, prints it, and throws the exit status if it is not success.
    func run(_ group: SessionGroup) async throws {
        let all = WatchedGroup(group: group, time: time)
        guard let first = all.session(0) else { return }
        var screen = try DashboardSetup.settings(settings, isUTF8: true)
        screen.redactsURLs = plan.isRedacted
        screen.table = .sessions
        let headless = HeadlessWait(time: time, events: events)
        let running = Task { await group.run() }
        let end = await wait(for: group, headless)
        let table = Table(
            DashboardState(size: plan.size, settings: screen), await group.view(), beside: await first.snapshot(),
            keys: plan.keys, at: time.now())
        var opened: Snapshot?
        if let session = table.opened.flatMap(all.session) { opened = await session.snapshot() }
        await group.stop()
        await WayOut.end(of: running)
        if printsTable { try WayOut.waitingForReader { try print(table, opened) } }
        try judge(table.sessions, end)
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
    private func print(_ table: Table, _ opened: Snapshot?) throws {
        let frame = HeadlessFrame(
            settings: settings, size: plan.size, pane: nil, keys: table.rest, isRedacted: plan.isRedacted)
        let text: String
        if let opened {
            text = try frame.text(of: opened, as: plan.format)
        } else if plan.format == .json {
            let json = SessionsJSON(isRedacted: plan.isRedacted).value(of: table.sessions, at: table.at)
            text = json.text(indented: true) + "\n"
        } else {
            text = try frame.text(of: table.grid, as: plan.format)
        }
        // An early close by the reader is not an error.
        Output.write(text)
    }

    private func judge(_ sessions: [SessionHealth], _ end: HeadlessWait.End) throws {
        if end == .interrupted { throw ExitStatus.interrupted.code }
        // A server may still be silent when the time is up, which is a failure of its session.
        let failing = sessions.filter { $0.isFailing || end == .timeUp && $0.isOpening }
        guard let first = failing.first(where: \.isFailing) ?? failing.first else { return }
        let words =
            failing.allSatisfy(\.isFailing)
            ? "are failing" : first.isFailing ? "are failing or have no answer" : "have no answer"
        let why = first.problem ?? "no answer from \(Redaction.url(first.mediaURL)); --for waits longer"
        guard failing.count < sessions.count else {
            throw CommandFailure(.network, "all sessions \(words): \(first.name): \(why)")
        }
        throw CommandFailure(
            .findings, "\(failing.count) of \(sessions.count) sessions \(words): \(first.name): \(why)")
    }
}

extension MonitorDump {
    /// The table after the keys up to the one that opens a session.
    private struct Table {
        let sessions: [SessionHealth]
        let at: Moment
        private var state: DashboardState
        /// A dashboard always has a session, also while it shows the table.
        private let snapshot: Snapshot
        /// The session that a key has opened.
        private(set) var opened: Int?
        /// The keys after that one.
        private(set) var rest: [InputEvent] = []

        init(
            _ state: DashboardState, _ view: SessionsView, beside snapshot: Snapshot, keys: [InputEvent], at now: Moment
        ) {
            sessions = view.sessions
            at = now
            self.state = state
            self.snapshot = snapshot
            _ = self.state.update(.sessionsRead(view), snapshot: snapshot, now: now)
            press(keys)
        }

        private mutating func press(_ keys: [InputEvent]) {
            for (number, key) in keys.enumerated() {
                for case .selectSession(let index) in state.update(.input(key), snapshot: snapshot, now: at) {
                    opened = index
                    rest = Array(keys[(number + 1)...])
                    return
                }
            }
        }

        /// The frame.
        var grid: Grid { Renderer.frame(snapshot, state, now: at).grid }
    }
}
