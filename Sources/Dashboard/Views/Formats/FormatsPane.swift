import AdFormats
import Ports
import Screen
import Session

/// The ad spaces beside the stream: their states, refresh, visibility and events (FMT-26).
struct FormatsPane: ListView {
    var list = ListState<FormatsModel>()
    /// Whether the panes are shown although an ad covers them.
    var looksBehindAd = false

    var pane: Pane { .formats }
    var hints: [FooterHint] {
        [
            FooterHint([.formatShow], "show", place: 1), FooterHint([.formatClose], "close", place: 1),
            FooterHint([.formatReload], "reload", place: 1),
            FooterHint([.formatVisibility], "visible", short: "vis", place: 1),
        ]
    }

    var helpKeys: [HelpKey] {
        [
            HelpKey(.right, "load an ad"), HelpKey(.formatShow, "show the ad"), HelpKey(.open, "click the ad"),
            HelpKey(.formatClose, "close the ad"), HelpKey(.formatReload, "reload the ad"),
            HelpKey(.formatVisibility), HelpKey(.left, "hide or show all ad spaces"), HelpKey(.mute, "mute the ad"),
            HelpKey(.pause, "pause the ad"), HelpKey(.retry, "replay the ad"),
            HelpKey(.nextPane, "next ad space, then the next pane"),
        ]
    }

    /// The ad that is shown over all panes while this view is open; nil while the panes are shown instead.
    func presentedAd(_ snapshot: Snapshot) -> FormatsView.Slot? { looksBehindAd ? nil : snapshot.formats?.presented }

    /// Draws the pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = list.model
        ListPane(
            pane: .formats, title: StyledLine("[9] Formats", .paneTitle), status: status(context),
            count: model.rows.count, selected: model.selectedRow, filter: filter,
            absence: absence(context)
        ).draw(context, shown: list.viewport(height:), in: rect, on: &grid) { index, _, place, grid in
            let text = FormatsRowLine.line(model.rows[index], context, width: place.width).truncatedTail(
                to: place.width, context.glyphs)
            grid.put(text, at: place.origin, maxColumns: place.width)
        }
        let content = context.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        BannerStrip.draw(context, in: content, free: content.height - model.rows.count, on: &grid)
    }

    /// One row alone, for the smallest screens.
    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        if let ad = presentedAd(context.snapshot) {
            let line = AdOverlay.row(ad, context).truncatedTail(to: rect.width, context.glyphs)
            grid.put(line, at: rect.origin, maxColumns: rect.width)
            return
        }
        guard let selected = list.model.selected else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        let line = FormatsRowLine.line(selected, context, width: rect.width).truncatedTail(
            to: rect.width, context.glyphs)
        grid.put(line, at: rect.origin, maxColumns: rect.width)
    }

    private func status(_ context: ViewContext) -> [StyledLine] {
        guard let formats = context.snapshot.formats else { return [] }
        var line = StyledLine()
        if formats.isHidden { line.append("HIDDEN  ", .stateRetry) }
        line.append(plugins(formats.plugins))
        guard let server = formats.server else { return [line] }
        var long = line
        long.append("server ", .paneCount)
        long.append(SafeText(outside: server, columns: 40), .paneCount)
        let net: StyledLine =
            switch formats.isUp {
            case nil: StyledLine("  net: -", .paneCount)
            case .some(true): StyledLine("  net: up", .stateDone)
            case .some(false): StyledLine("  net: down", .stateFailed)
            }
        long.append(net)
        line.append(net)
        return [long, line]
    }

    /// How many of the plugins run; nothing where there are none.
    private func plugins(_ plugins: [FormatsView.Plugin]) -> StyledLine {
        guard !plugins.isEmpty else { return StyledLine() }
        let running = plugins.count { $0.state == .ready || $0.state == .starting }
        let hasLost = plugins.contains { $0.state == .ended }
        return .of("plugins \(running) of \(plugins.count)  ", hasLost ? .stateFailed : .paneCount)
    }

    private func absence(_ context: ViewContext) -> [StyledLine] {
        context.snapshot.formats == nil
            ? [
                StyledLine("this session has no ad spaces", .text),
                StyledLine("adtop demo has some; --ad-server URL --slot NAME=TYPE:ZONE adds them", .textMuted),
            ]
            : ListPane.nothing(matches: filter)
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        ScrollLines.title("[2] Ad space", pane: .detail, context)
    }
    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        FormatsDetail.add(list.model.selected, context, to: &fields)
    }
    func detailHints(_ context: ViewContext) -> HintRow? {
        KeyHints.row(
            [(.right, "load"), (.formatShow, "show"), (.open, "click"), (.formatClose, "close")], context, gap: 2)
    }
}
