/// The parts of the screen by their names in `--pane` and in the config.
package enum Pane: String, Sendable, CaseIterable {
    case header, timeline, tree, detail, session, log, help, summary, playlist, creative, auction, formats, cache,
        findings
    /// The table of many sessions.
    case sessions
    /// The tables of a fleet.
    case viewers, agents

    /// The parts of one session's screen.
    package static let ofSession = allCases.filter { !$0.isTable }

    /// Whether it is a table that is shown instead of one session.
    package var isTable: Bool { self == .sessions || self == .viewers || self == .agents }

    /// The panes a person can focus, in the order of Tab and of the digits from 1 on; the cache has 0 (TERM-32).
    package static let focusable: [Pane] = [
        .tree, .detail, .log, .summary, .session, .playlist, .creative, .auction, .formats, .cache,
    ]

    /// The digit that focuses the pane, nil for panes without one.
    package var digit: Int? {
        // Ten digits: the tenth is 0.
        self == .cache ? 0 : Pane.focusable.firstIndex(of: self).map { $0 + 1 }
    }

    /// The pane's name in hints; the tree shows the breaks.
    package var name: String { self == .tree ? "breaks" : rawValue }

    /// Panes that share the place right of (or below) the main one when there is no room for all.
    package var isSide: Bool {
        switch self {
        case .detail, .summary, .session: true
        case .header, .timeline, .tree, .log, .help, .playlist, .creative, .auction, .formats, .cache, .findings,
            .sessions, .viewers, .agents:
            false
        }
    }

    /// Panes that share the main place: the views.
    package var isMain: Bool { isTable || DashboardView(self) != nil }
}
