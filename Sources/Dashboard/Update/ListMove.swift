import Screen

/// Moving in lists, the same in every view that has one.
enum ListMove {
    /// The row that an action reaches from `row`, within `count` rows of which `page` are visible; nil when the action
    /// does not move.
    static func row(_ action: Action, from row: Int, count: Int, page: Int, isFiltered: Bool) -> Int? {
        guard count > 0 else { return nil }
        let page = max(1, page - 1)
        let target: Int
        switch action {
        case .up: target = row - 1
        case .down: target = row + 1
        case .first: target = 0
        case .last: target = count - 1
        case .pageUp: target = row - page
        case .pageDown: target = row + page
        case .halfPageUp: target = row - max(1, page / 2)
        case .halfPageDown: target = row + max(1, page / 2)
        // With a filter all rows match: the next match is the next row, after the last the first.
        case .nextMatch where isFiltered: target = (row + 1) % count
        case .previousMatch where isFiltered: target = (row + count - 1) % count
        default: return nil
        }
        return min(max(target, 0), count - 1)
    }
}

extension DashboardState {
    /// Which rows of a list are visible.
    func viewport<Rows>(of list: ListPlace<Rows>) -> Viewport {
        let rows = self[keyPath: list.rows]
        return self[keyPath: list.state].viewport(
            count: rows.count, height: contentHeight(of: list.pane), selected: rows.selectedRow)
    }

    /// Selects a row; moving by hand ends following, or the selection would not stay.
    mutating func select<Rows>(row: Int, in list: ListPlace<Rows>) {
        guard self[keyPath: list.rows].count > 0 else { return }
        self[keyPath: list.state].offset = viewport(of: list).offset
        self[keyPath: list.state].follows = false
        moveCursor(to: row, in: list)
    }

    /// Puts the cursor on a row and does not change following.
    mutating func moveCursor<Rows>(to row: Int, in list: ListPlace<Rows>) {
        self[keyPath: list.rows].select(row)
        let selected = self[keyPath: list.rows].selectedRow
        self[keyPath: list.state].selection = self[keyPath: list.rows].item(at: selected)
        self[keyPath: list.state].lastRow = selected
        offsets[.detail] = nil
    }

    /// Moves by an action.
    mutating func move<Rows>(_ action: Action, in list: ListPlace<Rows>) {
        let rows = self[keyPath: list.rows]
        let row = ListMove.row(
            action, from: rows.selectedRow, count: rows.count, page: contentHeight(of: list.pane),
            isFiltered: !self[keyPath: list.state].filter.isEmpty)
        if let row { select(row: row, in: list) }
    }

    /// The wheel scrolls; the cursor moves only where it would scroll off the screen.
    mutating func wheel<Rows>(_ lines: Int, in list: ListPlace<Rows>) {
        let scrolled = viewport(of: list).scrolled(by: lines)
        let row = self[keyPath: list.rows].selectedRow
        let nearest = min(max(row, scrolled.visible.lowerBound), max(scrolled.visible.upperBound - 1, 0))
        select(row: nearest, in: list)
        self[keyPath: list.state].offset = scrolled.offset
    }

    /// A click on a row selects it, a double one opens its detail.
    mutating func click<Rows>(_ point: Point, in list: ListPlace<Rows>, isDouble: Bool) {
        let content = Layout(self).content(of: list.pane)
        let row = viewport(of: list).offset + point.y - content.y
        guard content.contains(point), row < self[keyPath: list.rows].count else { return }
        select(row: row, in: list)
        if isDouble { focusPane(.detail) }
    }
}
