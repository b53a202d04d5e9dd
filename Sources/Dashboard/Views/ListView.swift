import Screen
import Session

/// A view that is a list of rows of one kind.
protocol ListView: MainView {
    associatedtype Rows: ListRows
    /// The rows, and what the user chose in them.
    var list: ListState<Rows> { get set }
    /// A double click on the selected row.
    mutating func doubleClick(_ turn: inout ViewTurn)
}

extension ListView {
    var filter: String {
        get { list.filter }
        set { list.filter = newValue }
    }

    /// Selects a row; moving by hand ends following, or the selection would not stay.
    mutating func select(row: Int, _ turn: inout ViewTurn) {
        guard list.model.count > 0 else { return }
        list.offset = list.viewport(height: turn.rows.height).offset
        list.follows = false
        moveCursor(to: row, &turn)
    }

    /// Puts the cursor on a row and does not change following.
    mutating func moveCursor(to row: Int, _ turn: inout ViewTurn) {
        list.moveCursor(to: row)
        turn.ask(.restartDetail)
    }

    mutating func move(_ action: Action, _ turn: inout ViewTurn) { moveRows(action, &turn) }

    /// Moves the cursor by an action.
    mutating func moveRows(_ action: Action, _ turn: inout ViewTurn) {
        let row = ListMove.row(
            action, from: list.model.selectedRow, count: list.model.count, page: turn.rows.height,
            isFiltered: !list.filter.isEmpty)
        if let row { select(row: row, &turn) }
    }

    /// The wheel scrolls; the cursor moves only where it would scroll off the screen.
    mutating func scroll(_ rows: Int, _ turn: inout ViewTurn) {
        let scrolled = list.viewport(height: turn.rows.height).scrolled(by: rows)
        let row = list.model.selectedRow
        let nearest = min(max(row, scrolled.visible.lowerBound), max(scrolled.visible.upperBound - 1, 0))
        select(row: nearest, &turn)
        list.offset = scrolled.offset
    }

    mutating func doubleClick(_ turn: inout ViewTurn) { turn.ask(.focus(.detail)) }

    /// A click on a row selects it.
    mutating func click(_ point: Point, isDouble: Bool, _ turn: inout ViewTurn) -> [DashboardEffect] {
        let row = list.viewport(height: turn.rows.height).offset + point.y - turn.rows.y
        guard turn.rows.contains(point), row < list.model.count else { return [] }
        select(row: row, &turn)
        if isDouble { doubleClick(&turn) }
        return []
    }
}
