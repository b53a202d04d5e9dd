import Monitoring
import Ports
import Screen

/// The ad under the cursor: how it was found, what it plays, what stands beside it, what is wrong with it.
enum CreativePane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isBoxed = context.layout.isBoxed
        let isFocused = context.state.focus == .creative
        let frame = PaneFrame(title: title(context), status: status(context), isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        let content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        guard !content.isEmpty else { return }
        let model = context.creative
        guard !model.rows.isEmpty else { return empty(context, in: content, on: &grid) }
        let shown = viewport(context, height: content.height)
        let filter = TextFilter(context.state.creative.filter)
        for (line, index) in shown.visible.enumerated() {
            let row = content.row(line)
            let isSelected = index == model.selectedRow
            if isSelected { grid.put(SafeText(context.glyphs.cursor), at: row.origin, role: .paneFocus) }
            // The name of a list stands at its first row, and at the first that is visible.
            let isFirst = index == shown.offset || !model.rows[index].isSameList(as: model.rows[index - 1])
            let text = CreativeRowLine.line(model.rows[index], withLabel: isFirst, context, width: row.width - 1)
            grid.put(text, at: Point(x: row.x + 1, y: row.y), maxColumns: row.width - 1)
            if isSelected { grid.mark(row, isFocused ? .selection : .selectionInactive) }
            grid.markMatches(of: filter, in: row, isSelected ? .matchCurrent : .match)
        }
        frame.position(shown, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// One row alone, for the smallest screens.
    static func row(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = context.creative.selected else { return empty(context, in: rect, on: &grid) }
        let line = CreativeRowLine.line(selected, withLabel: true, context, width: rect.width)
        grid.put(line, at: rect.origin, maxColumns: rect.width)
    }

    /// Which rows are visible.
    static func viewport(_ context: ViewContext, height: Int) -> Viewport {
        context.state.creative.viewport(
            count: context.creative.rows.count, height: height, selected: context.creative.selectedRow)
    }

    private static func title(_ context: ViewContext) -> StyledLine {
        var line = StyledLine("[7] Creative", .paneTitle)
        if let subject = context.creative.subject {
            line.append("  " + SafeText(outside: subject.breakLabel, columns: 12), .paneTitle)
            line.append(" / " + SafeText(outside: subject.ad.label, columns: 12), .paneTitle)
        }
        return ListPane.title(line, filter: context.state.creative.filter)
    }

    private static func status(_ context: ViewContext) -> [StyledLine] {
        var head = StyledLine()
        if context.state.tree.follows { head.append("FOLLOW", .paneTitle) }
        guard context.creative.subject != nil else { return [head] }
        let creative = context.creative.creative
        var counts = head
        let numbers = [
            (creative.hops.count, "hop"), (creative.media.count, "file"), (creative.findings.count, "finding"),
        ]
        for (count, noun) in numbers where count > 0 {
            if counts.columns > 0 { counts.space(2) }
            counts.add(plural(count, noun), .paneCount)
        }
        return [counts, head]
    }

    private static func empty(_ context: ViewContext, in content: Rect, on grid: inout Grid) {
        let lines =
            context.creative.subject == nil
            ? [StyledLine("no ad under the cursor of the breaks", .text)]
            : ListPane.nothing(matches: context.state.creative.filter)
        ListPane.say(lines, context, in: content, on: &grid)
    }
}
