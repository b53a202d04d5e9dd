import Ports
import Screen
import Session

/// What one table of a fleet has of its own: rows, columns, texts.
protocol FleetTableKind: Sendable {
    associatedtype Row: Sendable
    associatedtype Column: FleetColumn

    static var pane: Pane { get }
    static var title: SafeText { get }
    /// What its rows are: `viewer`.
    static var noun: String { get }
    /// The order at the start: what needs attention first.
    static var firstSort: Column { get }
    static var hints: [FooterHint] { get }
    static var absence: SafeText { get }
    static var foreignKey: String { get }

    /// What stays the same of a row from reading to reading.
    static func id(_ row: Row) -> String
    /// What columns of names are as wide as.
    static func name(_ row: Row) -> String
    static func filterTexts(_ row: Row) -> [String]
    /// The words of these rows to filter by, those of states first.
    static func words(_ rows: [Row]) -> [FilterWord]
    /// How much it needs attention; 0 not at all.
    static func urgency(_ row: Row) -> Int
    static func text(_ row: Row, _ place: TablePlace<Column>, _ context: ViewContext) -> StyledLine
    /// Whether one row is before another one; nil leaves them as they are.
    static func places(_ left: Row, before right: Row, by column: Column) -> Bool?
    static func fields(_ row: Row, _ context: ViewContext) -> [TableDetail.Field]
    static func open(_ row: Row, _ turn: inout ViewTurn) -> [DashboardEffect]
}

extension FleetTableKind {
    /// The greater one is first; nil for equal ones.
    static func differ<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
        left == right ? nil : left > right
    }

    /// Names in ascending order; nil for equal ones.
    static func named(_ left: String, _ right: String) -> Bool? {
        left == right ? nil : NaturalOrder.precedes(left, right)
    }
}

/// A column of such a table.
protocol FleetColumn: TableColumn {
    /// Its least width with the blank after it.
    var width: Int { get }
    /// The words for the order.
    var orderName: SafeText { get }
    /// The order in which columns are dropped where there is too little room.
    static var droppedFirst: [Self] { get }
    /// The column of names, and the one that takes what is left.
    static var names: Self { get }
    static var widest: Self { get }
}

extension FleetColumn {
    /// The most columns of a name.
    static var nameLimit: Int { 32 }

    /// The columns for rows of that many cells.
    static func places(width: Int, name: Int) -> [TablePlace<Self>] {
        var shown = Array(allCases)
        for column in droppedFirst {
            guard shown.reduce(0, { $0 + $1.width }) > width else { break }
            shown.removeAll { $0 == column }
        }
        var spare = max(0, width - shown.reduce(0) { $0 + $1.width })
        let forName = min(spare, max(0, min(name, nameLimit) + 1 - names.width))
        spare -= forName
        var x = 0
        return shown.map { column in
            let cells = column.width + (column == names ? forName : column == widest ? spare : 0)
            defer { x += cells }
            return TablePlace(column: column, x: x, width: max(0, min(cells - 1, width - x)))
        }
    }
}

/// A table of a fleet: one row each, sorted and filtered.
struct FleetTablePane<Kind: FleetTableKind>: TableView {
    /// All rows, in the order of the store.
    private var all: [Kind.Row] = []
    /// Those that match the filter, in the order that is wanted.
    private(set) var rows: [Kind.Row] = []
    private(set) var selectedRow = 0
    var sort = Kind.firstSort { didSet { if sort != oldValue { makeRows() } } }
    var isReversed = false { didSet { if isReversed != oldValue { makeRows() } } }
    var filter = "" { didSet { if filter != oldValue { makeRows() } } }
    /// Whether anything was read.
    private var isRead = false
    private var selection: String?
    private var offset = 0
    private var longestName = 0

    init() {}

    mutating func read(_ rows: [Kind.Row]) {
        (all, isRead) = (rows, true)
        longestName = rows.reduce(0) {
            max($0, SafeText(outside: Kind.name($1), columns: Kind.Column.nameLimit).columns)
        }
        makeRows()
    }

    var filterWords: [FilterWord] { Kind.words(all) }

