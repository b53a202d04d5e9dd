package import Screen

/// One picture for the terminal.
package struct TerminalFrame: Sendable {
    /// What is shown; its own size, which need not be the terminal's any more.
    package let grid: Grid
    /// How roles look.
    package let palette: Palette
    /// Where the cursor is, nil to hide it.
    package let cursor: Point?

    /// A picture of a grid.
    package init(grid: Grid, palette: Palette, cursor: Point? = nil) {
        self.grid = grid
        self.palette = palette
        self.cursor = cursor
    }
}
