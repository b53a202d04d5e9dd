import Monitoring
import Ports
import Screen

extension SessionTableState {
    /// Rows that one turn of the wheel moves.
    private static let wheelRows = 3

    /// A click selects or sorts, a second one on the same cell opens; the wheel moves what is under it.
    mutating func take(_ event: MouseEvent, _ view: SessionsView, now: Moment) -> [SessionTableEffect] {
        guard !isHelpOpen, entry == nil else { return [] }
        let layout = SessionTableLayout(self)
        let isOverLog = layout.log.contains(event.point)
        switch event.kind {
        case .wheelUp where isOverLog, .wheelDown where isOverLog:
            let step: Action = event.kind == .wheelUp ? .up : .down
            for _ in 0..<Self.wheelRows { log.move(step, in: view.log, height: layout.logHeight) }
        case .wheelUp: select(row: model.selectedRow - Self.wheelRows)
        case .wheelDown: select(row: model.selectedRow + Self.wheelRows)
        case .press where event.button == .left && isOverLog: focus = .log
        case .press where event.button == .left: return click(event.point, layout, now: now)
        case .press, .release, .drag: break
        }
        return []
    }

    private mutating func click(_ point: Point, _ layout: SessionTableLayout, now: Moment) -> [SessionTableEffect] {
        if layout.pane.contains(point) { focus = .sessions }
        let isDouble =
            lastClick.map { $0.point == point && now.uptime - $0.at <= Click.doubleInterval } ?? false
        lastClick = isDouble ? nil : Click(point: point, at: now.uptime)
        if layout.heading.contains(point) {
            let columns = SessionColumns(width: layout.rowWidth, sessions: model.count)
            guard let column = columns.column(at: point.x - layout.rows.x - 1), column != .problem else { return [] }
            isReversed = column == sort ? !isReversed : false
            sort = column
            return []
        }
        let row = viewport.offset + point.y - layout.rows.y
        guard layout.rows.contains(point), row < model.rows.count else { return [] }
        select(row: row)
        return isDouble ? model.selected.map { [.open($0.index)] } ?? [] : []
    }
}
