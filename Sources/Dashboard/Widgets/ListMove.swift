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
    func viewport<Rows>(of place: ListPlace<Rows>) -> Viewport {
        self[keyPath: place.list].viewport(height: contentHeight(of: place.pane))
    }

    /// Selects a row; moving by hand ends following, or the selection would not stay.
    mutating func select<Rows>(row: Int, in place: ListPlace<Rows>) {
        guard self[keyPath: place.list].model.count > 0 else { return }
        self[keyPath: place.list].offset = viewport(of: place).offset
        self[keyPath: place.list].follows = false
        moveCursor(to: row, in: place)
    }

    /// Puts the cursor on a row and does not change following.
    mutating func moveCursor<Rows>(to row: Int, in place: ListPlace<Rows>) {
        self[keyPath: place.list].moveCursor(to: row)
        offsets[.detail] = nil
    }

    /// Moves by an action.
    mutating func move<Rows>(_ action: Action, in place: ListPlace<Rows>) {
        let list = self[keyPath: place.list]
        let row = ListMove.row(
            action, from: list.model.selectedRow, count: list.model.count, page: contentHeight(of: place.pane),
            isFiltered: !list.filter.isEmpty)
        if let row { select(row: row, in: place) }
    }

    /// The wheel scrolls; the cursor moves only where it would scroll off the screen.
    mutating func wheel<Rows>(_ lines: Int, in place: ListPlace<Rows>) {
        let scrolled = viewport(of: place).scrolled(by: lines)
        let row = self[keyPath: place.list].model.selectedRow
        let nearest = min(max(row, scrolled.visible.lowerBound), max(scrolled.visible.upperBound - 1, 0))
        select(row: nearest, in: place)
        self[keyPath: place.list].offset = scrolled.offset
    }

    /// A click on a row selects it, a double one opens its detail.
    mutating func click<Rows>(_ point: Point, in place: ListPlace<Rows>, isDouble: Bool) {
        let content = Layout(self).content(of: place.pane)
        let row = viewport(of: place).offset + point.y - content.y
        guard content.contains(point), row < self[keyPath: place.list].model.count else { return }
        select(row: row, in: place)
        if isDouble { focusPane(.detail) }
    }
}

extension ListState {
    /// Puts the cursor on a row.
    fileprivate mutating func moveCursor(to row: Int) {
        model.select(row)
        lastRow = model.selectedRow
        selection = model.item(at: lastRow)
    }
}
