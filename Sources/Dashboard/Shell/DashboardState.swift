package import AdFormats
package import Ports
package import Screen
package import Session

/// Everything about the dashboard that is not the session: what is focused, selected, open, typed, held.
///
/// A value without clocks: `update` changes it, `Renderer` draws it, both with the time as a parameter.
package struct DashboardState: Sendable {
    /// The caller's settings are a type of their own, because views use them too.
    package typealias Settings = DashboardSettings

    /// The caller's settings.
    package var settings: Settings
    /// The terminal, or `--size`.
    package var size: Size
    /// The pane that keys act on.
    package var focus = Pane.tree
    /// The view in the main place.
    package var main = Pane.tree
    /// The side pane beside the main one where there is room for one.
    package var side = Pane.detail
    /// Whether the focused pane has the screen to itself.
    package var isZoomed = false
    /// Index of the session that is shown, or was shown last.
    package var session = 0
    /// What belongs to the table of sessions while one session is shown.
    package var table = TableDesk()
    /// Level, filter and position of the log.
    package var log = LogState()
    /// Places and search texts of the panes that are text.
    package var scrolls = Scrolls()
    /// The views, each with its rows and choices.
    package var views = ViewTable()
    /// Whether detail and session show whole addresses.
    package var wrapsDetail = true
    /// The content of the help over the panes; nil while it is closed.
    package var help: HelpTopic?
    /// The text being typed, nil when keys are commands.
    package var entry: TextEntry?
    /// Earlier command lines, newest last.
    package var history: [String] = []
    /// The question on the screen.
    package var confirmation: Confirmation?
    /// What is shown while the display is frozen.
    package var held: HeldView?
    /// Notices, oldest first.
    package var toasts: [Toast] = []
    /// When a beacon key last acted.
    package var lastBeaconKey: Duration?
    /// The `number` of the user report that was last shown as a toast.
    package var shownReport: Int?
    /// What is remembered of the mouse.
    package var pointer = Pointer()
    /// Whether the process is about to be stopped, and whether the terminal has the focus (assumed where it is not
    /// reported).
    package var visibility = VisibilityModel()
    /// The orientation that was last reported to the session.
    package var toldOrientation: RequestParameters.Orientation?
    /// What the rows above the panes need room for.
    package var top = TopNeeds()

    /// A dashboard of that size as it starts: with the table if there is one.
    package init(size: Size, settings: Settings = Settings()) {
        self.size = size
        self.settings = settings
        main = settings.table ?? settings.view.pane
        focus = main
        table.main = main
        table.focus = main
        log.sources = Set(LogSource.allCases).subtracting(settings.hiddenLog)
    }

    /// Whether a table is shown instead of one session.
    package var showsTable: Bool { main.isTable }
    /// The tables of this dashboard, the root first; empty where there is none.
    var tablePanes: [Pane] { settings.table.map { TablePanes(of: $0).panes } ?? [] }

    /// The view in the main place, by its name.
    package var view: DashboardView { DashboardView(main) ?? .breaks }

    /// The view in the main place.
    var mainView: any MainView { views[main] ?? views.breaks }

    /// The ad that is shown over all panes; nil while the panes are shown instead.
    func presentedAd(_ snapshot: Snapshot) -> FormatsView.Slot? {
        main == .formats ? views.formats.presentedAd(snapshot) : nil
    }

    /// The snapshot to show and the moment to show it at: the held ones while frozen.
    package func shown(_ snapshot: Snapshot, now: Moment) -> (snapshot: Snapshot, now: Moment) {
        held.map { ($0.snapshot, $0.at) } ?? (snapshot, now)
    }
}

/// Focus and log of the table. A session that is opened from it has its own.
package struct TableDesk: Sendable, Equatable {
    /// The table that has the cursor.
    package var main = Pane.sessions
    /// The pane that keys act on.
    package var focus = Pane.sessions
    /// Whether it has the screen to itself.
    package var isZoomed = false
    /// Level, filter and position of the common log.
    package var log = LogState()
}

/// What is remembered from one report of the mouse to the next.
package struct Pointer: Sendable, Equatable {
    /// The last click, for recognising a double click.
    package var lastClick: Click?
    /// The effects that wait until the button is let go. After those that give the terminal away its release would be typed at
    /// the shell.
    package var atRelease: [DashboardEffect] = []
}

/// A mouse click, for recognising a double click.
package struct Click: Sendable, Equatable {
    /// Two clicks on one cell within this are a double click.
    package static let doubleInterval: Duration = .milliseconds(400)

    /// The cell.
    package var point: Point
    /// Uptime of the click.
    package var at: Duration
}
