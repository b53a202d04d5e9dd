import AdTracking
import Ports
import Screen
import Session

/// One row of the tree. Columns drop from right to left when there is no room: latency, time, id (TERM-31).
enum TreeRow {
    /// Draws a row; the cursor sign is in its first column.
    static func draw(
        _ row: TreeModel.Row, of model: TreeModel, isSelected: Bool, _ context: ViewContext, in rect: Rect,
        on grid: inout Grid
    ) {
        guard rect.width > 0 else { return }
        if isSelected { grid.put(SafeText(context.glyphs.cursor), at: rect.origin, role: .paneFocus) }
        let place = Rect(x: rect.x + 1, y: rect.y, width: rect.width - 1, height: 1)
        var line = StyledLine()
        line.space(2 * row.depth)
        if row.isFoldable {
            line.append(SafeText(row.isExpanded ? context.glyphs.expanded : context.glyphs.collapsed), .textMuted)
        } else {
            line.space()
        }
        line.space()
        let summary = model.summaries[row.breakIndex]
        let right: [StyledLine]
        if let group = row.group {
            GroupRow.add(group, row, of: model, context, to: &line)
            right = []
        } else if let event = model.event(row) {
            right = eventRow(event, nameColumns: model.eventNameColumns, context, width: place.width, &line)
        } else if let ad = model.ad(row), let index = row.adIndex {
            let tally = summary.ads[index]
            let length = summary.view.length(of: ad)
            right = [adRow(ad, length, tally, nameColumns: model.adNameColumns, context, width: place.width, &line)]
        } else {
            let content = BreakRow.row(
                summary, marks: model.marks[row.breakIndex], labelColumns: model.labelColumns, context, after: line)
            return content.draw(in: place, on: &grid)
        }
        let end = right.first { line.columns + 2 + $0.columns <= place.width } ?? right.last ?? StyledLine()
        let room = max(0, place.width - end.columns - (end.columns > 0 ? 1 : 0))
        grid.put(line.truncatedTail(to: room, context.glyphs), at: place.origin, maxColumns: room)
        grid.put(end, at: Point(x: max(place.x, place.maxX - end.columns), y: rect.y), maxColumns: place.width)
    }

    private static func adRow(
        _ ad: AdView, _ length: Duration, _ tally: Tally, nameColumns: Int, _ context: ViewContext, width: Int,
        _ line: inout StyledLine
    ) -> StyledLine {
        line.append(context.badge(NodeSign(ad, tally), withWord: false))
        line.space()
        line.append(SafeText(outside: ad.label, columns: 12), ad.hasVanished ? .textMuted : .text)
        line.space()
        let done = TallyText.fraction(tally, context)
        let span = SafeText(outside: TimeText.span(length))
        let room = width - line.columns - done.columns - 2
        // The name gets the room that the length does not need, and all of it where there is no room for both.
        let nameRoom = min(nameColumns, max(room - span.columns - 3, min(room, 12)))
        let name = SafeText(outside: ad.name, columns: TreeModel.nameColumns * 2)
        let start = line.columns
        line.append(name.truncatedTail(to: max(0, nameRoom), context.glyphs), ad.hasVanished ? .textMuted : .text)
        if room >= nameRoom + 3 + span.columns {
            // A name that is cut before a glyph of two cells is a cell shorter.
            line.pad(to: start + nameRoom + 3)
            line.append(span, .textMuted)
            if ad.hasVanished, room >= nameRoom + span.columns + 12 { line.append("  removed", .stateUnknown) }
        }
        return done
    }

    private static func eventRow(
        _ event: EventView, nameColumns: Int, _ context: ViewContext, width: Int, _ line: inout StyledLine
    ) -> [StyledLine] {
        line.append(context.badge(StateSign(event), withWord: false))
        line.space()
        let outcomes = EventOutcome.forms(event, context)
        let start = line.columns
        let time = SafeText(outside: EventOutcome.timeColumn(event, context))
        let nameRoom = nameColumns
        let name = SafeText(outside: event.event, columns: TreeModel.nameColumns)
        let shortest = outcomes.last?.columns ?? 0
        let room = max(0, width - start - shortest - 1)
        line.append(name.truncatedTail(to: min(nameRoom, room), context.glyphs), .text)
        // The time is shown only where the short outcome still fits beside it.
        if start + nameRoom + 3 + time.columns + 2 + shortest <= width {
            line.append(SafeText(Glyphs.blank, count: start + nameRoom + 3 - line.columns))
            line.append(time, .textMuted)
        }
        return outcomes
    }
}
