package import Screen

/// One picture of the dashboard.
package struct Frame: Sendable {
    /// The cells.
    package var grid: Grid
    /// The place of the terminal's cursor while text is typed; hidden otherwise.
    package var cursor: Point?
}
