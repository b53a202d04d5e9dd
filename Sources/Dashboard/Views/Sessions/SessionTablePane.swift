import Ports
import Screen
import Session

/// The table of many sessions: one row each, sorted and filtered. It is the view of a dashboard that shows all sessions
/// instead of one.
struct SessionTablePane: TableView {
    /// The sessions as they were read last, with their common log.
    private(set) var sessions = SessionsView([])
    /// The rows; up to date after every event.
    private(set) var model = SessionTableModel()
    /// The column by which the rows are sorted.
    var sort = SessionColumn.problem
    var isReversed = false
    var filter = ""
    /// Name of the selected session; nil selects the first row.
    var selection: String?
    /// Row of the selection when it was last visible, for when the filter hides it.
    private(set) var lastRow = 0
    /// First visible row as the user left it.
    private var offset = 0
    /// When the sessions were read; ages are shown as of then.
    private var readAt: Moment?

    var pane: Pane { .sessions }
    /// All sessions: a filter does not change the height.
    var rowCount: Int { model.count }
    var filterWords: [FilterWord] {
        let all = sessions.sessions
        let byUrgency = all.sorted { $0.stateSign.urgency > $1.stateSign.urgency }
        return FilterWord.joined(
            FilterWord.counted(byUrgency.map(\.stateWord), "session"), FilterWord.counted(all.map(\.name), "session"))
    }
    var hints: [FooterHint] {
        TableHints.all(opening: "open")
    }

    /// Takes the sessions as they are at `now`.
    mutating func read(_ sessions: SessionsView, at now: Moment) {
        self.sessions = sessions
        readAt = now
        makeRows()
    }

    /// Makes the rows where the user has changed what is shown of the sessions.
    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) {
        if !model.fits(self) { makeRows() }
    }

    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) { fit(turn.scene.shown, breaks: breaks) }

    private mutating func makeRows() {
        guard let readAt else { return }
        model = SessionTableModel(sessions.sessions, self, now: readAt)
        lastRow = model.selectedRow
    }

    /// Selects a row; `height` is the number of rows that are visible.
    mutating func select(row: Int, height: Int) {
        offset = viewport(height: height).offset
        model.select(row)
        selection = model.selected?.name
        lastRow = model.selectedRow
    }

    /// Which rows are visible.
    func viewport(height: Int) -> Viewport {
        Viewport(count: model.rows.count, height: height, offset: offset).showing(model.selectedRow)
    }

    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let order: SafeText = isReversed ? ", reversed" : ""
        let sorted = StyledLine(sort.orderName + order, .paneCount)
        var long = sorted
        if !filter.isEmpty {
            long.add("   \(model.rows.count.grouped) of \(model.count.counted("stream"))", .paneCount)
        }
        let frame = PaneFrame(
            title: ListPane.filtered(StyledLine("[1] Sessions", .paneTitle), by: filter), status: [long, sorted],
            isFocused: context.focus == pane)
        frame.draw(in: rect, isBoxed: context.isBoxed, context.glyphs, on: &grid)
        let (heading, rows) = (context.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest).splitTop(1)
        SessionTableRows(table: self, context: context).draw(heading: heading, rows: rows, on: &grid)
        frame.position(viewport(height: rows.height), in: rect, isBoxed: context.isBoxed, on: &grid)
    }

    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let (heading, rows) = TablePanes.split(rect)
        SessionTableRows(table: self, context: context).draw(heading: heading, rows: rows, on: &grid)
    }

    func help(_ context: ViewContext) -> (rows: [HintRow], columns: Int)? {
        let width = context.size.columns - (context.isBoxed ? 2 : 0)
        let columns = Set(SessionColumns(tableWidth: width, model).places.map(\.column))
        return (SessionTableHelp.rows(context, columns), TableHelp.columns)
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        StyledLine(
            SafeText(outside: model.selected?.name ?? "no session", columns: SessionColumns.nameLimit), .paneTitle)
    }

    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        guard let row = model.selected else { return }
        for line in SessionTableDetail.lines(row, context) { fields.add(line) }
    }

    /// The detail is always in its few rows below the table.
    func compactDetail(_ context: ViewContext, in content: Size) -> [HintRow]? {
        let size = Size(columns: content.columns - 1, rows: content.rows)
        return model.selected.map { SessionTableDetail.rows($0, context, in: size) } ?? []
    }
}
