import Session

extension LogState {
    /// Scrolls a log of which `height` rows are visible.
    /// - Parameter rows: how many rows an entry has.
    mutating func move(_ action: Action, in view: LogView, height: Int, rows: (LogEntry) -> Int) {
        let height = max(1, height)
        let window = LogWindow(view, self)
        func scrolled(_ distance: Int) -> Int? { window.bottom(scrolledBy: distance, height: height, rows: rows) }
        switch action {
        case .up, .previousMatch: bottom = scrolled(-1)
        case .down, .nextMatch: bottom = scrolled(1)
        case .pageUp: bottom = scrolled(-max(1, height - 1))
        case .pageDown: bottom = scrolled(max(1, height - 1))
        case .halfPageUp: bottom = scrolled(-max(1, height / 2))
        case .halfPageDown: bottom = scrolled(max(1, height / 2))
        case .first: bottom = scrolled(-Int.max)
        case .last: bottom = nil
        case .left: column = max(0, column - LogState.columnStep)
        case .right: column = min(column + LogState.columnStep, TextLine.limit)
        default: break
        }
    }

    /// Follows the tail, or stops where it is.
    mutating func follow(_ flag: Bool, _ view: LogView) {
        if flag { bottom = nil } else if follows { bottom = view.last?.number }
    }
}
