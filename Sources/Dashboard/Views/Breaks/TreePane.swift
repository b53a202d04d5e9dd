import AdTracking
import Ports
import Screen
import Session

/// Breaks, their ads, their tracking events: one row each with its state.
struct TreePane: MainView {
    /// Selection, folding, filter and order.
    var tree = TreeState()
    /// The rows for the newest snapshot.
    private(set) var model = TreeModel()
    /// The failure to which a recording is being moved.
    var soughtFailure: SoughtFailure?

    var pane: Pane { .tree }
    var helpKeys: [HelpKey] {
        [
            HelpKey(.open, "fold or unfold; an event: its detail", ofRows: true),
            HelpKey(.left, "fold, or go to the parent", ofRows: true),
            HelpKey(.right, "unfold, or go to the child", ofRows: true), HelpKey(.nextFailure, "next failed event"),
            HelpKey(.nextBreak, "next break"), HelpKey(.previousBreak, "previous break"),
            HelpKey(.follow, "follow the playhead"), HelpKey(.sort), HelpKey(.reverseSort),
            HelpKey(.logBreak, "log of this break alone"),
            HelpKey(.mute, "mute or unmute, and report"),
            HelpKey(.pause, "pause or resume, and report"), HelpKey(.retry), HelpKey(.copyURL), .copyCurl,
            HelpKey(.copyReport, "copy a report in Markdown"), HelpKey(.openURL, "watch another stream"),
        ]
    }
    var detailRows: Int { 0 }
    var rowCount: Int { model.rows.count }
    var filter: String {
        get { tree.filter }
        set { tree.filter = newValue }
    }
    var filterWords: [FilterWord] { BreakWords.list(model.summaries.map(\.view)) }

    /// Rebuilds the rows; breaks that did not change keep their sums.
    mutating func rebuild(_ snapshot: Snapshot) {
        let (row, path) = (model.selectedRow, model.path(at: model.selectedRow))
        model = TreeModel(snapshot, tree, previous: model)
        // Breaks that are dropped or inserted above must not move the rows that are being read.
        let isSame = path != nil && path == tree.selection && path == model.path(at: model.selectedRow)
        guard isSame, !tree.follows else { return }
        tree.offset = max(0, tree.offset + model.selectedRow - row)
    }

