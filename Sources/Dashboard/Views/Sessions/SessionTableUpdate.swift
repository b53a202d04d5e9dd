import Ports
import Screen
import Session

extension SessionTablePane {
    mutating func move(_ action: Action, _ turn: inout ViewTurn) {
        let row = ListMove.row(
            action, from: model.selectedRow, count: model.rows.count, page: turn.rows.height,
            isFiltered: !filter.isEmpty)
        if let row { select(row: row, height: turn.rows.height) }
    }

    mutating func scroll(_ rows: Int, _ turn: inout ViewTurn) {
        select(row: model.selectedRow + rows, height: turn.rows.height)
    }

    /// A click on a title sorts, one on a row selects it, and a double one opens the session.
    mutating func click(_ point: Point, isDouble: Bool, _ turn: inout ViewTurn) -> [DashboardEffect] {
        let rows = turn.rows
        if Rect(x: rows.x, y: rows.y - 1, width: rows.width, height: 1).contains(point) {
            let columns = SessionColumns(tableWidth: rows.width, model)
            guard let column = columns.column(at: point.x - rows.x - 1) else { return [] }
            isReversed = column == sort ? !isReversed : false
            sort = column
            return []
        }
        let row = viewport(height: rows.height).offset + point.y - rows.y
        guard rows.contains(point), row < model.rows.count else { return [] }
        select(row: row, height: rows.height)
        return isDouble ? openSelected() : []
    }

    /// The next session with failures or errors; after the last the first.
    mutating func selectFailure(_ turn: inout ViewTurn) {
        let (rows, start) = (model.rows, model.selectedRow)
        let next = (1...max(1, rows.count)).map { (start + $0) % max(1, rows.count) }
            .first { rows.indices.contains($0) && rows[$0].needsAttention }
        guard let next else { return turn.toast("no session has a problem", isGood: true) }
        select(row: next, height: turn.rows.height)
    }

    mutating func take(_ key: KeyPress, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        guard let key = SessionTableKey(key) else { return nil }
        switch key {
        case .sort: sort = sort.next
        case .reverse: isReversed.toggle()
        }
        return []
    }

    /// The keys of one session have no meaning here.
    mutating func perform(_ action: Action, key: KeyPress?, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        switch action {
        case .open: return openSelected()
        case .right where turn.isFocused: return openSelected()
        case .sort: sort = sort.next
        case .reverseSort: isReversed.toggle()
        case .quit where key?.modifiers.contains(.control) != true: return quit(&turn)
        case .paneTree: turn.ask(.focusOrZoom(pane))
        case .up, .down, .left, .right, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextMatch,
            .previousMatch, .nextFailure, .back, .nextPane, .previousPane, .paneLog, .zoom, .unzoom, .filter, .help,
            .command, .follow, .timestamps, .wrap, .logLevel, .theme, .redraw, .suspend, .quit:
            return nil
        default: turn.toast("session key: press Enter to open the selected session", isGood: false)
        }
        return []
    }

    /// Ending sessions that send takes a second key.
    func quit(_ turn: inout ViewTurn) -> [DashboardEffect] {
        guard model.firing > 0 else { return [.quit] }
        turn.ask(.confirm(.quit(firing: model.firing)))
        return []
    }

    private func openSelected() -> [DashboardEffect] {
        model.selected.map { [.selectSession($0.index)] } ?? []
    }
}

/// Keys with a meaning of their own in the table: the usual letters for sorting.
enum SessionTableKey: String, CaseIterable {
    case sort = "s"
    case reverse = "S"

    /// The table key of a key press, nil for other keys.
    init?(_ key: KeyPress) {
        guard case .char(let character) = key.key, key.modifiers.isEmpty,
            let found = SessionTableKey(rawValue: "\(character)")
        else { return nil }
        self = found
    }
}

extension SessionTableModel.Row {
    /// Whether the session needs a person's attention.
    var needsAttention: Bool { verdict.needsAttention }
}
