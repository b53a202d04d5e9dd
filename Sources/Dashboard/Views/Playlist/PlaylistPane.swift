import HLS
import Ports
import Screen
import Session

/// The followed media playlist: segments, parts, markers and date ranges in their order, its findings on top,
/// and the playhead. Only the visible rows are drawn, however long the window is.
struct PlaylistPane: ListView {
    var list = ListState<PlaylistModel>()

    var pane: Pane { .playlist }
    var filterWords: [FilterWord] { list.model.filterWords }
    var hints: [FooterHint] {
        [
            FooterHint([.previousBreak, .nextBreak], "marker", place: 5),
            FooterHint([.nextFailure], "finding", place: 6),
            FooterHint([.copyURL], "copy", place: 13),
        ]
    }
    var helpKeys: [HelpKey] {
        [
            HelpKey(.open, "detail of the row", ofRows: true), HelpKey(.nextFailure, "next finding"),
            HelpKey(.nextBreak, "next marker"), HelpKey(.previousBreak, "previous marker"),
            HelpKey(.follow, "follow the playhead"), HelpKey(.copyURL), .copyCurl,
        ]
    }
    var address: String? { list.model.address }
    var finding: Finding? { list.model.selectedFinding }

    /// Draws the pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = list.model
        let playhead = model.row(at: context.playhead.stream)
        ListPane(
            pane: .playlist, title: StyledLine("[6] Playlist", .paneTitle), status: status(context),
            count: model.rows.count, selected: model.selectedRow, filter: filter,
            absence: absence(context)
        ).draw(context, shown: list.viewport(height:), in: rect, on: &grid) { index, _, place, grid in
            PlaylistRowLine(list.model, context, width: place.width, hasPlayhead: index == playhead)
                .draw(model.rows[index], at: place.origin, on: &grid)
        }
    }

    /// One row alone, for the smallest screens.
    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = list.model.selected else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        let hasPlayhead = list.model.row(at: context.playhead.stream) == list.model.selectedRow
        PlaylistRowLine(list.model, context, width: rect.width, hasPlayhead: hasPlayhead)
            .draw(selected, at: rect.origin, on: &grid)
    }

    private func status(_ context: ViewContext) -> [StyledLine] {
        var head = StyledLine()
        if list.follows { head.append("FOLLOW", .paneTitle) }
        guard let playlist = list.model.playlist else { return [head] }
        func with(_ parts: [(String, Role)]) -> StyledLine {
            var line = head
            for (text, role) in parts {
                if line.columns > 0 { line.space(2) }
                line.add(text, role)
            }
            return line
        }
        let segments = (playlist.segments.count.counted("segment"), Role.paneCount)
        let findings = counts(list.model.findings)
        var markers: [(String, Role)] = []
        if !playlist.cuePoints.isEmpty { markers.append((playlist.cuePoints.count.counted("cue"), .paneCount)) }
        if !playlist.dateRanges.isEmpty {
            markers.append((playlist.dateRanges.count.counted("date range"), .paneCount))
        }
        return [with([segments] + markers + findings), with([segments] + findings), with(findings), head]
    }

    /// `1 error`, `2 warnings`: the findings of the newest text, without those for information.
    private func counts(_ rules: [RuleFindings]) -> [(String, Role)] {
        [(Severity.error, "error", Role.logError), (.warning, "warning", .logWarn)].compactMap { severity, word, role in
            let count = rules.lazy.filter { $0.finding.severity == severity }.reduce(0) { $0 + $1.countInText }
            return count > 0 ? (count.counted(word), role) : nil
        }
    }

    private func absence(_ context: ViewContext) -> [StyledLine] {
        guard list.model.playlist == nil else {
            return ListPane.nothing(matches: filter)
        }
        guard context.snapshot.playlist.kind != .clock else {
            return [StyledLine("no playlist: the session is attached to its tracking data", .text)]
        }
        var lines = [StyledLine("no media playlist read yet", .text)]
        if let error = context.snapshot.errors.latest { lines.append(.of(context.prose(error.message), .stateFailed)) }
        return lines
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        ScrollLines.title(PlaylistItemDetail.title(list.model.selected), pane: .detail, context)
    }
    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        PlaylistItemDetail.add(list.model, context, to: &fields)
    }
}
