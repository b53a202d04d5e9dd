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
