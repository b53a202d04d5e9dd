import Dashboard
import Screen
import Session

/// An event that wakes the loop of the dashboard.
enum LoopEvent: Sendable {
    case input(InputEvent)
    case terminalGone
    case snapshot(Snapshot, feed: Int)
    case table(DashboardEvent, feed: Int)
    case alarm
    case noticed(String, isGood: Bool)
    case folder(FolderListing)
}
