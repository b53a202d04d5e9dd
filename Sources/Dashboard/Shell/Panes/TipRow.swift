import Screen

/// The line of a first run above the footer: what is to be seen, and the keys that show it. Esc or a click hides it.
enum TipRow {
    private static let hints: [(Action, SafeText)] = [
        (.nextFailure, "show it"), (.open, "details"), (.copyReport, "copy a report"), (.panePlaylist, "playlist"),
        (.help, "keys"), (.back, "quit"),
    ]

    /// Draws the row; hints that do not fit are left out.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        let area = rect.inset(columns: 1, rows: 0)
        let end = StyledLine("Esc hides this", .textMuted)
        var line = StyledLine("One tracker fails on purpose:", .text)
        for hint in hints {
            let part = KeyHints.line([hint], context, gap: 2)
            guard part.columns > 0, line.columns + 2 + part.columns + 2 + end.columns <= area.width else { continue }
            line.space(2)
            line.append(part)
        }
        grid.put(line, at: area.origin, maxColumns: area.width)
        grid.put(end, at: Point(x: area.maxX - end.columns, y: area.y), maxColumns: end.columns)
    }
}
