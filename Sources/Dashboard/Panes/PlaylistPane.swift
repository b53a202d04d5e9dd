import HLS
import Monitoring
import Ports
import Screen

/// The followed media playlist: segments, parts, markers and date ranges in their order, what is wrong with it on top,
/// and the playhead in it. Only the visible rows are drawn, however long the window is.
enum PlaylistPane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let isBoxed = context.layout.isBoxed
        let isFocused = context.state.focus == .playlist
        let frame = PaneFrame(title: title(context), status: status(context), isFocused: isFocused)
        frame.draw(in: rect, isBoxed: isBoxed, context.glyphs, on: &grid)
        let content = isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest
        guard !content.isEmpty else { return }
        guard !context.playlist.rows.isEmpty else { return empty(context, in: content, on: &grid) }
        let shown = viewport(context, height: content.height)
        let playhead = context.playlist.row(at: context.playhead.stream)
        for (line, index) in shown.visible.enumerated() {
            let row = content.row(line)
            let isSelected = index == context.playlist.selectedRow
            if isSelected { grid.put(SafeText(context.glyphs.cursor), at: row.origin, role: .paneFocus) }
            PlaylistRowLine(context, width: row.width - 1, hasPlayhead: index == playhead)
                .draw(context.playlist.rows[index], at: Point(x: row.x + 1, y: row.y), on: &grid)
            if isSelected { grid.mark(row, isFocused ? .selection : .selectionInactive) }
            grid.markMatches(
                of: TextFilter(context.state.playlist.filter), in: row, isSelected ? .matchCurrent : .match)
        }
        frame.position(shown, in: rect, isBoxed: isBoxed, on: &grid)
    }

    /// One row alone, for the smallest screens.
    static func row(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = context.playlist.selected else { return empty(context, in: rect, on: &grid) }
        let hasPlayhead = context.playlist.row(at: context.playhead.stream) == context.playlist.selectedRow
        PlaylistRowLine(context, width: rect.width, hasPlayhead: hasPlayhead)
            .draw(selected, at: rect.origin, on: &grid)
    }

    /// Which rows are visible.
    static func viewport(_ context: ViewContext, height: Int) -> Viewport {
        context.state.playlist.viewport(
            count: context.playlist.rows.count, height: height, selected: context.playlist.selectedRow)
    }

    private static func title(_ context: ViewContext) -> StyledLine {
        ListPane.title(StyledLine("[6] Playlist", .paneTitle), filter: context.state.playlist.filter)
    }

    private static func status(_ context: ViewContext) -> [StyledLine] {
        var head = StyledLine()
        if context.state.playlist.follows { head.append("FOLLOW", .paneTitle) }
        guard let playlist = context.playlist.playlist else { return [head] }
        func with(_ parts: [(String, Role)]) -> StyledLine {
            var line = head
            for (text, role) in parts {
                if line.columns > 0 { line.space(2) }
                line.add(text, role)
            }
            return line
        }
        let segments = (plural(playlist.segments.count, "segment"), Role.paneCount)
        let findings = counts(context.playlist.findings)
        var markers: [(String, Role)] = []
        if !playlist.cuePoints.isEmpty { markers.append((plural(playlist.cuePoints.count, "cue"), .paneCount)) }
        if !playlist.dateRanges.isEmpty {
            markers.append((plural(playlist.dateRanges.count, "date range"), .paneCount))
        }
        return [with([segments] + markers + findings), with([segments] + findings), with(findings), head]
    }

    /// `1 error`, `2 warnings`: of the newest text, what is only information left out.
    private static func counts(_ rules: [RuleFindings]) -> [(String, Role)] {
        [(Severity.error, "error", Role.logError), (.warning, "warning", .logWarn)].compactMap { severity, word, role in
            let count = rules.lazy.filter { $0.finding.severity == severity }.reduce(0) { $0 + $1.countInText }
            return count > 0 ? (plural(count, word), role) : nil
        }
    }

    private static func empty(_ context: ViewContext, in content: Rect, on grid: inout Grid) {
        guard context.playlist.playlist == nil else {
            return ListPane.say(
                ListPane.nothing(matches: context.state.playlist.filter), context, in: content, on: &grid)
        }
        var lines = [StyledLine("no media playlist was read so far", .text)]
        if let error = context.snapshot.latestError { lines.append(.of(context.prose(error.message), .stateFailed)) }
        ListPane.say(lines, context, in: content, on: &grid)
    }
}
