import Monitoring
import Ports
import Screen

/// Everything known about what is selected in the open view.
enum DetailPane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isBoxed = context.layout.isBoxed
        let detail = context.view.detail
        let frame = PaneFrame(
            title: detail.title(context), status: detail.status(context), isFocused: context.state.focus == .detail)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        var content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        guard !content.isEmpty, !detail.drawCompact(context, content, &grid) else { return }
        let all = lines(context, width: content.width - 2)
        // The keys are in the last row where the text leaves it and the one above free.
        if let hints = detail.hints(context), all.count + 2 <= content.height {
            let bottom: Rect
            (content, bottom) = content.splitBottom(1)
            grid.put(
                hints.truncatedTail(to: bottom.width - 1, context.glyphs), at: Point(x: bottom.x + 1, y: bottom.y),
                maxColumns: bottom.width - 1)
        }
        ScrollLines.draw(all, pane: .detail, context, in: content, on: &grid)
        let viewport = Viewport(count: all.count, height: content.height, offset: context.state.offsets[.detail] ?? 0)
        frame.position(viewport, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// All lines at that width, for drawing, scrolling and searching.
    static func lines(_ context: ViewContext, width: Int) -> [StyledLine] {
        var fields = FieldLines(width: width, wraps: context.state.wrapsDetail, context.glyphs)
        context.view.detail.add(context, &fields)
        return fields.lines
    }
}
