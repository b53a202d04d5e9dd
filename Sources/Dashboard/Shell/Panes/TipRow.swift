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
        grid.put(placed(context, columns: area.width).line, at: area.origin, maxColumns: area.width)
        grid.put(end, at: Point(x: area.maxX - end.columns, y: area.y), maxColumns: end.columns)
    }

    /// The action of the hint under a point, nil beside them.
    static func action(at point: Point, _ context: ViewContext, in rect: Rect) -> Action? {
        let area = rect.inset(columns: 1, rows: 0)
        guard area.contains(point) else { return nil }
        return placed(context, columns: area.width).hints.first { $0.columns.contains(point.x - area.x) }?.action
    }

    private static let end = StyledLine("Esc hides this", .textMuted)

    private static func placed(
        _ context: ViewContext, columns: Int
    ) -> (line: StyledLine, hints: [(action: Action, columns: Range<Int>)]) {
        var line = StyledLine("One tracker fails on purpose:", .text)
        var placed: [(action: Action, columns: Range<Int>)] = []
        for hint in hints {
            let part = KeyHints.line([hint], context, gap: 2)
            guard part.columns > 0, line.columns + 2 + part.columns + 2 + end.columns <= columns else { continue }
            line.space(2)
            placed.append((hint.0, line.columns..<line.columns + part.columns))
            line.append(part)
        }
        return (line, placed)
    }
}
