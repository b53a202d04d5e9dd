package import Ports
package import Screen
package import Session

/// Draws the dashboard: the same snapshot, state and moment give the same cells, whatever the terminal.
package enum Renderer {
    /// The whole screen at `state.size`.
    ///
    /// `widths` names the scalars that this host's libc measures otherwise.
    package static func frame(
        _ snapshot: Snapshot, _ state: DashboardState, now: Moment, widths: CharacterWidth = .standard
    ) -> Frame {
        let frame = FrameContext(snapshot, state, now: now)
        let (context, layout) = (frame.context, frame.layout)
        var grid = Grid(size: state.size, widths: widths)
        guard layout.sizeClass > .tiny else {
            var cursor = TinyScreen.draw(frame, on: &grid)
            if state.isHelpOpen {
                HelpPane.overlay(frame, on: &grid)
                // It may cover the last row, in which a search is typed.
                cursor = TinyScreen.drawLine(frame, on: &grid)
            }
            ToastStack.draw(state.toasts, context, on: &grid)
            return Frame(grid: grid, cursor: cursor)
        }
        drawTop(frame, on: &grid)
        for (pane, rect) in layout.panes { draw(pane, frame, in: rect, on: &grid) }
        // Clicks on what an ad covers have no effect, so nothing of it is shown.
        if let ad = frame.presentedAd {
            AdOverlay.draw(ad, context, on: &grid)
        } else {
            TipRow.draw(context, in: layout.tip, on: &grid)
        }
        let cursor = FooterRow.draw(frame, in: layout.footer, on: &grid)
        let list = CommandList(frame)
        list?.draw(on: &grid)
        if state.isHelpOpen { HelpPane.overlay(frame, on: &grid) }
        if let question = state.confirmation, layout.sizeClass > .small {
            ConfirmDialog.draw(question, context, on: &grid)
        }
        ToastStack.draw(state.toasts, context, above: list?.top, on: &grid)
        return Frame(grid: grid, cursor: cursor)
    }

    /// The rows above the panes.
    private static func drawTop(_ frame: FrameContext, on grid: inout Grid) {
        let (context, layout) = (frame.context, frame.layout)
        guard !frame.state.showsTable else {
            return frame.tableHeader.draw(in: layout.header, totals: layout.addresses, on: &grid)
        }
        HeaderPane.draw(frame, on: &grid)
        if let replay = context.snapshot.replay {
            ScrubberRow.draw(replay, context, in: layout.scrubber, on: &grid)
        }
        if let picture = context.snapshot.session.picture {
            PictureRow.draw(picture, context, in: layout.scrubber, on: &grid)
        }
        AirRow.draw(context, in: layout.air, on: &grid)
        TabsRow(frame, columns: layout.tabs.width).draw(in: layout.tabs, on: &grid)
        TimelinePane.draw(context, findings: frame.breaks.worstFindings, in: layout.timeline, on: &grid)
        SparkRow.draw(context, in: layout.sparks, on: &grid)
    }

    /// One pane alone at `state.size`, for `--pane`.
    package static func pane(
        _ pane: Pane, _ snapshot: Snapshot, _ state: DashboardState, now: Moment, widths: CharacterWidth = .standard
    ) -> Grid {
        var state = state
        if Pane.focusable.contains(pane) || pane.isMain {
            state.focus = pane
            if pane.isSide { state.side = pane }
            if pane.isMain { state.main = pane }
        }
        let frame = FrameContext(snapshot, state, now: now)
        var grid = Grid(size: state.size, widths: widths)
        switch pane {
        case .header: HeaderPane.alone(frame, in: grid.bounds, on: &grid)
        case .timeline:
            TimelinePane.draw(frame.context, findings: frame.breaks.worstFindings, in: grid.bounds, on: &grid)
        case .help: HelpPane.draw(frame, in: grid.bounds, on: &grid)
        default: draw(pane, frame, in: grid.bounds, on: &grid)
        }
        return grid
    }

    private static func draw(_ pane: Pane, _ frame: FrameContext, in rect: Rect, on grid: inout Grid) {
        let context = frame.context
        switch pane {
        case frame.main.pane: frame.main.draw(context, in: rect, on: &grid)
        case .detail: DetailPane.draw(frame.main, context, in: rect, on: &grid)
        case .log: LogPane(frame).draw(in: rect, on: &grid)
        case .session: SessionPane.draw(context, in: rect, on: &grid)
        case .summary: SummaryPane.draw(context, frame.breaks, in: rect, on: &grid)
        // Only one of two tables has the cursor.
        default: if pane.isTable { frame.state.views[pane]?.draw(context, in: rect, on: &grid) }
        }
    }
}
