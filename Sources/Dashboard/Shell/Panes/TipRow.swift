import Screen

/// The line of a first run above the footer: what is to be seen, and the keys that show it, or a text of the caller. A click on a
/// key does what the key does; Esc or a click beside them hides the line.
enum TipRow {
    private static let hints: [(Action, SafeText)] = [
        (.nextFailure, "show it"), (.open, "details"), (.copyReport, "copy a report"), (.panePlaylist, "playlist"),
        (.help, "keys"), (.back, "quit"),
    ]

    /// Draws the row; hints that do not fit are left out.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        let area = rect.inset(columns: 1, rows: 0)
        row(context, columns: area.width).draw(in: area, context.glyphs, on: &grid)
    }

    /// What the hint under a point does, nil beside them.
    static func press(at point: Point, _ context: ViewContext, in rect: Rect) -> HintPress? {
        let area = rect.inset(columns: 1, rows: 0)
        return row(context, columns: area.width).press(at: point, in: area)
    }

    private static func row(_ context: ViewContext, columns: Int) -> HintRow {
        let end = StyledLine("Esc hides this", .textMuted)
        guard context.settings.tip.isEmpty else { return text(context, columns: columns, end: end) }
        var row = HintRow(StyledLine("One tracker fails on purpose:", .text))
        for hint in hints {
            let part = KeyHints.row([hint], context, gap: 2)
            guard part.columns > 0, row.columns + 2 + part.columns + 2 + end.columns <= columns else { continue }
            row.space(2)
            row.append(part)
        }
        row.pad(to: columns - end.columns)
        row.append(end)
        return row
    }

    /// The fullest form of the text that fits; the shortest one is worth more than what hides it.
    private static func text(_ context: ViewContext, columns: Int, end: StyledLine) -> HintRow {
        let forms = context.settings.tip.map { StyledLine.of($0, .text) }
        var row = HintRow(forms.first { $0.columns <= columns } ?? forms[forms.count - 1])
        guard row.columns + 2 + end.columns <= columns else { return row }
        row.pad(to: columns - end.columns)
        row.append(end)
        return row
    }
}
