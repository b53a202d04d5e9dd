import AdTracking
import HLS
import Ports
import Screen
import Session

/// The strip of media time: axis, breaks of the metadata and cues of the playlist before and after the playhead, ads and
/// beacons.
enum TimelinePane {
    /// The rows that a height has room for, from top to bottom.
    private enum Row {
        /// `announced` has the breaks that more than a cue announces.
        case axis, breaks, announced, ads, cues, beacons

        /// Its name in the gutter.
        func name(_ breaks: [BreakView]) -> SafeText {
            switch self {
            case .axis, .breaks: ""
            case .announced: TimelinePane.source(of: breaks)
            case .ads: "ads"
            case .cues: "cues"
            case .beacons: "beacons"
            }
        }
    }

    private static func rows(_ height: Int) -> [Row] {
        switch height {
        case ..<1: []
        case 1: [.breaks]
        case 2: [.axis, .breaks]
        case 3: [.axis, .announced, .cues]
        case 4: [.axis, .announced, .cues, .beacons]
        default: [.axis, .announced, .ads, .cues, .beacons]
        }
    }

    /// What announces the breaks of a session beyond cues: their only source, or just that they are breaks.
    private static func source(of breaks: [BreakView]) -> SafeText {
        let sources = breaks.lazy.filter { !$0.isCuesOnly }.compactMap(\.origin)
        guard let first = sources.first else { return "metadata" }
        guard sources.allSatisfy({ $0 == first }) else { return "breaks" }
        return switch first {
        case .metadata: "metadata"
        case .interstitial: "interstitials"
        case .signaling: "signaling"
        case .vast: "VAST"
        case .marker: "breaks"
        }
    }

    /// Columns of most names of tracks: the strip does not move when the first break is known.
    private static let usualGutter = 9

    /// Columns of the names of the tracks with the blank behind them, where there is more than one.
    private static func gutter(_ height: Int, _ breaks: [BreakView]) -> Int {
        rows(height).reduce(usualGutter) { max($0, $1.name(breaks).columns + 1) }
    }

    /// Draws as many of axis and tracks as there are rows.
    /// - Parameter findings: the most severe finding about each break, by its index.
    static func draw(
        _ context: ViewContext, findings: [Int: Severity] = [:], in rect: Rect, on grid: inout Grid
    ) {
        let area = rect.inset(columns: 1, rows: 0)
        guard !area.isEmpty else { return }
        guard let (strip, scale) = scale(context, in: rect) else {
            undated(context, in: area, on: &grid)
            return
        }
        let snapshot = context.snapshot
        let marks = TimelineMark.all(of: snapshot)
        for (index, row) in rows(area.height).enumerated() {
            let place = strip.row(index)
            if strip.x > area.x {
                grid.put(
                    row.name(snapshot.breaks), at: area.row(index).origin, role: .textMuted,
                    maxColumns: strip.x - area.x - 1)
            }
            var track = TimelineTrack(scale, context.glyphs, in: place)
            switch row {
            case .axis: axis(context, scale, in: place, on: &grid)
            case .ads: track.draw(TimelineBlock.ads(of: snapshot, scale), separated: true, on: &grid)
            case .breaks, .announced:
                track.draw(blocks(of: row, snapshot, scale, findings), marks: marks, on: &grid)
            case .cues: track.draw(blocks(of: row, snapshot, scale, findings), on: &grid)
            case .beacons: TimelineTicks.draw(snapshot, scale, context.glyphs, in: place, on: &grid)
            }
        }
    }

    /// The breaks or cues of a row.
    private static func blocks(
        of row: Row, _ snapshot: Snapshot, _ scale: TimelineScale, _ findings: [Int: Severity]
    ) -> [TimelineBlock] {
        guard row != .cues else { return TimelineBlock.cues(of: snapshot, findings: findings) }
        return TimelineBlock.breaks(of: snapshot, scale, withCues: row == .breaks, findings: findings)
    }

