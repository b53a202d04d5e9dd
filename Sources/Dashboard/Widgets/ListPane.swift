import Screen

/// A pane that is a list: a frame with rows, one of them selected. Such panes differ in their rows only.
struct ListPane {
    let pane: Pane
    var title: StyledLine
    /// The texts for the right end of the frame, the longest first.
    var status: [StyledLine]
    /// The number of all rows, also those scrolled away; 0 shows `absence`.
    var count: Int
    var selected: Int
    /// The filter: marked in the rows and shown in the title.
    var filter: String
    /// Why there are no rows.
    var absence: [StyledLine] = []
    /// The cells of the rows inside the frame (default: all of them).
    var place: @Sendable (Rect) -> Rect = { $0 }

    /// Draws the pane. `row` draws the row of an index into its place, to the right of the cursor's column; `shown` are
    /// the rows that are visible.
    func draw(
        _ context: ViewContext, shown: (_ height: Int) -> Viewport, in rect: Rect, on grid: inout Grid,
        row: (_ index: Int, _ shown: Viewport, _ place: Rect, _ grid: inout Grid) -> Void
    ) {
        let isBoxed = context.isBoxed
        let isFocused = context.focus == pane
        let frame = PaneFrame(title: Self.filtered(title, by: filter), status: status, isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        let content = place(isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest)
        guard !content.isEmpty else { return }
        guard count > 0 else { return Self.say(absence, context, in: content, on: &grid) }
        let matches = TextFilter(filter)
        let shown = shown(content.height)
        for (line, index) in shown.visible.enumerated() {
            let place = content.row(line)
            let isSelected = index == selected
            if isSelected { grid.put(SafeText(context.glyphs.cursor), at: place.origin, role: .paneFocus) }
            row(index, shown, Rect(x: place.x + 1, y: place.y, width: place.width - 1, height: 1), &grid)
            if isSelected { grid.mark(place, isFocused ? .selection : .selectionInactive) }
            grid.markMatches(of: matches, in: place, isSelected ? .matchCurrent : .match)
        }
        frame.position(shown, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// The title with the filter behind it.
    static func filtered(_ title: StyledLine, by filter: String) -> StyledLine {
        var line = title
        if !filter.isEmpty {
            line.append("  /", .input)
            line.append(SafeText(outside: filter, columns: 24), .input)
        }
        return line
    }

    /// Shows why there are no rows.
    static func say(_ lines: [StyledLine], _ context: ViewContext, in content: Rect, on grid: inout Grid) {
        for (index, line) in lines.prefix(content.height).enumerated() {
            grid.put(
                line.truncatedMiddle(to: content.width - 2, context.glyphs),
                at: Point(x: content.x + 1, y: content.y + index), maxColumns: content.width - 2)
        }
    }

    /// The lines shown when nothing matches the filter.
    static func nothing(matches filter: String) -> [StyledLine] {
        [.of("nothing matches \(filter)", .textMuted), StyledLine("Esc clears the filter", .textMuted)]
    }
}
