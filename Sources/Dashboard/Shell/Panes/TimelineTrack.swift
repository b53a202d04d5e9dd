import Ports
import Screen
import Session

/// Draws blocks into one row: each with its label before it where there is room, and nothing under the playhead.
struct TimelineTrack {
    let scale: TimelineScale
    let glyphs: Glyphs
    let row: Rect
    /// For each column whether a block or a label has it: thousands of ads are on one strip, and no search among them is made for each.
    private var taken: [Bool]

    init(_ scale: TimelineScale, _ glyphs: Glyphs, in row: Rect) {
        (self.scale, self.glyphs, self.row) = (scale, glyphs, row)
        taken = [Bool](repeating: false, count: row.width)
    }

    /// The columns of a block: at least one.
    static func columns(of block: TimelineBlock, _ scale: TimelineScale) -> Range<Int> {
        let start = scale.column(of: block.start)
        return start..<max(scale.column(of: block.end), start + 1)
    }

    /// The columns of a block, and of what is written beside it.
    struct Place: Equatable {
        var block: Range<Int>
        /// Its name with the sign behind it; nil where there is no room.
        var label: Range<Int>?
        /// The sign alone.
        var sign: Range<Int>?
    }

    /// The places of the blocks, in the order of their starts.
    mutating func places(of blocks: [TimelineBlock], separated: Bool = false) -> [Place] {
        var spans = blocks.map { Self.columns(of: $0, scale) }
        // One column of track separates two neighbours, where there is room for it.
        for index in spans.indices.dropFirst() where separated && spans[index - 1].upperBound >= spans[index].lowerBound
        {
            let end = max(spans[index - 1].lowerBound + 1, spans[index].lowerBound - 1)
            spans[index - 1] = spans[index - 1].lowerBound..<end
        }
        var places = spans.map { Place(block: $0) }
        let visible = spans.indices.filter { spans[$0].upperBound > 0 && spans[$0].lowerBound < row.width }
        for index in visible { take(spans[index]) }
        for index in visible { label(blocks[index], &places[index]) }
        return places
    }

    /// Draws the blocks, in the order of their starts, the marks and the playhead.
    mutating func draw(
        _ blocks: [TimelineBlock], marks: [TimelineMark] = [], separated: Bool = false, on grid: inout Grid
    ) {
        grid.fill(row, with: glyphs.track, role: .timelineTrack)
        let places = places(of: blocks, separated: separated)
        for (block, place) in zip(blocks, places) { fill(block, place.block, on: &grid) }
        for (block, place) in zip(blocks, places) where place.label != nil || place.sign != nil {
            let isAhead = block.start > scale.date && !block.isOnAir
            let role = isAhead ? .timelineFuture : block.role
            if let label = place.label {
                grid.put(block.name, at: Point(x: row.x + label.lowerBound, y: row.y), role: role)
            }
            guard let sign = place.sign else { continue }
            grid.put(
                block.sign(glyphs), at: Point(x: row.x + sign.lowerBound, y: row.y),
                role: block.finding?.role ?? role)
        }
        for (column, mark) in columns(of: marks, beside: places) {
            grid.put(SafeText(glyphs.warning), at: Point(x: row.x + column, y: row.y), role: mark.severity.role)
        }
        grid.put(
            SafeText(glyphs.playhead), at: Point(x: row.x + scale.playheadColumn, y: row.y), role: .timelinePlayhead)
    }

    private func fill(_ block: TimelineBlock, _ span: Range<Int>, on grid: inout Grid) {
        let span = span.clamped(to: 0..<row.width)
        guard !span.isEmpty else { return }
        let now = min(max(scale.playheadColumn, span.lowerBound), span.upperBound)
        let past = Rect(x: row.x + span.lowerBound, y: row.y, width: now - span.lowerBound, height: 1)
        grid.fill(past, with: block.glyph(glyphs), role: block.role)
        grid.fill(
            Rect(x: row.x + now, y: row.y, width: span.upperBound - now, height: 1), with: glyphs.future,
            role: block.isOnAir ? .timelineBreak : .timelineFuture)
    }

    /// Before the block, else after it, else inside, and nowhere if it would cover something. A finding is marked on the block
    /// itself where there is no room for the name.
    private mutating func label(_ block: TimelineBlock, _ place: inout Place) {
        guard !block.label.isEmpty else { return }
        let span = place.block
        let sign = block.sign(glyphs).columns
        let columns = block.name.columns + sign
        let before = span.lowerBound - columns..<span.lowerBound
        let after = span.upperBound..<span.upperBound + columns
        let inside = span.lowerBound + 1..<span.lowerBound + 1 + columns
        let free = [before, after].first { isFree($0) }
        let fits = inside.upperBound < span.upperBound && isShown(inside) ? inside : nil
        if let label = free ?? fits {
            place.label = label
            if sign > 0 { place.sign = label.upperBound - sign..<label.upperBound }
            take(label)
        } else if block.finding != nil {
            let cells = span.lowerBound..<span.lowerBound + sign
            if isShown(cells) { place.sign = cells }
        }
    }

    private mutating func take(_ columns: Range<Int>) {
        for column in columns.clamped(to: taken.indices) { taken[column] = true }
    }

    private func isShown(_ place: Range<Int>) -> Bool {
        place.lowerBound >= 0 && place.upperBound <= row.width && !place.contains(scale.playheadColumn)
    }

    /// A label needs a column of track between it and what it does not belong to.
    private func isFree(_ place: Range<Int>) -> Bool {
        isShown(place) && !taken[place].contains(true)
    }
}

/// Signs of the beacons in the columns of their times: of several in one column the most urgent.
enum TimelineTicks {
    static func draw(_ snapshot: Snapshot, _ scale: TimelineScale, _ glyphs: Glyphs, in row: Rect, on grid: inout Grid)
    {
        var signs = [StateSign?](repeating: nil, count: row.width)
        for view in snapshot.breaks {
            let end = max(view.plannedEnd, view.start + view.duration)
            guard scale.column(of: end) >= 0, scale.column(of: view.start) < row.width else { continue }
            for ad in view.ads {
                for event in ad.events where event.isCounted {
                    let column = scale.column(of: event.start)
                    guard signs.indices.contains(column) else { continue }
                    let sign = StateSign(event)
                    signs[column] = signs[column].map { $0.worse(sign) } ?? sign
                }
            }
        }
        for (column, sign) in signs.enumerated() {
            guard let sign else { continue }
            grid.put(SafeText(glyphs.sign(sign)), at: Point(x: row.x + column, y: row.y), role: sign.role)
        }
        guard signs[min(max(scale.playheadColumn, 0), row.width - 1)] == nil else { return }
        grid.put(
            SafeText(glyphs.playhead), at: Point(x: row.x + scale.playheadColumn, y: row.y), role: .timelinePlayhead)
    }
}
