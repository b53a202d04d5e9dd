import Ports
package import Session

/// The break whose lines the log shows alone, chosen with a key or with `:log break`.
package struct LogBreak: Sendable, Equatable {
    /// Its id in the snapshot.
    package let id: String
    /// Its number on the screen.
    package let label: String
    /// The break as lines name it.
    private let adBreak: LogEntry.Break
    /// The other breaks of that id: streams use ids again.
    private let others: [LogEntry.Break]

    /// A break of a snapshot; nil when it has none of that id.
    package init?(_ id: String, in breaks: [BreakView]) {
        guard let view = breaks.first(where: { $0.id == id }) else { return nil }
        self.id = id
        label = view.label
        adBreak = LogEntry.Break(view)
        others = breaks.filter { $0.id != id && $0.name == view.name }.map { LogEntry.Break($0) }
    }

    /// Whether a line is about it. A line has the start that the break had when the line was written: of breaks with one id, the
    /// nearest counts.
    func isSubject(of entry: LogEntry) -> Bool {
        guard let subject = entry.adBreak, subject.name == adBreak.name else { return false }
        let distance = (subject.start - adBreak.start).magnitude
        return others.allSatisfy { distance <= (subject.start - $0.start).magnitude }
    }
}

extension LogEntry.Break {
    /// A break of a snapshot.
    fileprivate init(_ view: BreakView) {
        self.init(name: view.name, start: view.start)
    }
}

extension DashboardState {
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
