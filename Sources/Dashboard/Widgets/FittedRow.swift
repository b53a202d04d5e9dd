import Screen

/// A row whose items shrink one after the other until it fits: the order in which they shrink is data (TERM-31).
struct FittedRow {
    /// One item, from its fullest form to its shortest; the last form may be empty.
    struct Item {
        var forms: [StyledLine]
        /// For each form but the last, when the next form replaces it: low ranks first.
        var ranks: [Int]
        /// Blanks before it when it is not the first.
        var gap: Int
        /// What a click on it does; nil for nothing.
        var action: Action?

        init(_ forms: [StyledLine], ranks: [Int] = [], gap: Int = 2) {
            self.forms = forms
            self.ranks = ranks
            self.gap = gap
        }

        /// An item without content.
        static let nothing = Item([StyledLine()])

        /// The same item with what a click on it does.
        func opening(_ action: Action) -> Item {
            var item = self
            item.action = action
            return item
        }

        /// The rank of the next item to shrink, nil when none is left.
        var nextRank: Int? { forms.count > 1 ? ranks.first ?? 0 : nil }

        mutating func giveWay() {
            forms.removeFirst()
            if !ranks.isEmpty { ranks.removeFirst() }
        }
    }

    /// Items from the left edge.
    var left: [Item] = []
    /// Items up to the right edge.
    var right: [Item] = []
    /// Blanks that must remain between the left and the right part.
    var middle = 2
    /// Whether words come back that fit after all, because the last step gave more room than was missing. Rows of a list stay without:
    /// theirs are in columns.
    var fillsRoom = false

    /// Draws into the first row of `rect`.
    func draw(in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        let (left, right) = fitted(columns: rect.width)
        grid.put(left, at: rect.origin, maxColumns: rect.width)
        grid.put(right, at: Point(x: rect.maxX - right.columns, y: rect.y), maxColumns: right.columns)
    }

    /// Both parts with as many items as fit in that many columns.
    func fitted(columns width: Int) -> (left: StyledLine, right: StyledLine) {
        let (left, right) = fittedItems(columns: width)
        let parts = (left: Self.row(left).line, right: Self.row(right).line)
        let gap = parts.left.columns > 0 && parts.right.columns > 0 ? middle : 0
        if parts.left.columns + gap + parts.right.columns <= width { return parts }
        return (parts.left.prefix(columns: max(0, width - parts.right.columns)), parts.right.prefix(columns: width))
    }

    /// What a click on a point does when the row is drawn in `rect`; nil beside the items that do something.
    func press(at point: Point, in rect: Rect) -> HintPress? {
        let (left, right) = fittedItems(columns: rect.width)
        let end = Self.row(right)
        let (before, behind) = rect.splitRight(end.columns)
        return Self.row(left).press(at: point, in: before) ?? end.press(at: point, in: behind)
    }

    private static func row(_ items: [Item]) -> HintRow {
        var row = HintRow()
        for item in items {
            guard let form = item.forms.first, form.columns > 0 else { continue }
            if row.columns > 0 { row.space(item.gap) }
            row.append(form, item.action.map(HintPress.action))
        }
        return row
    }

    /// The items, shrunk until both parts fit or none can shrink further.
    func fittedItems(columns width: Int) -> (left: [Item], right: [Item]) {
        var items = left + right
        var steps: [(item: Int, before: Item)] = []
        while columns(of: items) > width {
            // Among equal ranks the item further right shrinks first.
            let next = items.indices.reversed().filter { items[$0].nextRank != nil }
                .min { (items[$0].nextRank ?? 0) < (items[$1].nextRank ?? 0) }
            guard let next else { break }
            steps.append((next, items[next]))
            items[next].giveWay()
        }
        if fillsRoom { takeBack(steps, of: &items, columns: width) }
        return (Array(items[..<left.count]), Array(items[left.count...]))
    }

    /// Takes back the steps that fit, the most important ones first: the later a form gave way, the more it is worth.
    private func takeBack(_ steps: [(item: Int, before: Item)], of items: inout [Item], columns width: Int) {
        // The forms before one that does not fit are longer still.
        var isFull: Set<Int> = []
        for (item, before) in steps.reversed() where !isFull.contains(item) {
            let short = items[item]
            items[item] = before
            guard columns(of: items) > width else { continue }
            items[item] = short
            isFull.insert(item)
        }
    }

    /// The columns of both parts with what is between them.
    private func columns(of items: [Item]) -> Int {
        let parts = (left: Self.row(Array(items[..<left.count])), right: Self.row(Array(items[left.count...])))
        let gap = parts.left.columns > 0 && parts.right.columns > 0 ? middle : 0
        return parts.left.columns + gap + parts.right.columns
    }
}
