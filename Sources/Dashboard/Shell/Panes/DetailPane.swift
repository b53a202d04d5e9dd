import Ports
import Screen
import Session

/// Everything known about what is selected in the open view.
enum DetailPane {
    /// Draws the pane.
    static func draw(_ view: any MainView, _ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isBoxed = context.isBoxed
        let frame = PaneFrame(
            title: view.detailTitle(context), status: view.detailStatus(context), isFocused: context.focus == .detail)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        var content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        guard !content.isEmpty, !view.drawCompactDetail(context, in: content, on: &grid) else { return }
        let all = lines(view, context, width: content.width - 2)
        // The keys are in the last row where the text leaves it and the one above free.
        if let hints = view.detailHints(context), all.count + 2 <= content.height {
            let bottom: Rect
            (content, bottom) = content.splitBottom(1)
            grid.put(
                hints.truncatedTail(to: bottom.width - 1, context.glyphs), at: Point(x: bottom.x + 1, y: bottom.y),
                maxColumns: bottom.width - 1)
        }
        ScrollLines.draw(all, pane: .detail, context, in: content, on: &grid)
        let viewport = Viewport(count: all.count, height: content.height, offset: context.scrolls.offsets[.detail] ?? 0)
        frame.position(viewport, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// All lines at that width, for drawing, scrolling and searching.
    static func lines(_ view: any MainView, _ context: ViewContext, width: Int) -> [StyledLine] {
        var fields = FieldLines(width: width, wraps: context.wrapsDetail, context.glyphs)
        view.addDetail(context, to: &fields)
        return fields.lines
    }
}
