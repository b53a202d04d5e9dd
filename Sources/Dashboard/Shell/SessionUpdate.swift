import Fleet
import Ports
import Session

extension DashboardState {
    /// Shows the session of that index: from the table as a dashboard starts, from another session in the same view.
    mutating func show(session index: Int, of names: [String]) {
        settings.sessions = names
        guard index != session || showsTable else { return }
        if showsTable {
            table = TableDesk(main: main, focus: focus, isZoomed: isZoomed, log: log)
            main = settings.view.pane
            (focus, side, isZoomed, log, scrolls) = (main, .detail, false, LogState(), Scrolls())
            toasts = []
        }
        session = index
        (log.bottom, log.adBreak) = (nil, nil)
        scrolls.offsets = [:]
        held = nil
        shownReport = nil
        toldOrientation = nil
        views.forgetSession()
    }

    /// Shows the table as it was left, with the session that was shown under the cursor.
    mutating func showTable(_ sessions: SessionsView, now: Moment) {
        if returnToTable(), sessions.sessions.indices.contains(session) {
            views.sessions.selection = sessions.sessions[session].name
        }
        views.sessions.read(sessions, at: now)
    }

    /// Shows the tables of a fleet as they were left.
    mutating func showFleet(_ fleet: FleetView, now: Moment) {
        returnToTable()
        views.read(fleet, at: now)
    }

    /// - Returns: whether a session was shown.
    @discardableResult
    private mutating func returnToTable() -> Bool {
        guard !showsTable else { return false }
        (main, focus, isZoomed, log) = (table.main, table.focus, table.isZoomed, table.log)
        (help, entry, confirmation, held, toasts) = (nil, nil, nil, nil, [])
        scrolls = Scrolls()
        return true
    }

    /// The log below the panes.
    func shownLog(_ snapshot: Snapshot) -> LogView {
        guard showsTable else { return snapshot.log }
        return main == .sessions ? views.sessions.sessions.log : views.fleet.log
    }
}
