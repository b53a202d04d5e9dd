import Monitoring
import Ports
import Screen

/// The ad under the cursor: its wrapper chain, its media, its companions and icons, its findings.
enum CreativePane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = context.creative
        ListPane(
            pane: .creative, title: title(context), status: status(context), count: model.rows.count,
            selected: model.selectedRow, filter: context.state.creative.filter, absence: absence(context)
        ).draw(context, shown: { viewport(context, height: $0) }, in: rect, on: &grid) { index, shown, place, grid in
            // The name of a list is at its first row, and at its first visible row.
            let isFirst = index == shown.offset || !model.rows[index].isSameList(as: model.rows[index - 1])
            let text = CreativeRowLine.line(model.rows[index], withLabel: isFirst, context, width: place.width)
            grid.put(text, at: place.origin, maxColumns: place.width)
        }
    }

    /// One row alone, for the smallest screens.
    static func row(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = context.creative.selected else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        let line = CreativeRowLine.line(selected, withLabel: true, context, width: rect.width)
        grid.put(line, at: rect.origin, maxColumns: rect.width)
    }

    /// Which rows are visible.
    static func viewport(_ context: ViewContext, height: Int) -> Viewport {
        context.state.creative.viewport(height: height)
    }

    private static func title(_ context: ViewContext) -> StyledLine {
        var line = StyledLine("[7] Creative", .paneTitle)
        if let subject = context.creative.subject {
            line.append("  " + SafeText(outside: subject.breakLabel, columns: 12), .paneTitle)
            line.append(" / " + SafeText(outside: subject.ad.label, columns: 12), .paneTitle)
        }
        return line
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

    private static func absence(_ context: ViewContext) -> [StyledLine] {
        context.creative.subject == nil
            ? [StyledLine("no ad under the cursor in the breaks view", .text)]
            : ListPane.nothing(matches: context.state.creative.filter)
    }
}
