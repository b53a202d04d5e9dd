import AdTracking
import Ports
import Screen
import Session

/// An event in three rows, for the stacked layout (TERM-30).
enum CompactDetail {
    /// Its rows.
    static let rowCount = 3
    private static let labelColumns = 6

    /// Address, answer and the next step, with its keys where they act on the event.
    static func rows(
        _ event: EventView, _ context: ViewContext, columns: Int, withKeys hasKeys: Bool
    ) -> [HintRow] {
        let address = address(event, context).truncatedMiddle(to: columns - labelColumns, context.glyphs)
        return [
            row("url", HintRow(address)), row("http", HintRow(answer(event, context))),
            row("next", next(event, context, withKeys: hasKeys)),
        ]
    }

    private static func row(_ label: SafeText, _ value: HintRow) -> HintRow {
        var row = HintRow(StyledLine(label, .textMuted))
        row.pad(to: labelColumns)
        row.append(value)
        return row
    }

    private static func address(_ event: EventView, _ context: ViewContext) -> StyledLine {
        guard let url = EventDetail.shownURL(of: event) else { return StyledLine("none", .textMuted) }
        var value = StyledLine.url(context.url(url.requested ?? url.url))
        if event.urls.count > 1 { value.add("  +\(event.urls.count - 1) more", .textMuted) }
        return value
    }

    private static func answer(_ event: EventView, _ context: ViewContext) -> StyledLine {
        var value = StyledLine()
        let last = EventOutcome.lastAttempt(of: event)
        let due =
            event.isUserTriggered ? EventOutcome.timeColumn(event, context) : "due " + TimeText.tenths(event.start)
        if let result = last?.exchange {
            value.append(EventDetail.answer(result, context))
            let tries = event.urls.map(\.attempts.count).max() ?? 0
            value.add("   \(tries == 1 ? "1 try" : "\(tries) tries")", .text)
            let took = StyledLine.of("   last \(TimeText.latency(.microseconds(result.timings.total)))", .textMuted)
            // Narrow screens drop the due time first, which the tree shows too, then the latency.
            if value.columns + took.columns + labelColumns + 1 <= context.size.columns { value.append(took) }
        } else if last != nil {
            value.append("waiting for the answer", .stateBusy)
        } else {
            value.append(context.badge(StateSign(event)))
        }
        if value.columns + due.utf8.count + labelColumns + 4 <= context.size.columns {
            value.add("   \(due)", .textMuted)
        }
        return value
    }

    private static func next(_ event: EventView, _ context: ViewContext, withKeys hasKeys: Bool) -> HintRow {
        var value = HintRow(EventDetail.next(event, context))
        guard hasKeys else { return value }
        var hints: [(Action, SafeText)] = event.hasLoss && context.actsOnSession ? [(.retry, "retry")] : []
        hints += [(.copyURL, "copy url"), (.copyCurl, "copy curl"), (.open, "full detail")]
        value.space(3)
        value.append(KeyHints.row(hints, context, gap: 3))
        return value
    }
}
