import Screen

/// What panes with a list have in common besides their rows.
enum ListPane {
    /// The title with the filter behind it.
    static func title(_ title: StyledLine, filter: String) -> StyledLine {
        var line = title
        if !filter.isEmpty {
            line.append("  /", .input)
            line.append(SafeText(outside: filter, columns: 24), .input)
        }
        return line
    }

    /// Says why there are no rows.
    static func say(_ lines: [StyledLine], _ context: ViewContext, in content: Rect, on grid: inout Grid) {
        for (index, line) in lines.prefix(content.height).enumerated() {
            grid.put(
                line.truncatedMiddle(to: content.width - 2, context.glyphs),
                at: Point(x: content.x + 1, y: content.y + index), maxColumns: content.width - 2)
        }
    }

    /// What is said where a filter leaves nothing.
    static func nothing(matches filter: String) -> [StyledLine] {
        [.of("nothing matches \(filter)", .textMuted), StyledLine("Esc clears the filter", .textMuted)]
    }
}
