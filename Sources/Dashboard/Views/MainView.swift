import Ports
import Screen
import Session

/// A view of the main place as one value: its rows, what the user chose in them, what the detail pane explains, its
/// keys.
///
/// Whatever differs between views is here, and a view owns its state. It does not know the shell around it: what it may
/// know comes with a `ViewTurn` or a `ViewContext`, and what it wants of the shell it asks through the turn.
protocol MainView: Sendable {
    /// The pane that shows it.
    var pane: Pane { get }
    /// The keys of the view in the footer.
    var hints: [FooterHint] { get }
    /// The keys of the view in its help, most important first, each with what it does here.
    var helpKeys: [HelpKey] { get }
    /// Rows that the detail needs beyond its least, where the panes are stacked.
    var detailRows: Int { get }
    /// Number of its rows, where its pane may be as low as these; 0 while it explains why there is none.
    var rowCount: Int { get }
    /// The rows that its pane keeps where the panes are stacked; 0 keeps all, where it explains why there is none.
    var stackedRows: Int { get }
    /// The cells of the rows inside the frame.
    func rowArea(_ inside: Rect) -> Rect

    /// Draws its pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid)
    /// What the hint under a point of its pane does; nil beside hints.
    func press(at point: Point, _ context: ViewContext, in rect: Rect) -> HintPress?
    /// The selected row alone, for the smallest screens; of a table as many rows as there is room for.
    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid)

    /// The lines of help where keys mean something else than in the other views, and their columns; nil shows all keys
    /// and commands.
    func help(_ context: ViewContext) -> (rows: [HintRow], columns: Int)?

    /// The title of the detail pane.
    func detailTitle(_ context: ViewContext) -> StyledLine
    /// Adds everything known about the selection.
    func addDetail(_ context: ViewContext, to fields: inout FieldLines)
    /// The texts for the right end of the detail's frame, the longest first.
    func detailStatus(_ context: ViewContext) -> [StyledLine]
    /// The keys shown below the text of the detail.
    func detailHints(_ context: ViewContext) -> HintRow?
    /// The rows of a form for few rows of that many columns, in the place of the detail's text; nil where there is none.
    func compactDetail(_ context: ViewContext, in content: Size) -> [HintRow]?

    /// The text typed after `/`.
    var filter: String { get set }
    /// What it may be, the most useful first: texts of rows, whatever the filter is now.
    var filterWords: [FilterWord] { get }
    /// Makes the rows for a snapshot, where they are out of date.
    mutating func fit(_ snapshot: Snapshot, breaks: TreePane)
    /// Makes the rows and moves the cursor with the playhead.
    mutating func refresh(breaks: TreePane, _ turn: inout ViewTurn)

    /// Moves the cursor, or folds and unfolds.
    mutating func move(_ action: Action, _ turn: inout ViewTurn)
    /// Scrolls by rows.
    mutating func scroll(_ rows: Int, _ turn: inout ViewTurn)
    /// The effects of a click on its pane.
    mutating func click(_ point: Point, isDouble: Bool, _ turn: inout ViewTurn) -> [DashboardEffect]
    /// Enter.
    mutating func open(_ turn: inout ViewTurn)
    /// Turns following the playhead on, off, or over (nil).
    mutating func follow(_ flag: Bool?, _ turn: inout ViewTurn)
    /// Selects the next break, or what the view has of that kind, in that direction.
    mutating func selectBreak(_ step: Int, _ turn: inout ViewTurn)
    /// Selects the next of the failures that it has itself.
    /// - Returns: false where it has none: then those of the beacons are meant.
    mutating func selectFailure(_ turn: inout ViewTurn) -> Bool

    /// The effects of a key that means something else here than in the key map; nil for other keys.
    mutating func take(_ key: KeyPress, _ turn: inout ViewTurn) -> [DashboardEffect]?
    /// The effects of an action that means something else here; nil for other actions. There is no key when it came from
    /// the mouse.
    mutating func perform(_ action: Action, key: KeyPress?, _ turn: inout ViewTurn) -> [DashboardEffect]?

    /// The names of the columns by which a table can be sorted.
    var sortNames: [String] { get }
    /// Sorts a table by the column of that name.
    mutating func sort(by name: String)

    /// The URL of the selected row, nil where it has none.
    var address: String? { get }
    /// The finding under the cursor.
    var finding: Finding? { get }
}

extension MainView {
    /// Whether keys act on the view: its rows have them, or the detail of its selection.
    func hasKeys(_ context: ViewContext) -> Bool { context.focus == pane || context.focus == .detail }
}

enum MainPaneRows {
    /// The rows of a main pane that has fewer: it does not change with the first breaks.
    static let fewest = 4
}

/// A view that has nothing special.
extension MainView {
    var hints: [FooterHint] { [] }
    var helpKeys: [HelpKey] { [] }
    var detailRows: Int { 2 }
    var rowCount: Int { 0 }
    var stackedRows: Int { rowCount == 0 ? 0 : max(rowCount, MainPaneRows.fewest) }
    func rowArea(_ inside: Rect) -> Rect { inside }
    func press(at point: Point, _ context: ViewContext, in rect: Rect) -> HintPress? { nil }

    func help(_ context: ViewContext) -> (rows: [HintRow], columns: Int)? { nil }
    var filterWords: [FilterWord] { [] }

    func detailStatus(_ context: ViewContext) -> [StyledLine] { [] }
    func detailHints(_ context: ViewContext) -> HintRow? {
        guard address != nil else { return nil }
        // The rows of some views give the key that wraps another meaning.
        let wraps = context.focus == .detail || !helpKeys.contains { $0.takes(.wrap, context) }
        return KeyHints.row([(.copyURL, "copy url")] + (wraps ? [(.wrap, "wrap")] : []), context, gap: 2)
    }
    func compactDetail(_ context: ViewContext, in content: Size) -> [HintRow]? { nil }

    mutating func open(_ turn: inout ViewTurn) { turn.ask(.showDetail) }
    mutating func follow(_ flag: Bool?, _ turn: inout ViewTurn) { turn.ask(.followBreaks(flag)) }
    mutating func selectBreak(_ step: Int, _ turn: inout ViewTurn) {
        turn.ask(.selectBreak(step))
        turn.ask(.focus(.tree))
    }
    mutating func selectFailure(_ turn: inout ViewTurn) -> Bool { false }

    mutating func take(_ key: KeyPress, _ turn: inout ViewTurn) -> [DashboardEffect]? { nil }
    mutating func perform(_ action: Action, key: KeyPress?, _ turn: inout ViewTurn) -> [DashboardEffect]? { nil }

    var sortNames: [String] { [] }
    mutating func sort(by name: String) {}

    var address: String? { nil }
    var finding: Finding? { nil }
}
