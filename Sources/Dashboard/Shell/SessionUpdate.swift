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
        }
        // They were about another session, or about the table.
        toasts = []
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

    /// Shows only lines about the selected break, or again those about all.
    mutating func logSelectedBreak(_ scene: Scene) {
        guard !showsTable else {
            return toast("the log of a break: open its session first", isGood: false, now: scene.now)
        }
        guard let chosen = selectedBreak.flatMap({ LogBreak($0, in: scene.shown.breaks) }) else {
            return toast("no break is selected", isGood: false, now: scene.now)
        }
        guard chosen.id != log.adBreak?.id else { return logAllBreaks(scene) }
        log.adBreak = chosen
        log.bottom = nil
        toast("the log shows \(chosen.label) alone; again: all breaks", isGood: true, now: scene.now)
    }

    /// Ends that only lines about one break are shown.
    mutating func logAllBreaks(_ scene: Scene) {
        log.adBreak = nil
        log.bottom = nil
        toast("the log shows all breaks", isGood: true, now: scene.now)
    }

    /// The break of the row under the cursor: a finding's where findings are shown.
    private var selectedBreak: String? {
        if main == .findings, case .place(_, let place)? = views.findings.list.model.selected {
            return views.findings.list.model.finder.path(of: place)?.breakID
        }
        let model = views.breaks.model
        guard let row = model.selected, model.path(at: model.selectedRow) != .earlier else { return nil }
        return model.breakView(row).id
    }

    /// Whether the log is on the screen.
    var isLogVisible: Bool { Layout(self).panes[.log] != nil }
}
