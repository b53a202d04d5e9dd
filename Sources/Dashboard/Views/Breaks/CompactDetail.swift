import AdTracking
import Ports
import Screen
import Session

/// An event in three rows, for the stacked layout (TERM-30).
enum CompactDetail {
    /// Its rows.
    static let rows = 3
    private static let labelColumns = 6

    /// Draws address, answer and the next step.
    static func draw(_ event: EventView, _ context: ViewContext, in content: Rect, on grid: inout Grid) {
        let lines = [address(event, context), answer(event, context), next(event, context)]
        for (index, line) in lines.prefix(content.height).enumerated() {
            let room = content.width - 1 - labelColumns
            let value = index == 0 ? line.value.truncatedMiddle(to: room, context.glyphs) : line.value
            let origin = Point(x: content.x + 1, y: content.y + index)
            grid.put(line.label, at: origin, role: .textMuted)
            grid.put(
                value.truncatedTail(to: room, context.glyphs), at: Point(x: origin.x + labelColumns, y: origin.y),
                maxColumns: room)
        }
    }

    private static func address(_ event: EventView, _ context: ViewContext) -> (label: SafeText, value: StyledLine) {
        guard let url = EventDetail.shownURL(of: event) else { return ("url", StyledLine("none", .textMuted)) }
        var value = StyledLine.url(context.url(url.url))
        if event.urls.count > 1 { value.add("  +\(event.urls.count - 1) more", .textMuted) }
        return ("url", value)
    }

    private static func answer(_ event: EventView, _ context: ViewContext) -> (label: SafeText, value: StyledLine) {
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
        return ("http", value)
    }

    private static func next(_ event: EventView, _ context: ViewContext) -> (label: SafeText, value: StyledLine) {
        var value = EventDetail.next(event, context)
        let isRetryable = event.state == .failed || event.state == .partial
        var hints: [(Action, SafeText)] = isRetryable ? [(.retry, "retry")] : []
        hints += [(.copyURL, "copy url"), (.copyCurl, "copy curl"), (.open, "full detail")]
        value.space(3)
        value.append(KeyHints.line(hints, context, gap: 3))
        return ("next", value)
    }
}
