package import Screen

/// The rectangles of a screen: drawing and the mouse both use them, so they never disagree.
package struct Layout: Sendable, Equatable {
    /// The class the size falls in.
    package let sizeClass: SizeClass
    /// The first row; in the smallest class everything.
    package private(set) var header = Rect.zero
    /// What is on air.
    package private(set) var air = Rect.zero
    /// The position in a recording, or how old a picture is.
    package private(set) var scrubber = Rect.zero
    /// The views of the main place.
    package private(set) var tabs = Rect.zero
    /// Addresses of the feeds that fail; above the table of sessions the sums of their beacons.
    package private(set) var addresses = Rect.zero
    /// Axis and tracks, as many as there is room for.
    package private(set) var timeline = Rect.zero
    /// Sparklines and latencies.
    package private(set) var sparks = Rect.zero
    /// The row that is shown while the display is frozen.
    package private(set) var banner = Rect.zero
    /// The first keys to press, in a first run.
    package private(set) var tip = Rect.zero
    /// Keys, or what is being typed.
    package private(set) var footer = Rect.zero
    /// Outer rectangles of the visible panes, borders or rules included.
    package private(set) var panes: [Pane: Rect] = [:]
    /// Whether panes are boxes; otherwise each has a rule above it.
    package let isBoxed: Bool
    /// The rows of the main pane.
    private var mainRows = Rect.zero
    private let main: Pane

    /// The layout of a dashboard in its present state.
    package init(_ state: DashboardState) {
        sizeClass = SizeClass(state.size)
        isBoxed = sizeClass.hasBoxes
        main = state.main
        let screen = Rect(state.size)
        guard sizeClass > .tiny else {
            header = screen
            if state.showsTable { arrangeTinyTable(screen, state) }
            return
        }
        var rest: Rect
        (header, rest) = screen.splitTop(1)
        (rest, footer) = rest.splitBottom(1)
        if state.settings.showsTip, sizeClass > .small { (rest, tip) = rest.splitBottom(1) }
        if state.showsTable {
            arrangeTable(rest, state)
        } else {
            arrangeSession(rest, state)
        }
        if let rect = panes[main] { mainRows = state.mainView.rowArea(inside(rect)) }
    }

    private mutating func arrangeSession(_ area: Rect, _ state: DashboardState) {
        var rest = area
        if state.held != nil { (banner, rest) = rest.splitTop(1) }
        if sizeClass == .small {
            (scrubber, rest) = rest.splitTop(state.top.hasCourse && state.size.rows >= Self.airRows ? 1 : 0)
            (air, rest) = rest.splitTop(state.size.rows >= Self.airRows ? 1 : 0)
            (tabs, rest) = rest.splitTop(state.size.rows >= Self.tabRows ? 1 : 0)
            panes[state.focus] = rest
        } else if state.isZoomed {
            panes[state.focus] = rest
        } else if sizeClass == .medium {
            stack(rest, state)
        } else {
            arrange(rest, state)
        }
    }

    /// The rows of a small screen from which it shows what is on air, and the views.
    private static let airRows = 12
    private static let tabRows = 14

    /// What is on air, the views, and the feeds that fail.
    private mutating func splitTop(_ area: Rect, _ state: DashboardState, feeds: Int) -> Rect {
        var rest = area
        (scrubber, rest) = rest.splitTop(state.top.hasCourse ? 1 : 0)
        (air, rest) = rest.splitTop(1)
        (tabs, rest) = rest.splitTop(1)
        (addresses, rest) = rest.splitTop(min(state.top.failingFeeds, feeds))
        return rest
    }

    /// The table over the detail of its selected row and the log.
    private mutating func arrangeTable(_ area: Rect, _ state: DashboardState) {
        var rest = area
        if sizeClass > .small { (addresses, rest) = rest.splitTop(1 + problemRows(state)) }
        if sizeClass == .small || state.isZoomed {
            panes[state.focus] = rest
            return
        }
        let others = state.tablePanes.dropFirst()
        for pane in others {
            let count = state.views[pane]?.rowCount ?? 0
            let rows = min(max(count, 1), max(2, rest.height / Self.partOfOthers)) + (isBoxed ? 3 : 2)
            (panes[pane], rest) = rest.splitTop(rows)
        }
        var (logRows, detailRows) = (Self.logRows(state.size), Self.tableDetailRows + (isBoxed ? 1 : 0))
        // Where there are several tables, their rows are worth more than lines of the log.
        if !others.isEmpty { logRows = isBoxed ? max(6, logRows - 4) : Self.shortLogRows }
        let inside = rest.height - logRows - detailRows - (isBoxed ? 2 : 1)
        let root = state.settings.table ?? .sessions
        // A heading is above the rows. A table without rows explains why there is none.
        let count = state.views[root]?.rowCount ?? 0
        let spare = count == 0 ? 0 : max(0, inside - 1 - max(count, MainPaneRows.fewest))
        let given = min(spare, Self.moreTableDetailRows)
        detailRows += given
        logRows += spare - given
        (rest, panes[.log]) = rest.splitBottom(logRows)
        (rest, panes[.detail]) = rest.splitBottom(detailRows)
        panes[root] = rest
    }

    /// The row above a table, its rows, and from six rows on the keys.
    private mutating func arrangeTinyTable(_ screen: Rect, _ state: DashboardState) {
        var rest: Rect
        (header, rest) = screen.splitTop(1)
        if screen.height >= Self.tinyFooterRows { (rest, footer) = rest.splitBottom(1) }
        panes[main] = rest
        mainRows = TablePanes.split(rest).rows
    }

    private static let tinyFooterRows = 6

    /// Rows of the log with its rule below several tables.
    private static let shortLogRows = 3
    /// The other tables of a screen have at most this part of its rows.
    private static let partOfOthers = 6

    /// What is wrong with a fleet, above its tables.
    private func problemRows(_ state: DashboardState) -> Int {
        guard state.main != .sessions else { return 0 }
        let most = sizeClass == .medium ? 1 : sizeClass == .large ? 3 : 6
        return min(state.views.fleet.problems.count, most)
    }

    /// Rows of the detail below the table of sessions, with the rule above them.
    private static let tableDetailRows = 4
    /// Rows for what the detail would cut, where the table leaves them.
    private static let moreTableDetailRows = 2

    /// Rows and columns of a pane that hold its content; empty when it is not visible.
    package func content(of pane: Pane) -> Rect {
        guard pane != main else { return mainRows }
        let inside = panes[pane].map(inside) ?? .zero
        return pane.isTable ? inside.splitTop(1).rest : inside
    }

    private func inside(_ rect: Rect) -> Rect {
        isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
    }

    /// The visible pane under a point.
    package func pane(at point: Point) -> Pane? {
        panes.first { $0.value.contains(point) }?.key
    }

    /// Rows of the log with its border or rule, where it is below other panes.
    static func logRows(_ size: Size) -> Int {
        switch SizeClass(size) {
        case .huge: size.rows / 5
        case .large: min(size.rows * 11 / 40, 14)
        case .medium: 1 + 4 + min(max(0, size.rows - 24) / 4, 6)
        case .small, .tiny: 0
        }
    }

    /// Rows of the main pane that it has no use for. A view without rows explains why there is none.
    private static func spareRows(of height: Int, for count: Int, keeping least: Int = 0) -> Int {
        count == 0 ? 0 : max(0, height - max(count, least))
    }

    /// Rules instead of boxes: at 80x24 up to nine rows of tree, three of detail, four of log (TERM-30). What the tree
    /// does not need goes to the detail, and then to the log.
    private mutating func stack(_ area: Rect, _ state: DashboardState) {
        var rest = splitTop(area, state, feeds: 1)
        (timeline, rest) = rest.splitTop(state.size.rows < 28 ? 1 : 2)
        // Half of the rows beyond 24 go to the tree, half to detail and log.
        let extra = max(0, state.size.rows - 24)
        var sideRows = 1 + 3 + min(extra / 4, 9)
        var logRows = Self.logRows(state.size)
        // Summary and session need more than three rows, playlist and creative some more; the tree keeps four.
        let wanted = state.side != .detail ? 6 : state.mainView.detailRows
        sideRows += min(wanted, max(0, rest.height - sideRows - logRows - 5))
        let spare = Self.spareRows(of: rest.height - sideRows - logRows - 1, for: state.mainView.stackedRows)
        let given = min(spare, max(0, Self.usualDetailRows + 1 - sideRows))
        sideRows += given
        logRows += spare - given
        (rest, panes[.log]) = rest.splitBottom(logRows)
        (rest, panes[state.side]) = rest.splitBottom(sideRows)
        panes[state.main] = rest
    }

    /// Rows of the detail of a break with a few ads, and of the first half of an event.
    private static let usualDetailRows = 10

    /// Axis and breaks; with more height metadata and cues apart, then the beacons, and last the ads.
    private static func timelineRows(_ size: Size, isHuge: Bool) -> Int {
        isHuge ? 5 : size.rows >= 45 ? 4 : size.rows >= 36 ? 3 : 2
    }

    /// Boxes; widths and heights in the proportions of the mock-ups of 120x40 and 200x60.
    private mutating func arrange(_ area: Rect, _ state: DashboardState) {
        var rest = splitTop(area, state, feeds: 2)
        let isHuge = sizeClass == .huge
        (timeline, rest) = rest.splitTop(Self.timelineRows(state.size, isHuge: isHuge))
        (sparks, rest) = rest.splitTop(isHuge ? 2 : 1)
        var side: Rect
        if isHuge {
            let column: Rect
            (rest, column) = rest.splitRight(state.size.columns >= 180 ? 42 : 40)
            (panes[.summary], panes[.session]) = column.splitBottom(column.height * 9 / 20)
        }
        var logRows = Self.logRows(state.size)
        // Rows that the main pane has no use for are worth more in the log; the detail beside it keeps its usual height.
        logRows += Self.spareRows(
            of: rest.height - logRows - 2, for: state.mainView.rowCount, keeping: isHuge ? 24 : 14)
        (rest, panes[.log]) = rest.splitBottom(logRows)
        (rest, side) = rest.splitRight(rest.width * 7 / 15)
        panes[isHuge ? .detail : state.side] = side
        panes[state.main] = rest
    }
}
