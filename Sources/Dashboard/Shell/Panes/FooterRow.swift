import Screen

/// The last row: the text being typed, a question, or the keys.
enum FooterRow {
    /// Draws the row and gives the place of the cursor while text is typed.
    static func draw(_ frame: FrameContext, in rect: Rect, on grid: inout Grid) -> Point? {
        guard !rect.isEmpty else { return nil }
        let (context, state) = (frame.context, frame.state)
        if let entry = state.entry { return TextEntryRow.draw(entry, context.glyphs, in: rect, on: &grid) }
        if let question = state.confirmation, context.sizeClass <= .small {
            ConfirmDialog.question(question, isShort: true).draw(in: rect, context.glyphs, on: &grid)
            return nil
        }
        let area = rect.inset(columns: 1, rows: 0)
        FooterHints(frame, columns: area.width).row.draw(in: area, context.glyphs, on: &grid)
        return nil
    }

    /// The cells of the row. The smallest screens have none, but their last row has what is typed or asked.
    static func place(_ frame: FrameContext) -> Rect {
        let footer = frame.layout.footer
        guard footer.isEmpty, frame.state.entry != nil || frame.state.confirmation != nil else { return footer }
        return Rect(frame.context.size).splitBottom(1).bottom
    }

    /// What the hint under a point does, nil beside them.
    static func press(at point: Point, _ frame: FrameContext) -> HintPress? {
        let rect = place(frame)
        guard rect.contains(point) else { return nil }
        if let entry = frame.state.entry { return TextEntryRow.press(at: point, entry, in: rect) }
        if let question = frame.state.confirmation, frame.context.sizeClass <= .small {
            return ConfirmDialog.question(question, isShort: true).press(at: point, in: rect)
        }
        let area = rect.inset(columns: 1, rows: 0)
        return FooterHints(frame, columns: area.width).row.press(at: point, in: area)
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
        let room = textRoom(entry, in: rect)
        guard room > 0 else { return nil }
        let (typed, before) = shown(entry, columns: room)
        grid.put(typed, at: Point(x: rect.x + 1, y: rect.y), role: .input, maxColumns: room)
        if let (note, place) = placedNote(entry, in: rect) { note.draw(in: place, glyphs, on: &grid) }
        return Point(x: rect.x + 1 + min(before, room), y: rect.y)
    }

    /// What the note under a point does, nil beside its keys.
    static func press(at point: Point, _ entry: TextEntry, in rect: Rect) -> HintPress? {
        placedNote(entry, in: rect).flatMap { $0.note.press(at: point, in: $0.place) }
    }

    /// The text in that many columns, and how many of its columns are before the cursor. A text longer than the row shows
    /// the part that ends at the cursor.
    private static func shown(_ entry: TextEntry, columns room: Int) -> (text: SafeText, before: Int) {
        let before = SafeText(outside: entry.line.textBeforeCursor, columns: .max)
        let whole = SafeText(outside: entry.line.text, columns: .max)
        let hidden = max(0, before.columns - room)
        guard hidden > 0 else { return (whole, before.columns) }
        let text = whole.suffix(columns: whole.columns - hidden)
        // A glyph of two cells of which one is hidden is not shown.
        return (text, before.columns - (whole.columns - text.columns))
    }

    /// Columns of the text: what is wrong with it needs room, too.
    private static func textRoom(_ entry: TextEntry, in rect: Rect) -> Int {
        let room = rect.width - 2
        return entry.problem == nil ? room : max(min(room, leastText), room - note(entry).columns - noteGap)
    }

    /// Columns that a text keeps beside what is wrong with it.
    private static let leastText = 16
    private static let noteGap = 3

    /// The note at the right end, as far as there is room behind what was typed, and its cells.
    private static func placedNote(_ entry: TextEntry, in rect: Rect) -> (note: HintRow, place: Rect)? {
        let room = rect.width - 2
        let note = note(entry)
        let free = room - shown(entry, columns: textRoom(entry, in: rect)).text.columns - noteGap
        guard note.columns > 0, free > 8 else { return nil }
        let columns = min(note.columns, free)
        return (note, Rect(x: rect.maxX - columns - 1, y: rect.y, width: columns, height: 1))
    }

    private static func note(_ entry: TextEntry) -> HintRow {
        if let problem = entry.problem { return HintRow(StyledLine(SafeText(outside: problem), .inputError)) }
        switch entry.purpose {
        case .command: return keys([(.tab, "Tab complete"), (.enter, "Enter run"), (.escape, "Esc cancel")])
        case .filter(let pane):
            let isFilter = pane.isMain || pane == .log
            var row = HintRow(.of("\(isFilter ? "filter" : "search") \(pane.name)  ", .textMuted))
            if isFilter {
                row.append(StyledLine("! invert", .textMuted), .invertFilter)
                row.append(StyledLine("  ", .textMuted))
            }
            row.append(keys([(.enter, "Enter apply"), (.escape, "Esc clear")]))
            return row
        }
    }

    /// The keys of a typed text, which no key map changes.
    private static func keys(_ keys: [(key: Key, text: SafeText)]) -> HintRow {
        var row = HintRow()
        for (key, text) in keys {
            if row.columns > 0 { row.append(StyledLine("  ", .textMuted)) }
            row.append(StyledLine(text, .textMuted), .key(KeyPress(key)))
        }
        return row
    }
}
