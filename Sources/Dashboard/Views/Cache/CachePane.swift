import CreativeCache
import Ports
import Screen
import Session

/// The creative cache: its creatives with their time to live, its requests, its problems (CACHE-14).
struct CachePane: ListView {
    /// Nothing here moves with the playhead.
    var list = ListState<CacheModel>(follows: false)
    /// When the key that deletes all creatives was pressed once.
    var purgeAskedAt: Duration?

    var pane: Pane { .cache }
    var address: String? { list.model.address }
    /// Its rows are between a heading and the counts.
    func rowArea(_ inside: Rect) -> Rect { Parts(inside).list }
    var hints: [FooterHint] {
        CacheKey.allCases.compactMap { key in key.label.map { FooterHint(key: key.rawValue, $0, place: 1) } }
    }
    var helpKeys: [HelpKey] {
        [HelpKey(.open, "detail of the row", ofRows: true)]
            + CacheKey.allCases.map { HelpKey(letter: $0.rawValue, $0.summary) } + [
                HelpKey(.copyURL), HelpKey.copyCurl,
            ]
    }

    /// Draws the pane.
    func draw(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        let model = list.model
        ListPane(
            pane: .cache, title: title(context), status: status(context), count: model.rows.count,
            selected: model.selectedRow, filter: filter, absence: absence(context),
            place: { Parts($0).list }
        ).draw(
            context, shown: list.viewport(height:), in: rect, on: &grid
        ) { index, _, place, grid in
            let text = CacheText.row(model.rows[index], context, width: place.width)
            grid.put(text, at: place.origin, maxColumns: place.width)
        }
        drawAround(
            context, Parts(context.isBoxed ? rect.inset(columns: 1, rows: 1) : rect.splitTop(1).rest), &grid)
    }

    /// Heading and counts.
    private func drawAround(_ context: ViewContext, _ parts: Parts, _ grid: inout Grid) {
        func put(_ line: StyledLine, _ row: Rect) {
            grid.put(
                line.truncatedTail(to: row.width - 1, context.glyphs), at: Point(x: row.x + 1, y: row.y),
                maxColumns: row.width - 1)
        }
        if !list.model.rows.isEmpty, !parts.heading.isEmpty {
            put(CacheText.heading(width: parts.heading.width - 1), parts.heading)
        }
        guard let report = context.snapshot.cache else { return }
        let lines = CacheText.footer(
            report, context, rows: parts.footer.height, width: parts.footer.width - 1)
        for (index, line) in lines.enumerated() { put(line, parts.footer.row(index)) }
    }

    /// One row alone, for the smallest screens.
    func drawRow(_ context: ViewContext, in rect: Rect, on grid: inout Grid) {
        guard let selected = list.model.selectedLine else {
            return ListPane.say(absence(context), context, in: rect, on: &grid)
        }
        grid.put(CacheText.row(selected, context, width: rect.width), at: rect.origin, maxColumns: rect.width)
    }

    private func absence(_ context: ViewContext) -> [StyledLine] {
        context.snapshot.cache == nil && context.snapshot.zones.isEmpty
            ? CacheText.isOff : CacheText.empty(matching: filter)
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

    private func title(_ context: ViewContext) -> StyledLine {
        var line = StyledLine("[0] Cache", .paneTitle)
        if let report = context.snapshot.cache {
            line.space(2)
            line.append(CacheText.address(report.address, at: context.now.wall))
        }
        return line
    }

    private func status(_ context: ViewContext) -> [StyledLine] {
        guard let report = context.snapshot.cache else { return [] }
        var long = StyledLine()
        long.add("mem \(CacheText.share(report.memoryBytes, of: report.memoryLimit))", .paneCount)
        var short = long
        if let limit = report.diskLimit {
            long.add("  disk \(CacheText.share(report.diskBytes, of: limit))", .paneCount)
        }
        if !report.problems.isEmpty { long.add("  \(report.problems.count.counted("problem"))", .stateFailed) }
        if !report.problems.isEmpty { short.add("  \(context.glyphs.badge(.failed))", .stateFailed) }
        return [long, short]
    }

    func detailTitle(_ context: ViewContext) -> StyledLine {
        ScrollLines.title(CacheItemDetail.title(list.model.selectedLine), pane: .detail, context)
    }
    func addDetail(_ context: ViewContext, to fields: inout FieldLines) {
        CacheItemDetail.add(list.model, context, to: &fields)
    }
}
