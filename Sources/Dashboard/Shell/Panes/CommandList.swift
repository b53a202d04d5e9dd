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
    /// The names give way to the sentences, but not below this.
    private static let shortestTitle = 20
    /// The columns that the names leave to a sentence and its key where they can: those of the longest sentence of a command.
    static let sentence = 48
    /// Where there are fewer columns beside the names, a sentence would say nothing.
    private static let leastSentence = 24
    /// Blanks between the parts of a row.
    private static let gap = 2

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
        let titles = titleColumns(in: content.width - 2)
        for (index, row) in viewport.visible.enumerated() {
            draw(rows[row], titles: titles, isSelected: row == selected, in: content.row(index), on: &grid)
        }
    }

    /// The column of the names: as wide as the longest, unless the sentences need the room.
    private func titleColumns(in width: Int) -> Int {
        let longest = rows.map { SafeText(outside: $0.title, columns: Self.longestTitle).columns }.max() ?? 0
        guard width - Self.shortestTitle - Self.gap >= Self.leastSentence else { return longest }
        let beside = rows.map { min($0.summary.columns + keyColumns(of: $0), Self.sentence) }.max() ?? 0
        return min(longest, max(Self.shortestTitle, width - Self.gap - beside))
    }

    private func key(of row: Completion.Candidate) -> StyledLine {
        .of(row.action.map(context.key) ?? "", .footerKey)
    }

    /// Columns that a sentence leaves to the key of its row.
    private func keyColumns(of row: Completion.Candidate) -> Int {
        let columns = key(of: row).columns
        return columns > 0 ? columns + Self.gap : 0
    }

    private func draw(
        _ row: Completion.Candidate, titles: Int, isSelected: Bool, in rect: Rect, on grid: inout Grid
    ) {
        if isSelected { grid.fill(rect, role: .selection) }
        let area = rect.inset(columns: 1, rows: 0)
        let title = StyledLine.of(row.title, .text).truncatedAtWord(to: min(titles, area.width), context.glyphs)
        grid.put(title, at: area.origin, maxColumns: area.width)
        let room = area.width - titles - Self.gap - keyColumns(of: row)
        if room > 8 {
            let summary = StyledLine(row.summary, .textMuted).truncatedAtWord(to: room, context.glyphs)
            grid.put(summary, at: Point(x: area.x + titles + Self.gap, y: area.y), maxColumns: room)
        }
        let key = key(of: row)
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