    /// Draws the pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isFocused = context.focus == .tree
        let frame = PaneFrame(title: title(context), status: status(context), isFocused: isFocused)
        frame.draw(in: rect, isBoxed: context.isBoxed, context.glyphs, on: &grid)
        let content = content(of: rect, context)
        drawRows(context, in: content, on: &grid)
        frame.position(
            viewport(height: content.height), in: rect, isBoxed: context.isBoxed, on: &grid)
    }

    func press(at point: Point, _ context: ViewContext, in rect: Rect) -> HintPress? {
        guard let opening = shownOpening(context) else { return nil }
        return OpeningCard.press(at: point, opening, context, in: content(of: rect, context))
    }

    private func content(of rect: Rect, _ context: ViewContext) -> Rect {
        context.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
    }

    /// What is shown in place of the rows while the stream is not open.
    private func shownOpening(_ context: ViewContext) -> OpeningView? {
        let snapshot = context.snapshot
        return snapshot.breaks.isEmpty && !snapshot.session.lacksPicture ? snapshot.session.opening : nil
    }

    /// The selected row alone, for the smallest screens.
    func drawRow(_ context: ViewContext, in row: Rect, on grid: inout Grid) {
        guard let selected = model.selected else {
            let text: SafeText = context.snapshot.session.phase == .starting ? "starting" : "no breaks"
            grid.put(text, at: row.origin, role: .textMuted, maxColumns: row.width)
            return
        }
        TreeRow.draw(selected, of: model, isSelected: true, context, in: row, on: &grid)
    }

    private func drawRows(_ context: ViewContext, in content: Rect, on grid: inout Grid) {
        guard !content.isEmpty else { return }
        guard !model.rows.isEmpty else {
            empty(context, in: content, on: &grid)
            return
        }
        let isFocused = context.focus == .tree
        for (line, index) in viewport(height: content.height).visible.enumerated() {
            let row = content.row(line)
            let isSelected = index == model.selectedRow
            TreeRow.draw(model.rows[index], of: model, isSelected: isSelected, context, in: row, on: &grid)
            if isSelected { grid.mark(row, isFocused ? .selection : .selectionInactive) }
            if model.rows[index].isMatch {
                grid.markMatches(
                    of: TextFilter(tree.filter), in: row, isSelected ? .matchCurrent : .match)
            }
        }
    }

    /// Which rows are visible: while following from the break on, else where the user left it; always with the
    /// selection.
    func viewport(height: Int) -> Viewport {
        var offset = tree.offset
        if tree.follows, let selected = model.selected {
            offset =
                model.rows[...model.selectedRow].lastIndex { $0.depth == 0 && $0.breakIndex == selected.breakIndex }
                ?? 0
        }
        return Viewport(count: model.rows.count, height: height, offset: offset).showing(model.selectedRow)
    }

    private func title(_ context: ViewContext) -> StyledLine {
        ListPane.filtered(StyledLine("[1] Breaks", .paneTitle), by: tree.filter)
    }

    private func status(_ context: ViewContext) -> [StyledLine] {
        var head = StyledLine()
        if tree.follows { head.append("FOLLOW", .paneTitle) }
        if tree.sort != .time || tree.isReversed {
            if head.columns > 0 { head.space(2) }
            head.add("by \(tree.sort.rawValue)\(tree.isReversed ? " reversed" : "")", .paneTitle)
        }
        let breaks = model.summaries.count
        if !tree.filter.isEmpty {
            let shown = model.rows.count { $0.depth == 0 }
            head.space(head.columns > 0 ? 2 : 0)
            head.add("\(shown.grouped) of \(breaks.counted("break"))", .paneCount)
            return [head]
        }
        let gap = head.columns > 0 ? (context.sizeClass == .huge ? 3 : 2) : 0
        func counts(_ text: String) -> StyledLine {
            var line = head
            line.space(gap)
            line.add(text, .paneCount)
            return line
        }
        return [
            counts("\(breaks.counted("break"))  \(model.adCount.counted("ad"))  \(model.eventCount.counted("event"))"),
            counts("\(breaks.counted("break")) \(model.adCount.counted("ad")) \(model.eventCount.grouped) ev"),
            counts("\(breaks.counted("break"))"), head,
        ]
    }

    private func empty(_ context: ViewContext, in content: Rect, on grid: inout Grid) {
        let snapshot = context.snapshot
        var lines: [StyledLine] = []
        if !snapshot.breaks.isEmpty {
            lines = ListPane.nothing(matches: tree.filter)
        } else if snapshot.session.lacksPicture {
            lines.append(StyledLine("no picture yet", .text))
            lines.append(StyledLine("its agent saves one after a poll while an operator looks", .textMuted))
        } else if let opening = shownOpening(context) {
            lines = OpeningCard.lines(opening, context, width: content.width - 2, height: content.height)
            return ListPane.say(lines, context, in: content, on: &grid)
        } else if snapshot.session.phase == .starting {
            lines.append(StyledLine("opening the session", .text))
            lines.append(StyledLine.url(context.url(snapshot.session.mediaURL)))
        } else if snapshot.marksUndatedBreaks {
            lines.append(StyledLine("breaks are marked without dates", .text))
            lines.append(StyledLine("they have no place here: the playlist view shows the markers", .textMuted))
        } else if snapshot.session.metadataURL == nil || snapshot.session.provider == "none" {
            lines.append(StyledLine("no ad metadata on this stream", .text))
            lines.append(StyledLine("following the playlist and the playhead", .textMuted))
        } else {
            lines.append(StyledLine("no ad break yet: waiting for the first one", .text))
        }
        // A filter without a match has nothing to do with what failed last.
        if snapshot.breaks.isEmpty, let error = snapshot.errors.latest {
            lines.append(.of(context.prose(error.message), .stateFailed))
        }
        ListPane.say(lines, context, in: content, on: &grid)
    }

    func detailTitle(_ context: ViewContext) -> StyledLine { BreaksDetail.title(model, context) }
    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        BreaksDetail.add(model, context, to: &fields)
    }
    func detailStatus(_ context: ViewContext) -> [StyledLine] { BreaksDetail.status(model, context) }
    func detailHints(_ context: ViewContext) -> HintRow? { BreaksDetail.hints(model, context) }
    func compactDetail(_ context: ViewContext, in content: Size) -> [HintRow]? {
        BreaksDetail.compact(model, context, in: content, withKeys: hasKeys(context))
    }
}

/// A failure to which a recording is being moved.
struct SoughtFailure {
    /// Its time since the start of the recording.
    let offset: Duration
    /// The events that had failed before.
    let known: Set<NodePath>
}
