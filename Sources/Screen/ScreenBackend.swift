/// What paints cells: ncurses today, anything that takes runs of cells tomorrow. It decides nothing about content.
///
/// Contract: between `begin` and `end` come runs of whole glyphs (never one half of a wide one), left to right, top to
/// bottom, inside the size that `begin` got. A backend never measures text: a cell's flags hold its width.
package protocol ScreenBackend {
    /// The terminal's size now.
    var size: Size { get }

    /// Starts a frame of that size.
    mutating func begin(size: Size)

    /// Paints the cells of `run`, which belong to `grid`.
    mutating func paint(_ run: CellRun, of grid: Grid)

    /// Ends the frame and shows it; the cursor is visible at a point or hidden.
    mutating func end(cursor: Point?)

    /// Forgets what the terminal shows: the next frame repaints everything (resume, resize, redraw).
    mutating func invalidate()

    /// Gives the terminal back as it was found; safe to call twice.
    mutating func close()
}

/// Neighbouring cells of one row.
package struct CellRun: Hashable, Sendable {
    /// Row from the top.
    package let row: Int
    /// Columns from the left, never empty.
    package let columns: Range<Int>

    /// The cells `columns` of row `row`.
    package init(row: Int, columns: Range<Int>) {
        self.row = row
        self.columns = columns
    }
}
