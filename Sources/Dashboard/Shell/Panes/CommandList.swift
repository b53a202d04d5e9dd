import Screen
import Session

/// The list above the line that is typed: commands with a sentence and a key, the values of an argument, or words to filter by.
struct CommandList {
    /// Rows of the list at most; it scrolls with the chosen one. Beside that of a filter there are the rows that it leaves.
    private static let most = 12
    private static let mostOfFilter = 6
    private static let widest = 100
    /// The longest part of a row that the names take, so that the sentences stay in one column.
    private static let longestTitle = 34

    private let rows: [Completion.Candidate]
    private let selected: Int?
    private let context: ViewContext
    private let rect: Rect
    private let viewport: Viewport
    private let title: SafeText

    /// Nil where nothing is typed, nothing fits what is typed, or there is no room.
    init?(_ frame: FrameContext) {
        let rows = frame.state.candidates(frame.context.snapshot)
        let footer = frame.layout.footer
        let isCommand = frame.state.entry?.purpose == .command
        let height = min(rows.count, isCommand ? Self.most : Self.mostOfFilter, footer.y - 4)
        guard height > 0, frame.layout.sizeClass > .tiny else { return nil }
        self.rows = rows
        context = frame.context
        selected = frame.state.entry?.selected
        title = Self.title(frame.state.entry, rows[0])
        rect = Rect(
            x: footer.x, y: footer.y - height - 2, width: min(footer.width, Self.widest), height: height + 2)
        viewport = Viewport(
            count: rows.count, height: height, offset: max(0, (selected ?? 0) - height + 1))
    }

    private static func title(_ entry: TextEntry?, _ first: Completion.Candidate) -> SafeText {
        if case .filter(let pane)? = entry?.purpose { return SafeText(outside: "Filter \(pane.name)") }
        return first.line.contains(" ") ? SafeText(outside: String(first.line.prefix { $0 != " " })) : "Commands"
    }

    /// Draws the list over the panes.
    func draw(on grid: inout Grid) {
        grid.fill(rect)
        let box = PaneFrame(title: StyledLine(title, .paneTitle), isFocused: true)
        box.draw(in: rect, isBoxed: true, context.glyphs, on: &grid)
        box.position(viewport, in: rect, isBoxed: true, on: &grid)
        let content = rect.inset(columns: 1, rows: 1)
        let titles = rows.map { SafeText(outside: $0.title, columns: Self.longestTitle).columns }.max() ?? 0
        for (index, row) in viewport.visible.enumerated() {
            draw(rows[row], titles: titles, isSelected: row == selected, in: content.row(index), on: &grid)
        }
    }

    private func draw(
        _ row: Completion.Candidate, titles: Int, isSelected: Bool, in rect: Rect, on grid: inout Grid
    ) {
        if isSelected { grid.fill(rect, role: .selection) }
        let area = rect.inset(columns: 1, rows: 0)
        let key = StyledLine.of(row.action.map(context.key) ?? "", .footerKey)
        let title = StyledLine.of(row.title, .text).truncatedTail(to: min(titles, area.width), context.glyphs)
        grid.put(title, at: area.origin, maxColumns: area.width)
        let room = area.width - titles - 2 - (key.columns > 0 ? key.columns + 2 : 0)
        if room > 8 {
            let summary = StyledLine(row.summary, .textMuted).truncatedTail(to: room, context.glyphs)
            grid.put(summary, at: Point(x: area.x + titles + 2, y: area.y), maxColumns: room)
        }
        grid.put(key, at: Point(x: area.maxX - key.columns, y: area.y), maxColumns: key.columns)
    }

    /// The highest row that the list covers.
    var top: Int { rect.y }

    /// Whether the list covers a point.
    func contains(_ point: Point) -> Bool { rect.contains(point) }

    /// The row under a point; nil beside them.
    func row(at point: Point) -> Int? {
        let content = rect.inset(columns: 1, rows: 1)
        guard content.contains(point) else { return nil }
        let row = viewport.visible.lowerBound + point.y - content.y
        return viewport.visible.contains(row) ? row : nil
    }
}
