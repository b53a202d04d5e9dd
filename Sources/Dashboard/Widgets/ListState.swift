import Screen

/// The rows of a view for moving the cursor. Rows have ids that stay the same when the list is rebuilt.
package protocol ListRows: Sendable {
    /// The identity of a row.
    associatedtype Item: Hashable & Sendable
    /// No rows.
    init()
    /// Number of rows, also those scrolled away.
    var count: Int { get }
    /// The row under the cursor.
    var selectedRow: Int { get }
    /// Moves the cursor, clamped to the rows.
    mutating func select(_ row: Int)
    /// The identity of a row, nil outside.
    func item(at row: Int) -> Item?
}

/// A list: its rows, and what the user chose in it.
package struct ListState<Rows: ListRows>: Sendable {
    /// The rows; up to date while the view is open.
    package var model = Rows()
    /// Nil selects the first row.
    package var selection: Rows.Item?
    /// Row of the selection when it was last visible, for when it vanishes.
    package var lastRow = 0
    /// First visible row as the user left it.
    package var offset = 0
    /// Whether the selection follows the playhead.
    package var follows: Bool
    /// The text typed after `/`.
    package var filter = ""

    /// An unfiltered list without rows.
    package init(follows: Bool = true) {
        self.follows = follows
    }

    /// Which rows are visible: while following those around the selection, else where the user left the list; always
    /// with the selection.
    func viewport(height: Int) -> Viewport {
        let row = model.selectedRow
        let offset = follows ? row - height / 2 : offset
        return Viewport(count: model.count, height: height, offset: offset).showing(row)
    }

    /// Puts the cursor on a row.
    mutating func moveCursor(to row: Int) {
        model.select(row)
        lastRow = model.selectedRow
        selection = model.item(at: lastRow)
    }
}
