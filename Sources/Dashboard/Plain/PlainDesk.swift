package import Ports
import Screen
package import Session

/// The dashboard without a screen: the same keys and commands, answered in lines. Nothing that was written is changed, so a
/// screen reader, a log and a pipe can follow it (TERM-42).
package struct PlainDesk: Sendable {
    /// As wide as panes are without boxes, whose lines a screen reader would read.
    private static let size = Size(columns: 99, rows: 100)

    private var state: DashboardState
    private var narrator = PlainNarrator()

    package init(settings: DashboardSettings) {
        var settings = settings
        settings.isASCII = true
        state = DashboardState(size: Self.size, settings: settings)
    }

    /// What keys do here, for the start.
    package static let introduction =
        "Enter: status. Keys as in the dashboard, on a terminal followed by Enter: j k move, 1 to 9 read a pane, m p act, "
        + ": commands, ? help, Q quits."

    /// The lines about an event, and what the caller must do.
    package mutating func take(
        _ event: DashboardEvent, _ snapshot: Snapshot, now: Moment
    ) -> (lines: [String], effects: [DashboardEffect]) {
        // Nothing covers anything here, so the help does not keep the keys for itself.
        if case .input(.key(let key)) = event, let action = state.settings.keymap.action(for: key), action != .help {
            state.help = nil
        }
        let before = state
        // Lines have no list of what may follow in a command, and so no use for the names in a folder.
        let effects = state.update(event, snapshot: snapshot, now: now).filter { effect in
            if case .listFolder = effect { false } else { true }
        }
        let holds = state.held != nil
        // Lines that were written do not change, and panes are read as they are.
        state.held = nil
        var lines = event.isNews ? narrator.sentences(snapshot) : answer(since: before, snapshot, now)
        if holds { lines.append("nothing to freeze: lines do not change") }
        lines += state.toasts.filter { !before.toasts.contains($0) }.map(\.text)
        let time = TimeText.clock(now.wall) + "Z "
        return (lines.map { time + line($0) }, effects)
    }

    /// The status, when it is asked for.
    package func status(_ snapshot: Snapshot, now: Moment) -> [String] {
        let texts = ["status: " + PlainText.verdict(snapshot), PlainText.air(snapshot)]
        return texts.map { TimeText.clock(now.wall) + "Z " + line($0) }
    }

    /// Whether keys are text now, so that a new line ends it.
    package var isTyping: Bool { state.entry != nil }

    /// Text from outside passes the sanitiser; secrets in addresses are masked where dumps mask them.
    private func line(_ text: String) -> String {
        SafeText(outside: state.settings.redactsURLs ? Redaction.text(text) : text).string
    }

    /// What a key has changed: a question, a problem of the command line, another pane, another row.
    private func answer(since before: DashboardState, _ snapshot: Snapshot, _ now: Moment) -> [String] {
        if let question = state.confirmation, question != before.confirmation {
            return ConfirmDialog.lines(question).map(\.string).filter { !$0.isEmpty }
        }
        if let problem = state.entry?.problem, problem != before.entry?.problem { return [problem] }
        if state.help != nil, state.help != before.help {
            let frame = FrameContext(snapshot, state, now: now)
            return HelpPane.lines(frame, width: Self.size.columns).map(\.string).filter { !$0.isEmpty }
        }
        if state.focus != before.focus || state.main != before.main { return rows(of: state.focus, snapshot, now) }
        if hasNewFilter(since: before) { return rows(of: state.focus, snapshot, now) }
        guard state.entry == nil, before.entry == nil else { return [] }
        let (old, new) = (selection(before, snapshot, now), selection(state, snapshot, now))
        return old == new ? [] : [new].compactMap { $0 }
    }

    /// Whether another filter is complete: typed behind `/`, or given or cleared by a command.
    private func hasNewFilter(since before: DashboardState) -> Bool {
        guard state.entry == nil else { return false }
        if case .filter? = before.entry?.purpose { return true }
        return state.filterText(of: state.focus) != before.filterText(of: state.focus)
    }

    /// The pane as lines, without its frame and empty rows.
    private func rows(of pane: Pane, _ snapshot: Snapshot, _ now: Moment) -> [String] {
        var rows = TextWriter.rows(of: Renderer.pane(pane, snapshot, state, now: now))
        if !rows.isEmpty { rows[0].removeAll { $0 == "=" || $0 == "-" } }
        return rows.filter { row in row.contains { $0 != " " } }
    }

    /// The selected row: in words where it is a break, an ad or a beacon, else as the list has it.
    private func selection(_ state: DashboardState, _ snapshot: Snapshot, _ now: Moment) -> String? {
        guard state.focus == .tree else {
            guard state.focus.isMain else { return nil }
            let cursor = SafeText(Glyphs.ascii.cursor).string
            return TextWriter.rows(of: Renderer.pane(state.focus, snapshot, state, now: now)).dropFirst()
                .first { $0.hasPrefix(cursor) }.map { String($0.dropFirst(cursor.count)) }
        }
        let model = state.views.breaks.model
        guard let row = model.selected else { return nil }
        let adBreak = model.breakView(row)
        guard let ad = model.ad(row) else { return PlainText.adBreak(adBreak) }
        return model.event(row).map { PlainText.event($0, ad, of: adBreak) } ?? PlainText.ad(ad, of: adBreak)
    }
}

extension DashboardEvent {
    /// Whether it comes from the session.
    fileprivate var isNews: Bool {
        switch self {
        case .snapshotArrived, .ticked, .sessionsRead, .fleetRead: true
        default: false
        }
    }
}
