package import Fleet
package import Screen
package import Session

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
    /// The names in a folder that was asked for.
    case folderRead(FolderListing)
    /// The theme of this name is now in use.
    case themeChanged(String)
    /// The names of the open sessions and which one is shown. The snapshot passed with this event is of that session.
    case sessionsChanged([String], current: Int)
    /// The table of all sessions is shown, as they are now.
    case tableShown(SessionsView)
    /// The sessions were read again while their table is shown.
    case sessionsRead(SessionsView)
    /// The tables of a fleet are shown, as it is now.
    case fleetShown(FleetView)
    /// The fleet was read again while its tables are shown.
    case fleetRead(FleetView)
}
