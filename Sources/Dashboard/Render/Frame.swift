package import Screen

/// One picture of the dashboard.
package struct Frame: Sendable {
    /// The cells.
    package var grid: Grid
    /// Where the terminal's cursor stands while text is typed; hidden otherwise.
    package var cursor: Point?
}
