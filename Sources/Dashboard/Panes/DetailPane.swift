import AdTracking
import Monitoring
import Ports
import Screen

/// Everything known about the node under the cursor.
enum DetailPane {
    /// Draws the pane; in three rows an event has its compact form.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isBoxed = context.layout.isBoxed
        let isFocused = context.state.focus == .detail
        // In other views the tree's row is not the selection.
        let selected = context.state.main == .tree ? context.model.selected : nil
        let frame = PaneFrame(title: title(context, selected), status: status(context, selected), isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        var content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        guard !content.isEmpty else { return }
        if content.height <= CompactDetail.rows, let row = selected, let event = context.model.event(row) {
            CompactDetail.draw(event, context, in: content, on: &grid)
            return
        }
        let all = lines(context, width: content.width - 2)
        // The keys are in the last row where the text leaves it and the one above free.
        if let hints = hints(context, selected), all.count + 2 <= content.height {
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
        if context.state.main == .playlist {
            PlaylistItemDetail.add(context, to: &fields)
            return fields.lines
        }
        if context.state.main == .creative {
            CreativeItemDetail.add(context, to: &fields)
            return fields.lines
        }
        if context.state.main == .auction {
            AuctionItemDetail.add(context, to: &fields)
            return fields.lines
        }
        if context.state.main == .formats {
            FormatsDetail.add(context, to: &fields)
            return fields.lines
        }
        if context.state.main == .cache {
            CacheItemDetail.add(context, to: &fields)
            return fields.lines
        }
        guard let row = context.model.selected else {
            fields.add(StyledLine("nothing selected", .textMuted))
            return fields.lines
        }
        if let event = context.model.event(row) {
            EventDetail.add(event, row, context, to: &fields)
        } else if let ad = context.model.ad(row) {
            NodeDetail.add(ad, row, context, to: &fields)
        } else {
            NodeDetail.add(context.model.summaries[row.breakIndex], context, to: &fields)
        }
        return fields.lines
    }

    private static func title(_ context: ViewContext, _ row: TreeModel.Row?) -> StyledLine {
        switch context.state.main {
        case .playlist:
            return ScrollLines.title(PlaylistItemDetail.title(context.playlist.selected), pane: .detail, context)
        case .creative:
            return ScrollLines.title(CreativeItemDetail.title(context.creative.selected), pane: .detail, context)
        case .auction:
            return ScrollLines.title(AuctionItemDetail.title(context.auction.selected), pane: .detail, context)
        case .formats:
            return ScrollLines.title("[2] Ad space", pane: .detail, context)
        case .cache:
            var name: SafeText = "[2] Cached creative"
            if case .zone? = context.cache.selectedLine { name = "[2] Kept zone" }
            return ScrollLines.title(name, pane: .detail, context)
        default: break
        }
        guard let row else { return ScrollLines.title("[2] Event", pane: .detail, context) }
        let model = context.model
        let name: SafeText = row.depth == 0 ? "[2] Break" : row.depth == 1 ? "[2] Ad" : "[2] Event"
        var line = ScrollLines.title(name, pane: .detail, context)
        let isStacked = !context.layout.isBoxed
        guard isStacked || context.layout.sizeClass == .huge else { return line }
        line.space(2)
        if isStacked, let event = model.event(row) {
            line.append(SafeText(outside: event.event, columns: 24), .paneTitle)
            return line
        }
        line.append(SafeText(outside: model.breakView(row).label, columns: 12), .paneTitle)
        if let ad = model.ad(row) { line.append(" / " + SafeText(outside: ad.label, columns: 12), .paneTitle) }
        if let event = model.event(row) { line.append(" / " + SafeText(outside: event.event, columns: 24), .paneTitle) }
        return line
    }

    private static func status(_ context: ViewContext, _ row: TreeModel.Row?) -> [StyledLine] {
        guard let row else { return [] }
        let summary = context.model.summaries[row.breakIndex]
        var sign = summary.tally.sign
        if let index = row.adIndex { sign = summary.ads[index].sign }
        if let event = context.model.event(row) { sign = StateSign(event) }
        return [context.badge(sign), context.badge(sign, withWord: false)]
    }

    private static func hints(_ context: ViewContext, _ row: TreeModel.Row?) -> StyledLine? {
        if context.state.main == .formats {
            return FooterHints.line(
                [(.right, "load"), (.formatShow, "show"), (.open, "click"), (.formatClose, "close")], context, gap: 2)
        }
        guard context.state.main == .tree else {
            guard context.address != nil else { return nil }
            return FooterHints.line([(.copyURL, "copy url"), (.wrap, "wrap")], context, gap: 2)
        }
        guard let row, context.model.event(row) != nil else { return nil }
        return FooterHints.line(
            [(.retry, "retry"), (.copyURL, "copy url"), (.copyCurl, "copy curl"), (.wrap, "wrap")], context, gap: 2)
    }
}
