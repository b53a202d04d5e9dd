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

    /// What the hint under a point does, nil beside them.
    static func press(at point: Point, _ frame: FrameContext) -> HintPress? {
        let rect = frame.layout.footer
        guard rect.contains(point) else { return nil }
        if let entry = frame.state.entry {
            return TextEntryRow.key(at: point, entry, frame.context.glyphs, in: rect).map(HintPress.key)
        }
        let area = rect.inset(columns: 1, rows: 0)
        return FooterHints(frame, columns: area.width).placed.first { $0.columns.contains(point.x - area.x) }?.press
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
        if let (note, start) = placedNote(entry, behind: shown.columns, glyphs, in: rect) {
            grid.put(note, at: Point(x: start, y: rect.y), maxColumns: note.columns)
        }
        return cursor
    }

    /// The key that the note names under a point; nil beside them.
    static func key(at point: Point, _ entry: TextEntry, _ glyphs: Glyphs, in rect: Rect) -> KeyPress? {
        let typed = min(SafeText(outside: entry.line.text, columns: TextLine.limit).columns, max(0, rect.width - 2))
        guard entry.problem == nil, rect.contains(point),
            let (note, start) = placedNote(entry, behind: typed, glyphs, in: rect)
        else { return nil }
        var column = start
        for part in note.string.split(separator: "  ") {
            let columns = SafeText(outside: String(part)).columns
            if (column..<column + columns).contains(point.x) {
                return ["Tab", "Enter", "Esc"].first { part.hasPrefix($0 + " ") }.flatMap { KeyPress(parsing: $0) }
            }
            column += columns + 2
        }
        return nil
    }

    /// The note at the right end, as far as there is room behind what was typed, and its first column.
    private static func placedNote(
        _ entry: TextEntry, behind typed: Int, _ glyphs: Glyphs, in rect: Rect
    ) -> (note: StyledLine, start: Int)? {
        let note = note(entry)
        let free = rect.width - 2 - typed - 3
        guard note.columns > 0, free > 8 else { return nil }
        let text = note.truncatedTail(to: free, glyphs)
        return (text, rect.maxX - text.columns - 1)
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
