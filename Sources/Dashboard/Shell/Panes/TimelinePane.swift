import HLS
import Ports
import Screen
import Session

/// The strip of media time: axis, breaks before and after the playhead, and in the largest class the ads.
enum TimelinePane {
    /// Draws as many of axis, track and ads as there are rows.
    static func draw(_ context: ViewContext, _ breaks: TreeModel, in rect: Rect, on grid: inout Grid) {
        let area = rect.inset(columns: 1, rows: 0)
        guard !area.isEmpty else { return }
        guard let date = context.mediaDate,
            let scale = TimelineScale(width: area.width, date: date, breaks: context.snapshot.breaks)
        else {
            undated(context, in: area, on: &grid)
            return
        }
        guard area.height > 1 else {
            track(context, breaks, scale, in: area.row(0), on: &grid)
            return
        }
        axis(context, scale, in: area.row(0), on: &grid)
        track(context, breaks, scale, in: area.row(1), on: &grid)
        if area.height > 2 { ads(context, breaks, scale, in: area.row(2), on: &grid) }
    }

    /// The index of the break under a column of the strip, or the nearest within two columns.
    static func breakIndex(at point: Point, in rect: Rect, _ context: ViewContext) -> Int? {
        let area = rect.inset(columns: 1, rows: 0)
        guard let date = context.mediaDate,
            let scale = TimelineScale(width: area.width, date: date, breaks: context.snapshot.breaks)
        else { return nil }
        let column = point.x - area.x
        let spans = context.snapshot.breaks.map { span(of: $0, scale) }
        return spans.firstIndex { $0.contains(column) }
            ?? spans.firstIndex { $0.lowerBound - 2 <= column && column < $0.upperBound + 2 }
    }

    private static func axis(_ context: ViewContext, _ scale: TimelineScale, in row: Rect, on grid: inout Grid) {
        let current = SafeText(outside: TimeText.clock(scale.date))
        let start = min(max(0, scale.playheadColumn - current.columns / 2), max(0, row.width - current.columns))
        let ticks = scale.ticks
        for time in ticks.times {
            let label = SafeText(outside: ticks.hasSeconds ? TimeText.clock(time) : TimeText.minutes(time))
            let column = scale.column(of: time) - label.columns / 2
            let isClear = column + label.columns < start || column > start + current.columns
            guard column >= 0, column + label.columns <= row.width, isClear else { continue }
            grid.put(label, at: Point(x: row.x + column, y: row.y), role: .textMuted)
        }
        grid.put(current, at: Point(x: row.x + start, y: row.y), role: .timelinePlayhead, maxColumns: row.width - start)
    }

    private static func track(
        _ context: ViewContext, _ breaks: TreeModel, _ scale: TimelineScale, in row: Rect, on grid: inout Grid
    ) {
        grid.fill(row, with: context.glyphs.track, role: .timelineTrack)
        for range in context.snapshot.playedRanges {
            let from = max(0, scale.column(of: range.lowerBound))
            let to = min(row.width, scale.column(of: range.upperBound) + 1)
            guard to > from else { continue }
            grid.restyle(Rect(x: row.x + from, y: row.y, width: to - from, height: 1), role: .timelinePast)
        }
        let spans = context.snapshot.breaks.map { span(of: $0, scale) }
        for (index, view) in context.snapshot.breaks.enumerated() {
            let limit = spans[(index + 1)...].first?.lowerBound ?? row.width
            let hasFailed =
                breaks.summaries.indices.contains(index) && breaks.summaries[index].tally.failed > 0
            // Markers alone have their own letter; a known break that markers show too has a sign.
            let label = view.evidence.count > 1 && !view.ads.isEmpty ? view.label + "+M" : view.label
            bar(spans[index], limit: limit, label: label, hasFailed: hasFailed, context, scale, in: row, on: &grid)
        }
        playhead(context, scale, in: row, on: &grid)
    }

