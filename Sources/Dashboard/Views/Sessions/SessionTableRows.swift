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
        let cells = TableRows(
            places: table.places(tableWidth: rows.width), sort: table.sort, isReversed: table.isReversed,
            filter: table.filter, isFocused: context.focus == table.pane, context: context)
        cells.draw(heading: heading, on: &grid)
        guard !model.rows.isEmpty else {
            let absence =
                model.count == 0
                ? [StyledLine("no sessions", .textMuted)] : ListPane.nothing(matches: table.filter)
            return ListPane.say(absence, context, in: rows, on: &grid)
        }
        cells.draw(table.viewport(height: rows.height), selected: model.selectedRow, in: rows, on: &grid) {
            row, place in
            text(model.rows[row], place)
        }
    }

    private func text(_ row: SessionTableModel.Row, _ cell: TablePlace<SessionColumn>) -> StyledLine {
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
        case .latency: return .of(row.latency.map(TimeText.span) ?? "-", row.latency == nil ? .textMuted : .text)
        case .breaks: return CellText.count(health.breaks, columns: cell.width)
        case .ads: return CellText.count(health.ads, columns: cell.width)
        case .due: return CellText.count(row.beacons.due, columns: cell.width)
        case .sent: return CellText.count(row.beacons.sent, columns: cell.width)
        case .acknowledged: return CellText.count(row.beacons.acknowledged, .stateDone, columns: cell.width)
        case .failed: return CellText.count(row.beacons.failed, .stateFailed, columns: cell.width)
        case .unknown: return CellText.count(row.beacons.unknown, .stateUnknown, columns: cell.width)
        case .late: return CellText.late(row.late)
        // A poll that is older than a few intervals is highlighted.
        case .age: return CellText.age(row.age, warnsAfter: .seconds(20))
        case .minute: return minute(health.recent.minute, cells: cell.width)
        case .hour: return HourStrip.line(health.recent.hour, cells: cell.width, context.glyphs)
        case .findings: return Self.findings(health.findings)
        case .problem:
            return .of(context.prose(row.why), row.role ?? .textMuted)
        }
    }

    /// All rows have one scale, so that the busiest session is the highest.
    private func minute(_ counts: [Int], cells: Int) -> StyledLine {
        let (shown, sparks) = (counts.suffix(max(0, cells)), context.glyphs.sparks)
        let text = shown.reduce(SafeText.empty) { text, count in
            text + SafeText(sparks[Sparkline.level(Double(count), of: Double(table.model.busiest), sparks.count)])
        }
        return StyledLine(text, shown.contains { $0 > 0 } ? .spark : .textMuted)
    }

    /// `2E 14W`
    static func findings(_ counts: [Severity: Int]) -> StyledLine {
        var line = StyledLine()
        for (severity, letter, role) in [(Severity.error, "E", Role.stateFailed), (.warning, "W", .stateRetry)] {
            guard let count = counts[severity], count > 0 else { continue }
            if line.columns > 0 { line.space() }
            line.add("\(CellText.number(count))\(letter)", role)
        }
        return line
    }
}
