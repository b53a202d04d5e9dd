import Monitoring
import Ports
import Screen

extension DashboardState {
    /// Rows that one turn of the wheel moves.
    private static let wheelRows = 3

    /// A report of the mouse, read with the same layout that was drawn.
    mutating func take(_ event: MouseEvent, _ scene: Scene) -> [DashboardEffect] {
        guard confirmation == nil else { return [] }
        if !isHelpOpen, presentedAd(scene.shown) != nil, !Layout(self).footer.contains(event.point) {
            return take(onAd: event, scene)
        }
        switch event.kind {
        case .wheelUp: wheel(-DashboardState.wheelRows, at: event.point, scene)
        case .wheelDown: wheel(DashboardState.wheelRows, at: event.point, scene)
        case .press where event.button == .left: return click(event.point, scene)
        case .press, .release, .drag: break
        }
        return []
    }

    /// Clicks under a shown ad have no effect; on the ad only the corner that closes it has one.
    private mutating func take(onAd event: MouseEvent, _ scene: Scene) -> [DashboardEffect] {
        let context = ViewContext(scene.live, self, now: scene.now)
        guard event.kind == .press, event.button == .left, AdOverlay.closeRegion(context).contains(event.point) else {
            return []
        }
        return formatKey(.formatClose, key: nil, scene) ?? []
    }

    private mutating func wheel(_ rows: Int, at point: Point, _ scene: Scene) {
        guard let pane = isHelpOpen ? .help : Layout(self).pane(at: point) else { return }
        if let view = pane.view { return view.scroll(&self, rows) }
        let step: Action = rows < 0 ? .up : .down
        for _ in 0..<abs(rows) {
            if pane == .log { moveInLog(step, scene) } else { scroll(pane, step, scene) }
        }
    }

    /// Scrolls the rows; the selection moves only where it would scroll off the screen.
    mutating func wheelTree(_ rows: Int) {
        guard !model.rows.isEmpty else { return }
        let height = contentHeight(of: .tree)
        let viewport = TreePane.viewport(model, tree, height: height).scrolled(by: rows)
        let row = min(max(model.selectedRow, viewport.visible.lowerBound), max(viewport.visible.upperBound - 1, 0))
        select(row: row)
        tree.offset = viewport.offset
    }

    private mutating func click(_ point: Point, _ scene: Scene) -> [DashboardEffect] {
        let isDouble = isDoubleClick(point, scene)
        let context = ViewContext(scene.live, self, now: scene.now)
        guard !isHelpOpen, entry == nil else { return [] }
        if let action = FooterRow.action(at: point, context) { return perform(action, key: nil, scene) }
        if context.layout.timeline.contains(point) {
            if let index = TimelinePane.breakIndex(at: point, context) { selectBreak(at: index, scene) }
            return []
        }
        guard let pane = context.layout.pane(at: point) else { return [] }
        focusPane(pane)
        if let view = pane.view {
            view.click(&self, point, isDouble)
        } else if isDouble {
            isZoomed.toggle()
        }
        return []
    }

    private mutating func isDoubleClick(_ point: Point, _ scene: Scene) -> Bool {
        let last = lastClick
        lastClick = Click(point: point, at: scene.now.uptime)
        guard let last, last.point == point, scene.now.uptime - last.at <= Click.doubleInterval else { return false }
        lastClick = nil
        return true
    }

    /// A click on the arrow of a row, or a double click, unfolds or folds it.
    mutating func clickTree(_ point: Point, isDouble: Bool) {
        let content = Layout(self).content(of: .tree)
        guard content.contains(point) else { return }
        let index = TreePane.viewport(model, tree, height: content.height).offset + point.y - content.y
        guard model.rows.indices.contains(index), let path = model.path(at: index) else { return }
        let row = model.rows[index]
        let arrow = content.x + 1 + 2 * row.depth
        select(row: index)
        if row.depth < 2, point.x == arrow || isDouble {
            setExpanded(path, !row.isExpanded)
        } else if isDouble {
            focusPane(.detail)
        }
    }

    private mutating func selectBreak(at index: Int, _ scene: Scene) {
        guard scene.shown.breaks.indices.contains(index) else { return }
        focusPane(.tree)
        if let row = model.row(of: NodePath(breakID: scene.shown.breaks[index].id)) { select(row: row) }
    }
}
