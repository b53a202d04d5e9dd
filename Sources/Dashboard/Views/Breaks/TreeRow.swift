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
        var line = StyledLine()
        var right: [StyledLine]
        line.space(2 * row.depth)
        if let event = model.event(row) {
            line.space(2)
            right = eventRow(event, nameColumns: model.eventNameColumns, context, width: rect.width - 1, &line)
        } else {
            line.append(SafeText(row.isExpanded ? context.glyphs.expanded : context.glyphs.collapsed), .textMuted)
            line.space()
            let summary = model.summaries[row.breakIndex]
            if let ad = model.ad(row), let index = row.adIndex {
                right = [
                    adRow(
                        ad, summary.ads[index], nameColumns: model.adNameColumns, context, width: rect.width - 1, &line)
                ]
            } else {
                right = [breakRow(summary, context, width: rect.width - 1, &line)]
            }
        }
        let end = right.first { line.columns + 2 + $0.columns <= rect.width - 1 } ?? right.last ?? StyledLine()
        let room = max(0, rect.width - 1 - end.columns - (end.columns > 0 ? 1 : 0))
        grid.put(line.truncatedTail(to: room, context.glyphs), at: Point(x: rect.x + 1, y: rect.y), maxColumns: room)
        grid.put(end, at: Point(x: max(rect.x + 1, rect.maxX - end.columns), y: rect.y), maxColumns: rect.width - 1)
    }

    private static func breakRow(
        _ summary: BreakSummary, _ context: ViewContext, width: Int, _ line: inout StyledLine
    ) -> StyledLine {
        let view = summary.view
        line.append(context.badge(summary.tally.sign, withWord: false))
        line.space()
        line.append(SafeText(outside: view.label, columns: 12), view.hasVanished ? .textMuted : .text)
        let done = progress(summary.tally)
        var rest: [StyledLine] = [
            .of(TimeText.tenths(view.start), .textMuted), .of(TimeText.span(view.duration), .text),
            .of(plural(view.ads.count, "ad"), .textMuted),
        ]
        if view.source != AdBreak.Source.metadata.rawValue {
            rest.append(StyledLine(SafeText(outside: view.source, columns: 16), .textMuted))
        }
        if view.hasVanished { rest.append(StyledLine("removed", .stateUnknown)) }
        for part in rest where line.columns + 2 + part.columns + 2 + done.columns <= width {
            line.space(2)
            line.append(part)
        }
        return done
    }

    private static func adRow(
        _ ad: AdView, _ tally: Tally, nameColumns: Int, _ context: ViewContext, width: Int, _ line: inout StyledLine
    ) -> StyledLine {
        line.append(context.badge(tally.sign, withWord: false))
        line.space()
        line.append(SafeText(outside: ad.label, columns: 12), ad.hasVanished ? .textMuted : .text)
        line.space()
        let done = progress(tally)
        let span = SafeText(outside: TimeText.span(ad.duration))
        let room = width - line.columns - done.columns - 2
        // The name gets the room that the length does not need, and all of it where there is no room for both.
        let nameRoom = min(nameColumns, max(room - span.columns - 3, min(room, 12)))
        let name = SafeText(outside: ad.name, columns: TreeModel.nameColumns * 2)
        line.append(name.truncatedTail(to: max(0, nameRoom), context.glyphs), ad.hasVanished ? .textMuted : .text)
        if room >= nameRoom + 3 + span.columns {
            line.append(SafeText(Glyphs.blank, count: nameRoom - min(name.columns, nameRoom) + 3))
            line.append(span, .textMuted)
            if ad.hasVanished, room >= nameRoom + span.columns + 12 { line.append("  removed", .stateUnknown) }
        }
        return done
    }

    private static func progress(_ tally: Tally) -> StyledLine {
        guard tally.total > 0 else { return StyledLine("-", .textMuted) }
        return .of("\(tally.done)/\(tally.total)", tally.failed > 0 ? .stateFailed : .paneCount)
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
