import Screen

/// The places and search texts of the panes that are text.
package struct Scrolls: Sendable, Equatable {
    /// First visible line.
    package var offsets: [Pane: Int] = [:]
    /// The text typed after `/`.
    package var searches: [Pane: String] = [:]
}

/// Lines of text under a scroll offset, with search marks: the common part of detail, session, summary and help.
enum ScrollLines {
    /// Draws the visible lines, leaving the first column of the content free as the tree does.
    static func draw(
        _ lines: [StyledLine], pane: Pane, _ context: ViewContext, in content: Rect, on grid: inout Grid
    ) {
        let area = content.splitLeft(1).rest
        let viewport = Viewport(count: lines.count, height: area.height, offset: context.scrolls.offsets[pane] ?? 0)
        for (row, index) in viewport.visible.enumerated() {
            let line = lines[index].truncatedTail(to: area.width, context.glyphs)
            grid.put(line, at: Point(x: area.x, y: area.y + row), maxColumns: area.width)
        }
        if let search = context.scrolls.searches[pane], !search.isEmpty {
            grid.markMatches(of: TextFilter(search), in: area)
        }
    }

    /// The title of such a pane with what is searched in it.
    static func title(_ text: SafeText, pane: Pane, _ context: ViewContext) -> StyledLine {
        var line = StyledLine(text, .paneTitle)
        if let search = context.scrolls.searches[pane], !search.isEmpty {
            line.append("  /", .input)
            line.append(SafeText(outside: search, columns: 24), .input)
        }
        return line
    }
}
