import Ports
import Screen
import Session

/// Everything known about what is selected in the open view.
enum DetailPane {
    /// What the detail does itself while it has the keys. All else concerns what is selected in the view, which gets it.
    static let ownActions: Set<Action> = [
        .up, .down, .first, .last, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .filter, .nextMatch, .previousMatch,
        .wrap, .zoom, .unzoom, .nextPane, .previousPane, .back,
    ]

    /// Draws the pane.
    static func draw(_ view: any MainView, _ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isBoxed = context.isBoxed
        let frame = PaneFrame(
            title: view.detailTitle(context), status: view.detailStatus(context), isFocused: context.focus == .detail)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        var content = content(rect, context)
        guard !content.isEmpty else { return }
        if let rows = compactRows(view, context, in: content) {
            for (row, place) in rows { row.draw(in: place, context.glyphs, on: &grid) }
            return
        }
        let all = lines(view, context, width: content.width - 2)
        if let (hints, place) = hints(view, context, below: all.count, in: content) {
            hints.draw(in: place, context.glyphs, on: &grid)
            content = content.splitBottom(1).rest
        }
        ScrollLines.draw(all, pane: .detail, context, in: content, on: &grid)
        let viewport = Viewport(count: all.count, height: content.height, offset: context.scrolls.offsets[.detail] ?? 0)
        frame.position(viewport, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// What the hint under a point does, nil beside them.
    static func press(at point: Point, _ frame: FrameContext) -> HintPress? {
        guard let rect = frame.layout.panes[.detail] else { return nil }
        let (view, context) = (frame.main, frame.context)
        let content = content(rect, context)
        guard content.contains(point) else { return nil }
        if let rows = compactRows(view, context, in: content) {
            return rows.lazy.compactMap { $0.row.press(at: point, in: $0.place) }.first
        }
        // The keys are in the last row. For a point above it the text need not be laid out.
        guard content.splitBottom(1).bottom.contains(point) else { return nil }
        let count = lines(view, context, width: content.width - 2).count
        return hints(view, context, below: count, in: content).flatMap { $0.row.press(at: point, in: $0.place) }
    }

    private static func content(_ rect: Rect, _ context: ViewContext) -> Rect {
        context.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
    }

    /// The form for few rows, each with its cells.
    private static func compactRows(
        _ view: any MainView, _ context: ViewContext, in content: Rect
    ) -> [(row: HintRow, place: Rect)]? {
        let columns = max(0, content.width - 1)
        let size = Size(columns: columns, rows: content.height)
        return view.compactDetail(context, in: size)?.prefix(content.height).enumerated().map { index, row in
            (row, Rect(x: content.x + 1, y: content.y + index, width: columns, height: 1))
        }
    }

    /// Rows from which the keys have the last one also where the text would need it: it can be scrolled, and nothing else shows them.
    private static let leastRowsWithKeys = 10

    /// The keys are in the last row where the text leaves it and the one above free, or there are enough rows, while they act on the
    /// view.
    private static func hints(
        _ view: any MainView, _ context: ViewContext, below textRows: Int, in content: Rect
    ) -> (row: HintRow, place: Rect)? {
        guard view.hasKeys(context), textRows + 2 <= content.height || content.height >= leastRowsWithKeys,
            let hints = view.detailHints(context)
        else { return nil }
        let bottom = content.splitBottom(1).bottom
        let place = Rect(x: bottom.x + 1, y: bottom.y, width: bottom.width - 1, height: 1)
        return (hints.whole(in: place.width), place)
    }

    /// Rows for that many lines in a pane.
    static func textRows(_ frame: FrameContext, below count: Int, in rect: Rect) -> Int {
        let content = content(rect, frame.context)
        return content.height - (hints(frame.main, frame.context, below: count, in: content) == nil ? 0 : 1)
    }

    /// All lines at that width, for drawing, scrolling and searching.
    static func lines(_ view: any MainView, _ context: ViewContext, width: Int) -> [StyledLine] {
        var fields = FieldLines(width: width, wraps: context.wrapsDetail, context.glyphs)
        view.addDetail(context, to: &fields)
        return fields.lines
    }
}