    /// What a mark on the timeline is about.
    enum Mark: Equatable {
        /// A break, by its index in the snapshot.
        case adBreak(Int)
        /// What was found while this was played.
        case moment(TimelineMark)
    }

    /// The mark under a point; nil beside them.
    static func mark(
        at point: Point, in rect: Rect, _ context: ViewContext, findings: [Int: Severity]
    ) -> Mark? {
        let rows = rows(rect.height)
        let line = point.y - rect.y
        guard let (strip, scale) = scale(context, in: rect), rows.indices.contains(line),
            [.breaks, .announced, .cues].contains(rows[line])
        else { return nil }
        let column = point.x - strip.x
        let blocks = blocks(of: rows[line], context.snapshot, scale, findings)
        var track = TimelineTrack(scale, context.glyphs, in: strip.row(line))
        let places = track.places(of: blocks)
        if let hit = places.firstIndex(where: { $0.sign?.contains(column) == true }) {
            return blocks[hit].finding == nil ? nil : .adBreak(blocks[hit].index)
        }
        guard rows[line] != .cues else { return nil }
        return track.columns(of: TimelineMark.all(of: context.snapshot), beside: places)[column].map(Mark.moment)
    }

    /// The cells of the tracks, and their scale; nil without dates.
    private static func scale(_ context: ViewContext, in rect: Rect) -> (Rect, TimelineScale)? {
        let area = rect.inset(columns: 1, rows: 0)
        let gutter = gutter(area.height, context.snapshot.breaks)
        let strip = area.height > 2 && area.width > 3 * gutter ? area.splitLeft(gutter).rest : area
        guard let date = context.mediaDate else { return nil }
        let isLive = [.live, .clock].contains(context.snapshot.playlist.kind)
        return TimelineScale(
            width: strip.width, date: date, breaks: context.snapshot.breaks,
            playheadPercent: isLive ? TimelineScale.livePercent : TimelineScale.otherPercent
        ).map { (strip, $0) }
    }

    /// The index of the break under a column of the strip, or the nearest within two columns. A label belongs to its
    /// block.
    static func breakIndex(at point: Point, in rect: Rect, _ context: ViewContext) -> Int? {
        guard let (strip, scale) = scale(context, in: rect) else { return nil }
        let column = point.x - strip.x
        let rows = rows(rect.height)
        let line = point.y - rect.y
        let isCue = rows.indices.contains(line) && rows[line] == .cues
        let snapshot = context.snapshot
        let blocks =
            isCue ? TimelineBlock.cues(of: snapshot) : TimelineBlock.breaks(of: snapshot, scale, withCues: true)
        let spans = blocks.map { TimelineTrack.columns(of: $0, scale) }
        let hit =
            spans.firstIndex { $0.contains(column) }
            ?? blocks.indices.first { index in
                // A sign may be behind it.
                let label = blocks[index].name.columns + 1
                return spans[index].lowerBound - label <= column && column < spans[index].lowerBound
            }
            ?? spans.firstIndex { $0.lowerBound - 2 <= column && column < $0.upperBound + 2 }
        return hit.map { blocks[$0].index }
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

    /// Without PROGRAM-DATE-TIME there is nothing to place breaks by: the strip is the playlist's window.
    private static func undated(_ context: ViewContext, in area: Rect, on grid: inout Grid) {
        let playlist = context.snapshot.playlist
        let row = area.row(min(1, area.height - 1))
        grid.fill(row, with: context.glyphs.track, role: .timelineTrack)
        guard let start = playlist.windowStart, let end = playlist.windowEnd, let stream = context.playhead.stream,
            end > start
        else {
            let isAwaited = playlist.segmentCount == 0 && !context.snapshot.session.lacksPicture
            grid.put(
                isAwaited ? "waiting for the playlist " : "", at: area.origin, role: .textMuted,
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
