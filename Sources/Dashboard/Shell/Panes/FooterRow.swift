import Screen

/// The last row: the text being typed, a question, or the keys.
enum FooterRow {
    /// Draws the row and gives the place of the cursor while text is typed.
    static func draw(_ frame: FrameContext, in rect: Rect, on grid: inout Grid) -> Point? {
        guard !rect.isEmpty else { return nil }
        let (context, state) = (frame.context, frame.state)
        if let entry = state.entry { return TextEntryRow.draw(entry, context.glyphs, in: rect, on: &grid) }
        if let question = state.confirmation, context.sizeClass <= .small {
            let line = ConfirmDialog.question(question, isShort: true)
            grid.put(line.truncatedTail(to: rect.width, context.glyphs), at: rect.origin, maxColumns: rect.width)
            return nil
        }
        let area = rect.inset(columns: 1, rows: 0)
        grid.put(FooterHints(frame, columns: area.width).line, at: area.origin, maxColumns: area.width)
        return nil
    }

    /// The action of the hint under a point, nil beside them.
    static func action(at point: Point, _ frame: FrameContext) -> Action? {
        let area = frame.layout.footer.inset(columns: 1, rows: 0)
        guard area.contains(point), frame.state.entry == nil else { return nil }
        return FooterHints(frame, columns: area.width).placed.first { $0.columns.contains(point.x - area.x) }?.action
    }
}

/// The command line or a filter while it is typed.
enum TextEntryRow {
    /// Draws the line and gives the place of its cursor.
    static func draw(_ entry: TextEntry, _ glyphs: Glyphs, in rect: Rect, on grid: inout Grid) -> Point? {
        grid.fill(rect, role: .input)
        let prompt: SafeText =
            switch entry.purpose {
            case .command: ":"
            case .filter: "/"
            }
        grid.put(prompt, at: rect.origin, role: .input)
        let room = rect.width - 2
        guard room > 0 else { return nil }
        let before = SafeText(outside: entry.line.textBeforeCursor, columns: TextLine.limit)
        let whole = SafeText(outside: entry.line.text, columns: TextLine.limit)
        // A line longer than the row shows the part that ends at the cursor.
        let hidden = max(0, before.columns - room)
        let shown = hidden == 0 ? whole : whole.suffix(columns: whole.columns - hidden)
        grid.put(shown, at: Point(x: rect.x + 1, y: rect.y), role: .input, maxColumns: room)
        let cursor = Point(x: rect.x + 1 + min(before.columns, room), y: rect.y)
        let note = note(entry)
        let free = room - shown.columns - 3
        if note.columns > 0, free > 8 {
            let text = note.truncatedTail(to: free, glyphs)
            grid.put(text, at: Point(x: rect.maxX - text.columns - 1, y: rect.y), maxColumns: free)
        }
        return cursor
    }

    private static func note(_ entry: TextEntry) -> StyledLine {
        if let problem = entry.problem { return StyledLine(SafeText(outside: problem), .inputError) }
        switch entry.purpose {
        case .command: return StyledLine("Tab complete  Enter run  Esc cancel", .textMuted)
        case .filter(let pane):
            let isFilter = pane.isMain || pane == .log
            return .of(
                isFilter
                    ? "filter \(pane.name)  ! invert  Enter apply  Esc clear"
                    : "search \(pane.name)  Enter apply  Esc clear", .textMuted)
        }
    }
}
