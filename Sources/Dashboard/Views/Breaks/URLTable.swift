import AdTracking
import Ports
import Screen
import Session

/// All URLs of an event at one look: `3 URLs, 2 done`, and a row for each.
enum URLTable {
    static func add(_ event: EventView, _ context: ViewContext, to fields: inout FieldLines) {
        let done = event.urls.count { $0.state == .acknowledged }
        fields.blank()
        fields.field("urls", "\(event.urls.count.grouped) URLs, \(done.grouped) \(StateWord.done.rawValue)")
        for (index, url) in event.urls.enumerated() {
            var line = StyledLine.of("\(index + 1) ", .textMuted)
            line.append(context.badge(StateSign(event, url), withWord: false))
            line.space()
            let result = url.attempts.last?.exchange
            line.append(EventOutcome.status(result))
            line.pad(to: 14)
            if let result { line.add(TimeText.latency(.microseconds(result.timings.total)), .textMuted) }
            line.pad(to: 22)
            line.space()
            let room = max(8, fields.width - fields.labelColumns - line.columns)
            line.append(StyledLine.url(context.url(url.url)).truncatedMiddle(to: room, context.glyphs))
            fields.field("", line)
        }
    }
}

extension StateSign {
    /// The sign of a URL: one of an event that is not sent is not sent either.
    init(_ event: EventView, _ url: URLView) {
        self = event.state == .skipped && url.state == .planned ? .off : StateSign(url.state)
    }
}
