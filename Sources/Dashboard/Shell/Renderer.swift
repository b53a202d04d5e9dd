package import Monitoring
package import Ports
package import Screen

/// Draws the dashboard: the same snapshot, state and moment give the same cells, whatever the terminal.
package enum Renderer {
    /// The whole screen at `state.size`.
    ///
    /// `widths` names the scalars that this host's libc measures otherwise.
    package static func frame(
        _ snapshot: Snapshot, _ state: DashboardState, now: Moment, widths: CharacterWidth = .standard
    ) -> Frame {
        let context = ViewContext(snapshot, state, now: now)
        var grid = Grid(size: state.size, widths: widths)
        guard context.layout.sizeClass > .tiny else {
            let cursor = TinyScreen.draw(context, on: &grid)
            if state.isHelpOpen { HelpPane.overlay(context, on: &grid) }
            ToastStack.draw(context, on: &grid)
            return Frame(grid: grid, cursor: state.isHelpOpen ? nil : cursor)
        }
        HeaderPane.draw(context, on: &grid)
        TimelinePane.draw(context, in: context.layout.timeline, on: &grid)
        SparkRow.draw(context, in: context.layout.sparks, on: &grid)
        for (pane, rect) in context.layout.panes { draw(pane, context, in: rect, on: &grid) }
        if let ad = context.presentedAd { AdOverlay.draw(ad, context, on: &grid) }
        let cursor = FooterRow.draw(context, in: context.layout.footer, on: &grid)
        if state.isHelpOpen { HelpPane.overlay(context, on: &grid) }
        if let question = state.confirmation, context.layout.sizeClass > .small {
            ConfirmDialog.draw(question, context, on: &grid)
        }
        ToastStack.draw(context, on: &grid)
        return Frame(grid: grid, cursor: cursor)
    }

    /// One pane alone at `state.size`, for `--pane`.
    package static func pane(
        _ pane: Pane, _ snapshot: Snapshot, _ state: DashboardState, now: Moment, widths: CharacterWidth = .standard
    ) -> Grid {
        var state = state
        if Pane.focusable.contains(pane) {
            state.focus = pane
            if pane.isSide { state.side = pane }
            if pane.isMain { state.main = pane }
        }
        let context = ViewContext(snapshot, state, now: now)
        var grid = Grid(size: state.size, widths: widths)
        switch pane {
        case .header:
            HeaderPane.alone(context, in: grid.bounds, on: &grid)
        case .timeline:
            TimelinePane.draw(context, in: grid.bounds, on: &grid)
        case .help:
            HelpPane.draw(context, in: grid.bounds, on: &grid)
        default:
            draw(pane, context, in: grid.bounds, on: &grid)
        }
        return grid
    }

    private static func draw(_ pane: Pane, _ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        if let view = pane.view { return view.draw(context, rect, &grid) }
        switch pane {
        case .detail: DetailPane.draw(context, in: rect, on: &grid)
        case .log: LogPane(context).draw(in: rect, on: &grid)
        case .session: SessionPane.draw(context, in: rect, on: &grid)
        case .summary: SummaryPane.draw(context, in: rect, on: &grid)
        default: break
        }
    }
}
