/// The parts of the screen by the names of `--pane` and of the config.
package enum Pane: String, Sendable, CaseIterable {
    case header, timeline, tree, detail, session, log, help, summary

    /// The panes a person can focus, in the order of Tab and of the digits 1 to 5 (tui 6).
    package static let focusable: [Pane] = [.tree, .detail, .log, .summary, .session]

    /// The digit that focuses the pane, nil where none does.
    package var digit: Int? {
        Pane.focusable.firstIndex(of: self).map { $0 + 1 }
    }

    /// Panes that take turns in the place right of (or below) the tree when there is no room for all.
    package var isSide: Bool {
        switch self {
        case .detail, .summary, .session: true
        case .header, .timeline, .tree, .log, .help: false
        }
    }
}
