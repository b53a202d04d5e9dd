import Ports
import Screen
import Session

/// A view that is a table: rows in columns, by one of which they are sorted. Such a view is shown instead of a session.
protocol TableView: MainView {
    associatedtype Column: TableColumn
    var sort: Column { get set }
    var isReversed: Bool { get set }
    /// Rows that match the filter, and the one under the cursor.
    var shownRows: Int { get }
    var selectedRow: Int { get }
    /// Whether a row needs a person's attention.
    func needsAttention(_ row: Int) -> Bool
    /// The notice where none does, and where a key has no meaning in the table.
    static var nothingWrong: String { get }
    static var foreignKey: String { get }
    /// The columns of a table of that many cells.
    func places(tableWidth: Int) -> [TablePlace<Column>]
    /// Which rows are visible.
    func viewport(height: Int) -> Viewport
    /// Selects a row; `height` is the number of rows that are visible.
    mutating func select(row: Int, height: Int)
    /// Opens what is under the cursor.
    mutating func openSelected(_ turn: inout ViewTurn) -> [DashboardEffect]
    /// Asks, or ends everything.
    func quit(_ turn: inout ViewTurn) -> [DashboardEffect]
}

extension TableView {
    /// The names of the columns are above the rows.
    func rowArea(_ inside: Rect) -> Rect { inside.splitTop(1).rest }
    func quit(_ turn: inout ViewTurn) -> [DashboardEffect] { [.quit] }

    var sortNames: [String] { Column.allCases.map(\.rawValue) }

    mutating func sort(by name: String) {
        guard let column = Column(rawValue: name) else { return }
        (sort, isReversed) = (column, false)
    }

    mutating func move(_ action: Action, _ turn: inout ViewTurn) {
        let row = ListMove.row(
            action, from: selectedRow, count: shownRows, page: turn.rows.height, isFiltered: !filter.isEmpty)
        if let row { select(row: row, height: turn.rows.height) }
    }

    mutating func scroll(_ rows: Int, _ turn: inout ViewTurn) {
        select(row: selectedRow + rows, height: turn.rows.height)
    }

    /// A click on a title sorts, one on a row selects it, and a double one opens it.
    mutating func click(_ point: Point, isDouble: Bool, _ turn: inout ViewTurn) -> [DashboardEffect] {
        let rows = turn.rows
        if Rect(x: rows.x, y: rows.y - 1, width: rows.width, height: 1).contains(point) {
            guard let column = places(tableWidth: rows.width).column(at: point.x - rows.x - 1) else { return [] }
            isReversed = column == sort ? !isReversed : false
            sort = column
            return []
        }
        let row = viewport(height: rows.height).offset + point.y - rows.y
        guard rows.contains(point), row < shownRows else { return [] }
        select(row: row, height: rows.height)
        return isDouble ? openSelected(&turn) : []
    }

    /// The next row that needs attention; after the last the first.
    mutating func selectFailure(_ turn: inout ViewTurn) -> Bool {
        let (count, start) = (shownRows, selectedRow)
        let next = (1...max(1, count)).map { (start + $0) % max(1, count) }.first { $0 < count && needsAttention($0) }
        if let next {
            select(row: next, height: turn.rows.height)
        } else {
            turn.toast(Self.nothingWrong, isGood: true)
        }
        return true
    }

    mutating func take(_ key: KeyPress, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        guard let key = TableKey(key) else { return nil }
        switch key {
        case .sort: sort = sort.next
        case .reverse: isReversed.toggle()
        }
        return []
    }

    /// The keys of one session have no meaning here.
    mutating func perform(_ action: Action, key: KeyPress?, _ turn: inout ViewTurn) -> [DashboardEffect]? {
        if let pane = TablePanes(of: pane).pane(of: action) {
            turn.ask(.focusOrZoom(pane))
            return []
        }
        switch action {
        case .open: return openSelected(&turn)
        case .right where turn.isFocused: return openSelected(&turn)
        case .sort: sort = sort.next
        case .reverseSort: isReversed.toggle()
        case .quit where key?.modifiers.contains(.control) != true: return quit(&turn)
        case .up, .down, .left, .right, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .nextMatch,
            .previousMatch, .nextFailure, .back, .nextPane, .previousPane, .paneLog, .zoom, .unzoom, .filter, .help,
            .command, .follow, .timestamps, .wrap, .logLevel, .theme, .redraw, .suspend, .quit:
            return nil
        default: turn.toast(Self.foreignKey, isGood: false)
        }
        return []
    }
}

/// The rows above a table.
protocol TableHeader {
    /// Draws the first row, and those below it.
    func draw(in header: Rect, totals: Rect, on grid: inout Grid)
    /// The items of the first row.
    var row: FittedRow { get }
    /// The only row of the smallest screens.
    func drawTiny(in rect: Rect, on grid: inout Grid)
}

/// The tables that are on one screen, the first of which is the screen's root.
struct TablePanes {
    let panes: [Pane]

    init(of pane: Pane) {
        panes = pane == .sessions ? [.sessions] : [.viewers, .agents]
    }

    /// The names of the columns and the rows of a table without a frame: where there are only a few rows, they are all rows of the table.
    static func split(_ rect: Rect) -> (heading: Rect, rows: Rect) {
        guard rect.height > 3 else { return (.zero, rect) }
        let (heading, rows) = rect.splitTop(1)
        return (heading, rows)
    }

    /// The table that a digit focuses.
    func pane(of action: Action) -> Pane? {
        switch action {
        case .paneTree: panes.first
        case .paneDetail: panes.dropFirst().first
        default: nil
        }
    }
}

/// Keys with a meaning of their own in a table: the usual letters for sorting.
enum TableKey: String, CaseIterable {
    case sort = "s"
    case reverse = "S"

    /// The table key of a key press, nil for other keys.
    init?(_ key: KeyPress) {
        guard case .char(let character) = key.key, key.modifiers.isEmpty, let found = TableKey(rawValue: "\(character)")
        else { return nil }
        self = found
    }
}
