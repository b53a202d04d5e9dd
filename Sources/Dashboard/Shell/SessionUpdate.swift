import Ports
import Session

extension DashboardState {
    /// Shows the session of that index: from the table as a dashboard starts, from another session in the same view.
    mutating func show(session index: Int, of names: [String]) {
        settings.sessions = names
        guard index != session || showsTable else { return }
        if showsTable {
            table = TableDesk(focus: focus, isZoomed: isZoomed, log: log)
            main = settings.view.pane
            (focus, side, isZoomed, log, scrolls) = (main, .detail, false, LogState(), Scrolls())
            toasts = []
        }
        session = index
        log.bottom = nil
        scrolls.offsets = [:]
        held = nil
        shownReport = nil
        toldOrientation = nil
        views.forgetSession()
    }

    /// Shows the table as it was left, with the session that was shown under the cursor.
    mutating func showTable(_ sessions: SessionsView, now: Moment) {
        if !showsTable {
            main = .sessions
            (focus, isZoomed, log) = (table.focus, table.isZoomed, table.log)
            (help, entry, confirmation, held, toasts) = (nil, nil, nil, nil, [])
            scrolls = Scrolls()
            if sessions.sessions.indices.contains(session) {
                views.sessions.selection = sessions.sessions[session].name
            }
        }
        views.sessions.read(sessions, at: now)
    }

    /// The log below the panes.
    func shownLog(_ snapshot: Snapshot) -> LogView { showsTable ? views.sessions.sessions.log : snapshot.log }
}
