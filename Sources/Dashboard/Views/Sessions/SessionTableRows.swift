import Monitoring
import Ports
import Screen

/// Heading and rows of the table.
enum SessionTableRows {
    typealias Context = SessionTableRenderer.Context

    /// Draws the heading and the rows that are visible.
    static func draw(_ context: Context, on grid: inout Grid) {
        let (layout, model) = (context.layout, context.model)
        let columns = SessionColumns(width: layout.rowWidth, sessions: model.count)
        heading(columns, context, on: &grid)
        guard !model.rows.isEmpty else { return absence(context, on: &grid) }
        let filter = TextFilter(context.state.filter)
        for (line, index) in context.state.viewport.visible.enumerated() {
            let place = layout.rows.row(line)
            let isSelected = index == model.selectedRow
            if isSelected { grid.put(SafeText(context.glyphs.cursor), at: place.origin, role: .paneFocus) }
            for cell in columns.places {
                put(text(model.rows[index], cell.column, context), cell, in: place, context, on: &grid)
            }
            if isSelected { grid.mark(place, context.state.focus == .sessions ? .selection : .selectionInactive) }
            grid.markMatches(of: filter, in: place, isSelected ? .matchCurrent : .match)
        }
    }

    private static func heading(_ columns: SessionColumns, _ context: Context, on grid: inout Grid) {
        guard !context.layout.heading.isEmpty else { return }
        for cell in columns.places {
            let role: Role = cell.column == context.state.sort ? .paneFocus : .textMuted
            put(StyledLine(cell.column.title, role), cell, in: context.layout.heading, context, on: &grid)
        }
    }

    private static func put(
        _ line: StyledLine, _ cell: SessionColumns.Place, in row: Rect, _ context: Context, on grid: inout Grid
    ) {
        let text = line.truncatedTail(to: cell.width, context.glyphs)
        let shift = cell.column.isNumber ? cell.width - text.columns : 0
        grid.put(text, at: Point(x: row.x + 1 + cell.x + shift, y: row.y), maxColumns: cell.width)
    }

    private static func absence(_ context: Context, on grid: inout Grid) {
        let lines =
            context.model.count == 0
            ? [StyledLine("no sessions", .textMuted)] : ListPane.nothing(matches: context.state.filter)
        let place = context.layout.rows
        for (index, line) in lines.prefix(place.height).enumerated() {
            grid.put(line, at: Point(x: place.x + 1, y: place.y + index), maxColumns: max(0, place.width - 1))
        }
    }

    private static func text(_ row: SessionTableModel.Row, _ column: SessionColumn, _ context: Context) -> StyledLine {
        let health = row.health
        switch column {
        case .number: return .of("\(row.index + 1)", .textMuted)
        case .name: return StyledLine(SafeText(outside: health.name, columns: SessionColumns.nameLimit))
        case .state:
            var line = StyledLine(SafeText(context.glyphs.sign(row.sign)), row.sign.role)
            line.add(" " + row.word, row.sign.role)
            return line
        case .latency: return .of(health.latency.map(TimeText.span) ?? "-", health.latency == nil ? .textMuted : .text)
        case .breaks: return count(health.breaks)
        case .ads: return count(health.ads)
        case .due: return count(row.beacons.due)
        case .sent: return count(row.beacons.sent)
        case .acknowledged: return count(row.beacons.acknowledged, .stateDone)
        case .failed: return count(row.beacons.failed, .stateFailed)
        case .unknown: return count(row.beacons.unknown, .stateUnknown)
        case .late: return late(health.deliveries)
        case .age: return age(row)
        case .findings: return findings(health.findings)
        case .problem:
            guard let problem = health.problem else { return StyledLine() }
            return .of(context.prose(problem), health.isFailing ? .stateFailed : .textMuted)
        }
    }

    /// `0`, `4711`, `12k`, `3M`: never wider than its column.
    static func number(_ count: Int) -> String {
        switch count {
        case ..<10_000: "\(count)"
        case ..<1_000_000: "\(count / 1_000)k"
        default: "\(min(count / 1_000_000, 999))M"
        }
    }

    private static func count(_ count: Int, _ role: Role = .text) -> StyledLine {
        .of(number(count), count == 0 ? .textMuted : role)
    }

    private static func late(_ deliveries: DeliveryTally) -> StyledLine {
        guard deliveries.lateness.count > 0 else { return StyledLine("-", .textMuted) }
        let late = deliveries.worstLateness
        return .of(TimeText.latency(late), late > .seconds(1) ? .stateRetry : .text)
    }

    /// A poll that is older than a few intervals is highlighted.
    private static func age(_ row: SessionTableModel.Row) -> StyledLine {
        guard let age = row.age else { return StyledLine("-", .textMuted) }
        return .of(TimeText.coarse(max(.zero, age)), age > .seconds(20) ? .stateRetry : .text)
    }

    /// `2E 14W`
    private static func findings(_ counts: [Severity: Int]) -> StyledLine {
        var line = StyledLine()
        for (severity, letter, role) in [(Severity.error, "E", Role.stateFailed), (.warning, "W", .stateRetry)] {
            guard let count = counts[severity], count > 0 else { continue }
            if line.columns > 0 { line.space() }
            line.add("\(number(count))\(letter)", role)
        }
        return line
    }
}
