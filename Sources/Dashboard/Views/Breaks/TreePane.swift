import AdTracking
import Monitoring
import Ports
import Screen

/// Breaks, their ads, their tracking events: one row each with its state.
enum TreePane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isFocused = context.state.focus == .tree
        let frame = PaneFrame(title: title(context), status: status(context), isFocused: isFocused)
        frame.draw(in: rect, isBoxed: context.layout.isBoxed, context.glyphs, on: &grid)
        let content = context.layout.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        rows(context, in: content, on: &grid)
        frame.position(
            viewport(context, height: content.height), in: rect, isBoxed: context.layout.isBoxed, on: &grid)
    }

    /// The selected row alone, for the smallest screens.
    static func row(_ context: ViewContext, in row: Rect, on grid: inout Grid) {
        guard let selected = context.model.selected else {
            let text: SafeText = context.snapshot.session.phase == .starting ? "starting" : "no breaks"
            grid.put(text, at: row.origin, role: .textMuted, maxColumns: row.width)
            return
        }
        TreeRow.draw(selected, isSelected: true, context, in: row, on: &grid)
    }

    /// The visible rows alone, without frame.
    static func rows(_ context: ViewContext, in content: Rect, on grid: inout Grid) {
        guard !content.isEmpty else { return }
        let model = context.model
        guard !model.rows.isEmpty else {
            empty(context, in: content, on: &grid)
            return
        }
        let isFocused = context.state.focus == .tree
        for (line, index) in viewport(context, height: content.height).visible.enumerated() {
            let row = content.row(line)
            let isSelected = index == model.selectedRow
            TreeRow.draw(model.rows[index], isSelected: isSelected, context, in: row, on: &grid)
            if isSelected { grid.mark(row, isFocused ? .selection : .selectionInactive) }
            if model.rows[index].isMatch {
                grid.markMatches(
                    of: TextFilter(context.state.tree.filter), in: row, isSelected ? .matchCurrent : .match)
            }
        }
    }

    /// Which rows are visible: while following from the break on, else where the user left it; always with the
    /// selection.
    static func viewport(_ context: ViewContext, height: Int) -> Viewport {
        viewport(context.model, context.state.tree, height: height)
    }

    /// The same for updates, which have no context.
    static func viewport(_ model: TreeModel, _ tree: TreeState, height: Int) -> Viewport {
        var offset = tree.offset
        if tree.follows, let selected = model.selected {
            offset =
                model.rows[...model.selectedRow].lastIndex { $0.depth == 0 && $0.breakIndex == selected.breakIndex }
                ?? 0
        }
        return Viewport(count: model.rows.count, height: height, offset: offset).showing(model.selectedRow)
    }

    private static func title(_ context: ViewContext) -> StyledLine {
        ListPane.filtered(StyledLine("[1] Breaks", .paneTitle), by: context.state.tree.filter)
    }

    private static func status(_ context: ViewContext) -> [StyledLine] {
        let tree = context.state.tree, model = context.model
        var head = StyledLine()
        if tree.follows { head.append("FOLLOW", .paneTitle) }
        if tree.sort != .time || tree.isReversed {
            if head.columns > 0 { head.space(2) }
            head.add("by \(tree.sort.rawValue)\(tree.isReversed ? " reversed" : "")", .paneTitle)
        }
        let breaks = model.summaries.count
        let gap = head.columns > 0 ? (context.layout.sizeClass == .huge ? 3 : 2) : 0
        func counts(_ text: String) -> StyledLine {
            var line = head
            line.space(gap)
            line.add(text, .paneCount)
            return line
        }
        return [
            counts("\(plural(breaks, "break"))  \(plural(model.adCount, "ad"))  \(plural(model.eventCount, "event"))"),
            counts("\(plural(breaks, "break")) \(plural(model.adCount, "ad")) \(model.eventCount) ev"),
            counts("\(plural(breaks, "break"))"), head,
        ]
    }

    private static func empty(_ context: ViewContext, in content: Rect, on grid: inout Grid) {
        let snapshot = context.snapshot
        var lines: [StyledLine] = []
        if !snapshot.breaks.isEmpty {
            lines = ListPane.nothing(matches: context.state.tree.filter)
        } else if snapshot.session.phase == .starting {
            lines.append(StyledLine("opening the session", .text))
            lines.append(StyledLine.url(context.url(snapshot.session.mediaURL)))
        } else if snapshot.session.metadataURL == nil || snapshot.session.provider == "none" {
            lines.append(StyledLine("no ad metadata on this stream", .text))
            lines.append(StyledLine("following the playlist and the playhead", .textMuted))
        } else {
            lines.append(StyledLine("no ad break yet: waiting for the first one", .text))
        }
        if let error = snapshot.latestError { lines.append(.of(error.message, .stateFailed)) }
        ListPane.say(lines, context, in: content, on: &grid)
    }
}

/// `1 break`, `2 breaks`.
func plural(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
