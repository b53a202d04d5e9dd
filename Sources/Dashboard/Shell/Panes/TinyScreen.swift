import AdTracking
import Ports
import Screen
import Session

/// The smallest screens, with room for a row or two: break and ad, failures, the selected row (TERM-30). A table has as many rows as fit,
/// and its keys.
enum TinyScreen {
    /// Draws the whole screen and gives the place of the cursor while text is typed.
    static func draw(_ frame: FrameContext, on grid: inout Grid) -> Point? {
        let context = frame.context
        let screen = Rect(context.size)
        guard !screen.isEmpty else { return nil }
        drawStatus(frame, in: screen.row(0), on: &grid)
        guard screen.height > 1 else { return drawLine(frame, on: &grid) }
        guard !frame.state.showsTable else {
            if let table = frame.layout.panes[frame.main.pane] { frame.main.drawRow(context, in: table, on: &grid) }
            return drawLine(frame, on: &grid)
        }
        frame.main.drawRow(context, in: screen.row(1), on: &grid)
        if screen.height > 2 { need(in: screen.row(screen.height - 1), on: &grid, context) }
        return drawLine(frame, on: &grid)
    }

    /// Draws what is typed or asked, and gives the place of the cursor while text is typed; a table has its keys there.
    static func drawLine(_ frame: FrameContext, on grid: inout Grid) -> Point? {
        let row = FooterRow.place(frame)
        grid.fill(row)
        return FooterRow.draw(frame, in: row, on: &grid)
    }

    private static func drawStatus(_ frame: FrameContext, in row: Rect, on grid: inout Grid) {
        guard !frame.state.showsTable else { return frame.tableHeader.drawTiny(in: row, on: &grid) }
        let context = frame.context
        var status = FittedRow()
        status.left = [place(frame.breaks)] + VerdictItems(Verdict(context.snapshot), context.glyphs).tiny
        status.right = [frozen(frame.state), mode(context), clock(context)]
        status.middle = 1
        status.draw(in: row, on: &grid)
    }

    private static func place(_ model: TreeModel) -> FittedRow.Item {
        guard let row = model.selected else { return .nothing }
        let view = model.breakView(row)
        let label = StyledLine(SafeText(outside: view.label, columns: 8), .header)
        guard let ad = model.ad(row) else { return FittedRow.Item([label, StyledLine()], ranks: [4]) }
        var long = label
        long.append("/" + SafeText(outside: ad.label, columns: 8), .header)
        return FittedRow.Item([long, label, StyledLine()], ranks: [1, 4])
    }

    /// A mark that the display is frozen: nothing else shows that the picture is old.
    private static func frozen(_ state: DashboardState) -> FittedRow.Item {
        guard state.held != nil else { return .nothing }
        return FittedRow.Item(
            [StyledLine("FROZEN", .bannerFrozen), StyledLine("Z", .bannerFrozen), StyledLine()], ranks: [6, 8], gap: 1)
    }

    private static func mode(_ context: ViewContext) -> FittedRow.Item {
        guard context.snapshot.replay == nil else {
            return FittedRow.Item(
                [StyledLine("REPLAY", .bannerFrozen), StyledLine("R", .bannerFrozen), StyledLine()], ranks: [3, 6])
        }
        let session = context.snapshot.session
        let isFiring = session.mode == .fire
        let isInsecure = context.settings.isInsecure
        let role: Role = isFiring || isInsecure ? .headerArmed : .headerObserve
        let word: SafeText = isFiring ? FireWord.short(isLocal: session.sendsToLoopbackOnly) : "OBS"
        let long = isInsecure ? "INSECURE " + word : word
        return FittedRow.Item(
            [StyledLine(long, role), StyledLine(word.prefix(columns: 1), role), StyledLine()], ranks: [3, 6])
    }

    private static func clock(_ context: ViewContext) -> FittedRow.Item {
        guard context.snapshot.session.phase != .ended else { return .nothing }
        let text = TimeText.clock(context.now.wall)
        return FittedRow.Item(
            [.of(text, .header), .of(String(text.dropFirst(3)), .header), StyledLine()], ranks: [0, 3], gap: 1)
    }

    private static func need(in row: Rect, on grid: inout Grid, _ context: ViewContext) {
        let size = SizeClass.minimums[.small] ?? .zero
        let text = SafeText(outside: "panes need \(size.columns)x\(size.rows)")
        grid.put(
            text.truncatedTail(to: row.width, context.glyphs), at: row.origin, role: .textMuted, maxColumns: row.width)
    }
}
