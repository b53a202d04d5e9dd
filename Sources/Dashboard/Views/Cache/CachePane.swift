import CreativeCache
import Monitoring
import Ports
import Screen

/// The creative cache: its creatives with their time to live, its requests, its problems (CACHE-14).
enum CachePane {
    /// Draws the pane.
    static func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = context.cache
        ListPane(
            pane: .cache, title: title(context), status: status(context), count: model.rows.count,
            selected: model.selectedRow, filter: context.state.cache.filter, absence: absence(context),
            place: { Parts($0).list }
        ).draw(
            context,
            shown: {
                context.state.cache.viewport(height: $0)
            }, in: rect, on: &grid
        ) { index, _, place, grid in
            let text = CacheText.row(model.rows[index], context, width: place.width)
            grid.put(text, at: place.origin, maxColumns: place.width)
        }
        drawAround(
            context, Parts(context.layout.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest), &grid)
    }

    /// Heading and counts.
    private static func drawAround(_ context: ViewContext, _ parts: Parts, _ grid: inout Grid) {
        func put(_ line: StyledLine, _ row: Rect) {
            grid.put(
                line.truncatedTail(to: row.width - 1, context.glyphs), at: Point(x: row.x + 1, y: row.y),
                maxColumns: row.width - 1)
        }
        if !context.cache.rows.isEmpty, !parts.heading.isEmpty {
            put(CacheText.heading(width: parts.heading.width - 1), parts.heading)
        }
        guard let report = context.snapshot.cache else { return }
        let lines = CacheText.footer(report, context, rows: parts.footer.height)
        for (index, line) in lines.enumerated() { put(line, parts.footer.row(index)) }
    }

    /// One row alone, for the smallest screens.
    static func row(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = context.cache.selectedLine else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        grid.put(CacheText.row(selected, context, width: rect.width), at: rect.origin, maxColumns: rect.width)
    }

    private static func absence(_ context: ViewContext) -> [StyledLine] {
        context.snapshot.cache == nil && context.snapshot.zones.isEmpty
            ? CacheText.isOff : CacheText.empty(matching: context.state.cache.filter)
    }

    /// The parts of the pane, computed from its size alone, so that moving and clicking agree with drawing.
    struct Parts {
        let heading: Rect
        let list: Rect
        /// Counts, problems, the newest requests.
        let footer: Rect

        private static let footerRows = 6

        init(_ inner: Rect) {
            let body: Rect
            (body, footer) = inner.splitBottom(min(Self.footerRows, inner.height / 3))
            (heading, list) = body.splitTop(1)
        }
    }

    private static func title(_ context: ViewContext) -> StyledLine {
        var line = StyledLine("[0] Cache", .paneTitle)
        if let report = context.snapshot.cache {
            line.space(2)
            line.append(CacheText.address(report.address, at: context.now.wall))
        }
        return line
    }

    private static func status(_ context: ViewContext) -> [StyledLine] {
        guard let report = context.snapshot.cache else { return [] }
        var long = StyledLine()
        long.add("mem \(CacheText.share(report.memoryBytes, of: report.memoryLimit))", .paneCount)
        var short = long
        if let limit = report.diskLimit {
            long.add("  disk \(CacheText.share(report.diskBytes, of: limit))", .paneCount)
        }
        if !report.problems.isEmpty { long.add("  \(plural(report.problems.count, "problem"))", .stateFailed) }
        if !report.problems.isEmpty { short.add("  \(context.glyphs.badge(.failed))", .stateFailed) }
        return [long, short]
    }
}
