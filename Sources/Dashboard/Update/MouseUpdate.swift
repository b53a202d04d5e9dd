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
        let pane = isHelpOpen ? .help : Layout(self).pane(at: point)
        let step: Action = rows < 0 ? .up : .down
        switch pane {
        case .tree: wheelTree(rows)
        case .playlist: wheel(rows, in: .playlist)
        case .creative: wheel(rows, in: .creative)
        case .auction: wheel(rows, in: .auction)
        case .formats: wheel(rows, in: .formats)
        case .cache: wheel(rows, in: .cache)
        case .log:
            for _ in 0..<abs(rows) { moveInLog(step, scene) }
        case .detail, .session, .summary, .help:
            for _ in 0..<abs(rows) { scroll(pane ?? .help, step, scene) }
        case .header, .timeline, nil: break
        }
    }

    /// Scrolls the rows; the selection moves only where it would scroll off the screen.
    private mutating func wheelTree(_ rows: Int) {
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
        switch pane {
        case .tree: clickTree(point, context, isDouble: isDouble, scene)
        case .playlist: click(point, in: .playlist, isDouble: isDouble)
        case .creative: click(point, in: .creative, isDouble: isDouble)
        case .auction: click(point, in: .auction, isDouble: isDouble)
        case .formats: click(point, in: .formats, isDouble: isDouble)
        case .cache: click(point, in: .cache, isDouble: isDouble)
        default: if isDouble { isZoomed.toggle() }
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

    private mutating func clickTree(_ point: Point, _ context: ViewContext, isDouble: Bool, _ scene: Scene) {
        let content = context.layout.content(of: .tree)
        guard content.contains(point) else { return }
        let index = TreePane.viewport(context, height: content.height).offset + point.y - content.y
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