    private mutating func makeRows() {
        let words = TextFilter(filter)
        rows = words.isEmpty ? all : all.filter { words.passes(anyOf: Kind.filterTexts($0)) }
        let numbered = rows.enumerated().sorted { left, right in
            Kind.places(left.element, before: right.element, by: sort) ?? (left.offset < right.offset)
        }
        rows = numbered.map(\.element)
        if isReversed { rows.reverse() }
        let row = selection.flatMap { id in rows.firstIndex { Kind.id($0) == id } } ?? selectedRow
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
    }

    var selected: Kind.Row? { rows.indices.contains(selectedRow) ? rows[selectedRow] : nil }

    // MARK: The table

    static var nothingWrong: String { "no \(Kind.noun) has a problem" }
    static var foreignKey: String { Kind.foreignKey }
    var shownRows: Int { rows.count }
    func needsAttention(_ row: Int) -> Bool { rows.indices.contains(row) && Kind.urgency(rows[row]) > 0 }

    func places(tableWidth: Int) -> [TablePlace<Kind.Column>] {
        Kind.Column.places(width: max(0, tableWidth - 1), name: longestName)
    }

    func viewport(height: Int) -> Viewport {
        Viewport(count: rows.count, height: height, offset: offset).showing(selectedRow)
    }

    mutating func select(row: Int, height: Int) {
        offset = viewport(height: height).offset
        selectedRow = min(max(row, 0), max(rows.count - 1, 0))
        selection = selected.map(Kind.id)
    }

    func openSelected(_ turn: inout ViewTurn) -> [DashboardEffect] {
        selected.map { Kind.open($0, &turn) } ?? []
    }

    // MARK: The view

    var pane: Pane { Kind.pane }
    var rowCount: Int { all.count }
    var hints: [FooterHint] { Kind.hints }

    mutating func fit(_ snapshot: Snapshot, breaks: TreePane) {}
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn) {}

    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let order: SafeText = isReversed ? ", reversed" : ""
        let sorted = StyledLine(sort.orderName + order, .paneCount)
        var long = sorted
        if !filter.isEmpty { long.add("   \(rows.count.grouped) of \(all.count.counted(Kind.noun))", .paneCount) }
        let frame = PaneFrame(
            title: ListPane.filtered(StyledLine(Kind.title, .paneTitle), by: filter), status: [long, sorted],
            isFocused: context.focus == pane)
        frame.draw(in: rect, isBoxed: context.isBoxed, context.glyphs, on: &grid)
        let (heading, place) = (context.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest).splitTop(1)
        drawRows(context, heading: heading, in: place, on: &grid)
        frame.position(viewport(height: place.height), in: rect, isBoxed: context.isBoxed, on: &grid)
    }

    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let (heading, rows) = TablePanes.split(rect)
        drawRows(context, heading: heading, in: rows, on: &grid)
    }

    private func drawRows(_ context: ViewContext, heading: Rect, in place: Rect, on grid: inout Grid) {
        let cells = TableRows(
            places: places(tableWidth: place.width), sort: sort, isReversed: isReversed, filter: filter,
            isFocused: context.focus == pane, context: context)
        cells.draw(heading: heading, on: &grid)
        guard !rows.isEmpty else {
            let absence = all.isEmpty ? [StyledLine(Kind.absence, .textMuted)] : ListPane.nothing(matches: filter)
            return ListPane.say(isRead ? absence : [], context, in: place, on: &grid)
        }
        cells.draw(viewport(height: place.height), selected: selectedRow, in: place, on: &grid) { row, cell in
            Kind.text(rows[row], cell, context)
        }
    }

    func help(_ context: ViewContext) -> (rows: [HintRow], columns: Int)? {
        (FleetHelp.rows(context), TableHelp.columns)
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        let name = selected.map(Kind.name) ?? "no \(Kind.noun)"
        return StyledLine(SafeText(outside: name, columns: Kind.Column.nameLimit), .paneTitle)
    }

    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        guard let selected else { return }
        for field in Kind.fields(selected, context) { fields.add(TableDetail.labelled(field.label, field.value)) }
    }

    /// The detail is always in its few rows below the table.
    func compactDetail(_ context: ViewContext, in content: Size) -> [HintRow]? {
        guard let selected else { return [] }
        let size = Size(columns: content.columns - 1, rows: content.rows)
        return TableDetail.rows(Kind.fields(selected, context), context, in: size)
    }
}
