import Ports
import Screen
import Session

/// Heading and rows of the table.
struct SessionTableRows {
    let table: SessionTablePane
    let context: ViewContext

    /// Draws the heading and the rows that are visible.
    func draw(heading: Rect, rows: Rect, on grid: inout Grid) {
        let model = table.model
        let columns = SessionColumns(tableWidth: rows.width, model)
        draw(columns, in: heading, on: &grid)
        guard !model.rows.isEmpty else { return drawAbsence(in: rows, on: &grid) }
        let filter = TextFilter(table.filter)
        for (line, index) in table.viewport(height: rows.height).visible.enumerated() {
            let place = rows.row(line)
            let isSelected = index == model.selectedRow
            if isSelected { grid.put(SafeText(context.glyphs.cursor), at: place.origin, role: .paneFocus) }
            for cell in columns.places { put(text(model.rows[index], cell), cell, in: place, on: &grid) }
            if isSelected { grid.mark(place, context.focus == table.pane ? .selection : .selectionInactive) }
            grid.markMatches(of: filter, in: place, isSelected ? .matchCurrent : .match)
        }
    }

    private func draw(_ columns: SessionColumns, in heading: Rect, on grid: inout Grid) {
        guard !heading.isEmpty else { return }
        for cell in columns.places {
            put(title(cell), cell, in: heading, on: &grid)
        }
    }

    /// The sorted column is marked; where it is narrow, its title is cut for the mark.
    private func title(_ cell: SessionColumns.Place) -> StyledLine {
        let title = cell.width < cell.column.title.columns ? cell.column.shortTitle : cell.column.title
        guard cell.column == table.sort else { return StyledLine(title, .textMuted) }
        let mark: SafeText =
            context.glyphs.isASCII ? (table.isReversed ? "^" : "v") : (table.isReversed ? "▲" : "▼")
        return StyledLine(title.prefix(columns: max(0, cell.width - 1)) + mark, .paneFocus)
    }

    private func put(_ line: StyledLine, _ cell: SessionColumns.Place, in row: Rect, on grid: inout Grid) {
        let text = line.truncatedTail(to: cell.width, context.glyphs)
        let shift = cell.column.isNumber ? cell.width - text.columns : 0
        grid.put(text, at: Point(x: row.x + 1 + cell.x + shift, y: row.y), maxColumns: cell.width)
    }

    private func drawAbsence(in place: Rect, on grid: inout Grid) {
        let lines =
            table.model.count == 0
            ? [StyledLine("no sessions", .textMuted)] : ListPane.nothing(matches: table.filter)
        for (index, line) in lines.prefix(place.height).enumerated() {
            grid.put(line, at: Point(x: place.x + 1, y: place.y + index), maxColumns: max(0, place.width - 1))
        }
    }

    private func text(_ row: SessionTableModel.Row, _ cell: SessionColumns.Place) -> StyledLine {
        let health = row.health
        switch cell.column {
        case .number: return .of("\(row.index + 1)", .textMuted)
        case .name:
            // Names of channels often differ at their ends.
            let name = SafeText(outside: health.name, columns: SessionColumns.readName)
            return StyledLine(name.truncatedMiddle(to: cell.width, context.glyphs), row.role ?? .text)
        case .state:
            var line = StyledLine(SafeText(context.glyphs.sign(row.sign)), row.sign.role)
            line.add(" " + row.word, row.sign.role)
            return line
        case .latency:
            // What is played on demand has no live edge.
            let latency = health.kind == .vod ? nil : health.latency
            return .of(latency.map(TimeText.span) ?? "-", latency == nil ? .textMuted : .text)
        case .breaks: return Self.count(health.breaks)
        case .ads: return Self.count(health.ads)
        case .due: return Self.count(row.beacons.due)
        case .sent: return Self.count(row.beacons.sent)
        case .acknowledged: return Self.count(row.beacons.acknowledged, .stateDone)
        case .failed: return Self.count(row.beacons.failed, .stateFailed)
        case .unknown: return Self.count(row.beacons.unknown, .stateUnknown)
        case .late: return Self.late(health.deliveries)
        case .age: return Self.age(row)
        case .hour: return HourStrip.line(health.hour, cells: cell.width, context.glyphs)
        case .findings: return Self.findings(health.findings)
        case .problem:
            return .of(context.prose(row.why), row.role ?? .textMuted)
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
        return .of(
            TimeText.coarse(max(.zero, age)), age > .seconds(20) && row.health.kind != .vod ? .stateRetry : .text)
    }

    /// `2E 14W`
    static func findings(_ counts: [Severity: Int]) -> StyledLine {
        var line = StyledLine()
        for (severity, letter, role) in [(Severity.error, "E", Role.stateFailed), (.warning, "W", .stateRetry)] {
            guard let count = counts[severity], count > 0 else { continue }
            if line.columns > 0 { line.space() }
            line.add("\(number(count))\(letter)", role)
        }
        return line
    }
}
