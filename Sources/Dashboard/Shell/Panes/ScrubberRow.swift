import Ports
import Screen
import Session

/// The position in a recording: its course, its time, and a bar with the breaks and failures of the whole recording.
enum ScrubberRow {
    /// Draws the row.
    static func draw(_ replay: ReplayView, _ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard !rect.isEmpty else { return }
        let area = rect.inset(columns: 1, rows: 0)
        let bar = bar(replay, context, in: rect)
        grid.put(start(replay, context), at: area.origin, maxColumns: area.width)
        let end = end(replay, context)
        grid.put(end, at: Point(x: bar.maxX + 1, y: bar.y), maxColumns: max(0, area.maxX - bar.maxX - 1))
        guard !bar.isEmpty else { return }
        let glyphs = context.glyphs
        let column = column(of: replay.offset(at: context.now), replay, bar)
        grid.fill(bar, with: glyphs.light.horizontal, role: .textMuted)
        grid.fill(bar.splitLeft(column).left, with: glyphs.heavy.horizontal, role: .header)
        for mark in replay.marks {
            let sign: Glyph = mark.kind == .failure ? glyphs.sign(.failed) : glyphs.past
            let role: Role = mark.kind == .failure ? .stateFailed : .timelineBreak
            let place = Point(x: bar.x + Self.column(of: mark.offset, replay, bar), y: bar.y)
            grid.put(SafeText(sign), at: place, role: role)
        }
        grid.put(SafeText(glyphs.thumb), at: Point(x: bar.x + column, y: bar.y), role: .header)
    }

    /// The distance from the present position to the one under a point; nil beside the bar.
    static func distance(to point: Point, in rect: Rect, _ context: ViewContext) -> Duration? {
        guard let replay = context.snapshot.replay else { return nil }
        let bar = bar(replay, context, in: rect)
        guard bar.contains(point) else { return nil }
        let share = Double(point.x - bar.x) / Double(max(1, bar.width - 1))
        let wanted = Duration(finiteSeconds: replay.length.inSeconds * share) ?? .zero
        return wanted - replay.offset(at: context.now)
    }

    /// `▶ 1x  0:44`
    private static func start(_ replay: ReplayView, _ context: ViewContext) -> StyledLine {
        var line = StyledLine(SafeText(replay.isStopped ? context.glyphs.paused : context.glyphs.playing), .header)
        line.add(" \(TimeText.rate(replay.speed))", .header)
        line.add("  \(TimeText.position(replay.offset(at: context.now)))", .header)
        return line
    }

    /// `1:00  2026-11-22 08:37:44Z`
    private static func end(_ replay: ReplayView, _ context: ViewContext) -> StyledLine {
        var line = StyledLine.of(TimeText.position(replay.length), .header)
        if context.size.columns >= 60 { line.add("  \(TimeText.day(context.now.wall))Z", .textMuted) }
        return line
    }

    private static func bar(_ replay: ReplayView, _ context: ViewContext, in rect: Rect) -> Rect {
        let area = rect.inset(columns: 1, rows: 0)
        // The start grows by a column from 0:59 to 10:00, the bar does not move with it.
        let left = max(start(replay, context).columns, 7 + TimeText.position(replay.length).utf8.count) + 1
        let right = end(replay, context).columns + 1
        let width = max(0, area.width - left - right)
        return Rect(x: area.x + left, y: area.y, width: width, height: area.isEmpty ? 0 : 1)
    }

    private static func column(of offset: Duration, _ replay: ReplayView, _ bar: Rect) -> Int {
        guard replay.length > .zero, bar.width > 1 else { return 0 }
        let share = offset.inSeconds / replay.length.inSeconds
        return min(max(Int((share * Double(bar.width - 1)).rounded()), 0), bar.width - 1)
    }
}
