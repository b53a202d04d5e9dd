import Screen

/// The line of a first run above the footer: what is to be seen, and the keys that show it. A click on a
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
}
