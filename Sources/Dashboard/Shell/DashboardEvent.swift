package import Screen

/// What happened to the dashboard.
package enum DashboardEvent: Sendable, Equatable {
    /// A key, the mouse, a paste, the terminal's focus or size.
    case input(InputEvent)
    /// The monitor published a snapshot: the one passed with this event.
    case snapshotArrived
    /// Time passed: sent when `nextRefresh` asks for it.
    case ticked
    /// The outcome of an effect, in one sentence, to be shown as a toast.
    case noticed(String, isGood: Bool)
    /// The theme of this name is now in use.
    case themeChanged(String)
    /// The names of the open sessions and which one is shown.
    case sessionsChanged([String], current: Int)
}
