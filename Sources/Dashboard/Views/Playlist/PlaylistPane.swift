import HLS
import Monitoring
import Ports
import Screen

/// The followed media playlist: segments, parts, markers and date ranges in their order, its findings on top,
/// and the playhead. Only the visible rows are drawn, however long the window is.
enum PlaylistPane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = context.playlist
        let playhead = model.row(at: context.playhead.stream)
        ListPane(
            pane: .playlist, title: StyledLine("[6] Playlist", .paneTitle), status: status(context),
            count: model.rows.count, selected: model.selectedRow, filter: context.state.playlist.filter,
            absence: absence(context)
        ).draw(context, shown: { viewport(context, height: $0) }, in: rect, on: &grid) { index, _, place, grid in
            PlaylistRowLine(context, width: place.width, hasPlayhead: index == playhead)
                .draw(model.rows[index], at: place.origin, on: &grid)
        }
    }

    /// One row alone, for the smallest screens.
    static func row(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = context.playlist.selected else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        let hasPlayhead = context.playlist.row(at: context.playhead.stream) == context.playlist.selectedRow
        PlaylistRowLine(context, width: rect.width, hasPlayhead: hasPlayhead)
            .draw(selected, at: rect.origin, on: &grid)
    }

    /// Which rows are visible.
    static func viewport(_ context: ViewContext, height: Int) -> Viewport {
        context.state.playlist.viewport(height: height)
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

    /// `1 error`, `2 warnings`: the findings of the newest text, without those for information.
    private static func counts(_ rules: [RuleFindings]) -> [(String, Role)] {
        [(Severity.error, "error", Role.logError), (.warning, "warning", .logWarn)].compactMap { severity, word, role in
            let count = rules.lazy.filter { $0.finding.severity == severity }.reduce(0) { $0 + $1.countInText }
            return count > 0 ? (plural(count, word), role) : nil
        }
    }

    private static func absence(_ context: ViewContext) -> [StyledLine] {
        guard context.playlist.playlist == nil else {
            return ListPane.nothing(matches: context.state.playlist.filter)
        }
        var lines = [StyledLine("no media playlist read yet", .text)]
        if let error = context.snapshot.latestError { lines.append(.of(context.prose(error.message), .stateFailed)) }
        return lines
    }
}
