package import Monitoring
package import Ports
package import Screen

/// Draws the dashboard: the same snapshot, state and moment give the same cells, whatever the terminal.
package enum Renderer {
    /// The whole screen at `state.size`.
    ///
    /// `widths` names the scalars that this host's libc measures otherwise.
    package static func frame(
        _ snapshot: Snapshot, _ state: DashboardState, now: Moment, widths: CharacterWidth = .standard
    ) -> Frame {
        Frame(grid: Grid(size: state.size, widths: widths), cursor: nil)
    }

    /// One pane alone at `state.size`, for `--pane`.
    package static func pane(
        _ pane: Pane, _ snapshot: Snapshot, _ state: DashboardState, now: Moment, widths: CharacterWidth = .standard
    ) -> Grid {
        Grid(size: state.size, widths: widths)
    }
}
