import Monitoring
package import Ports
package import Screen

/// The panes of the table's screen that keys act on.
package enum SessionTablePane: Sendable, CaseIterable {
    case sessions, log
}

/// The state of the table of many sessions: selection, order, filter, typed text.
///
/// A value without clocks, as `DashboardState` is for one session.
package struct SessionTableState: Sendable {
    package var settings: DashboardState.Settings
    /// The terminal, or `--size`.
    package var size: Size
    /// The column by which the rows are sorted.
    package var sort = SessionColumn.number
    package var isReversed = false
    /// The text typed after `/`.
    package var filter = ""
    /// Name of the selected session; nil selects the first row.
    package var selection: String?
    /// Row of the selection when it was last visible, for when the filter hides it.
    package var lastRow = 0
    /// First visible row as the user left it.
    package var offset = 0
    /// The filter while it is typed.
    package var entry: TextEntry?
    package var isHelpOpen = false
    /// The pane that keys act on.
    package var focus = SessionTablePane.sessions
    /// Whether that pane has the screen to itself.
    package var isZoomed = false
    /// Level, filter and position of the log below the table.
    package var log = LogState()
    package var toasts: [Toast] = []
    package var lastClick: Click?
    /// The rows of the newest sessions.
    package private(set) var model = SessionTableModel()

    /// A table of that size as it starts.
    package init(size: Size, settings: DashboardState.Settings = DashboardState.Settings()) {
        self.size = size
        self.settings = settings
    }

    var glyphs: Glyphs { settings.isASCII ? .ascii : .unicode }

    /// Rebuilds the rows.
    mutating func refresh(_ sessions: [SessionHealth], now: Moment) {
        model = SessionTableModel(sessions, self, now: now)
        lastRow = model.selectedRow
    }

    mutating func select(row: Int) {
        offset = viewport.offset
        model.select(row)
        selection = model.selected?.name
        lastRow = model.selectedRow
    }

    /// Which rows are visible.
    var viewport: Viewport {
        Viewport(count: model.rows.count, height: SessionTableLayout(self).rows.height, offset: offset)
            .showing(model.selectedRow)
    }

    /// The latest uptime at which the picture changes by itself: it shows a clock, ages and notices.
    package func nextRefresh(now: Moment) -> Moment {
        let second: Int64 = 1_000_000
        let wall = now.wall.microseconds
        let wait = Duration.microseconds(second - (wall - wall.flooringDivision(by: second) * second))
        let toast = toasts.map { $0.expires - now.uptime }.min() ?? wait
        return now.advanced(by: max(min(wait, toast), .milliseconds(1)))
    }
}

/// What happened to the table.
package enum SessionTableEvent: Sendable, Equatable {
    case input(InputEvent)
    /// The sessions have changed: those passed with this event are the newest.
    case refreshed
    /// The outcome of an effect, in one sentence.
    case noticed(String, isGood: Bool)
    /// The theme of this name is now in use.
    case themeChanged(String)
}

/// What the caller must do after an update of the table.
package enum SessionTableEffect: Sendable, Equatable {
    /// Show the session with this index in the list.
    case open(Int)
    case setTheme(String)
    case redraw
    case suspend
    case quit
}