    private static func ads(
        _ context: ViewContext, _ breaks: TreeModel, _ scale: TimelineScale, in row: Rect, on grid: inout Grid
    ) {
        grid.fill(row, with: context.glyphs.track, role: .timelineTrack)
        for (index, view) in context.snapshot.breaks.enumerated() {
            for (adIndex, ad) in view.ads.enumerated() {
                let from = scale.column(of: ad.start)
                guard from < row.width else { break }
                let next = view.ads.dropFirst(adIndex + 1).first.map { scale.column(of: $0.start) }
                // One column of track separates two ads, where there is room for it.
                var end = max(scale.column(of: ad.start + ad.duration), from + 1)
                if let next, end >= next, next - 1 > from { end = next - 1 }
                guard end > 0 else { continue }
                let tallies = breaks.summaries.indices.contains(index) ? breaks.summaries[index].ads : []
                let hasFailed = tallies.indices.contains(adIndex) && tallies[adIndex].failed > 0
                bar(
                    from..<end, limit: from + 4 <= end ? end : from, label: ad.label, hasFailed: hasFailed, context,
                    scale,
                    in: row, on: &grid)
            }
        }
        playhead(context, scale, in: row, on: &grid)
        grid.put(" ads ", at: Point(x: row.x - 1, y: row.y), role: .textMuted)
    }

    /// A break is at least as wide as its label with a sign at each side.
    private static func span(of view: BreakView, _ scale: TimelineScale) -> Range<Int> {
        let start = scale.column(of: view.start)
        let end = max(scale.column(of: max(view.plannedEnd, view.start + view.duration)), start + 4)
        return start..<end
    }

    private static func bar(
        _ span: Range<Int>, limit: Int, label: String, hasFailed: Bool, _ context: ViewContext, _ scale: TimelineScale,
        in row: Rect, on grid: inout Grid
    ) {
        let glyphs = context.glyphs
        let from = max(span.lowerBound, 0), to = min(span.upperBound, row.width)
        guard from < to else { return }
        let now = min(max(scale.playheadColumn, from), to)
        let y = row.y, x = row.x
        let pastRole: Role = hasFailed ? .timelineError : .timelinePast
        grid.fill(Rect(x: x + from, y: y, width: now - from, height: 1), with: glyphs.past, role: pastRole)
        grid.fill(Rect(x: x + now, y: y, width: to - now, height: 1), with: glyphs.future, role: .timelineFuture)
        if !glyphs.breakStart.isEmpty {
            if span.lowerBound >= 0 { grid.put(glyphs.breakStart, at: Point(x: x + from, y: y), role: .timelineBreak) }
            if span.upperBound <= row.width {
                grid.put(glyphs.breakEnd, at: Point(x: x + to - 1, y: y), role: .timelineBreak)
            }
        }
        let text = SafeText(outside: label, columns: 8)
        guard span.lowerBound + 1 >= 0, span.lowerBound + 1 + text.columns <= min(limit, row.width) else { return }
        grid.put(
            text, at: Point(x: x + span.lowerBound + 1, y: y), role: hasFailed ? .timelineError : .timelineBreak)
    }

    private static func playhead(_ context: ViewContext, _ scale: TimelineScale, in row: Rect, on grid: inout Grid) {
        grid.put(
            SafeText(context.glyphs.playhead), at: Point(x: row.x + scale.playheadColumn, y: row.y),
            role: .timelinePlayhead)
    }

    /// Without PROGRAM-DATE-TIME there is nothing to place breaks by: the strip is the playlist's window.
    private static func undated(_ context: ViewContext, in area: Rect, on grid: inout Grid) {
        let playlist = context.snapshot.playlist
        let row = area.row(min(1, area.height - 1))
        grid.fill(row, with: context.glyphs.track, role: .timelineTrack)
        guard let start = playlist.windowStart, let end = playlist.windowEnd, let stream = context.playhead.stream,
            end > start
        else {
            grid.put(
                playlist.segmentCount == 0 ? "waiting for the playlist" : "", at: area.origin, role: .textMuted,
                maxColumns: area.width)
            return
        }
        grid.put(
            "no PROGRAM-DATE-TIME: the strip is the playlist's window", at: area.origin, role: .textMuted,
            maxColumns: area.height > 1 ? area.width : 0)
        let share = min(max((stream - start).inSeconds / (end - start).inSeconds, 0), 1)
        let column = min(Int(share * Double(row.width)), row.width - 1)
        grid.restyle(row.splitLeft(column).left, role: .timelinePast)
        grid.put(SafeText(context.glyphs.playhead), at: Point(x: row.x + column, y: row.y), role: .timelinePlayhead)
    }
}
