import AdTracking
import Ports
import Session

/// A node of the tree as JSON for the clipboard, with the names of `adtop-snapshot/1`.
enum NodeJSON {
    /// The document of the node in that row, indented.
    static func text(_ row: TreeModel.Row, _ model: TreeModel) -> String {
        let value: JSONValue
        if let event = model.event(row) {
            value = json(event)
        } else if let ad = model.ad(row) {
            value = json(ad)
        } else {
            value = json(model.breakView(row))
        }
        return value.text(indented: true)
    }

    private static func json(_ view: BreakView) -> JSONValue {
        [
            "id": .string(view.id), "startMs": .integer(view.start.roundedMilliseconds),
            "durationMs": .integer(view.duration.roundedMilliseconds), "source": .string(view.source),
            "ads": .array(view.ads.map(json)),
        ]
    }

    private static func json(_ ad: AdView) -> JSONValue {
        [
            "id": .string(ad.id), "startMs": .integer(ad.start.roundedMilliseconds),
            "durationMs": .integer(ad.duration.roundedMilliseconds), "clickThrough": .optional(ad.clickThrough),
            "events": .array(ad.events.map(json)),
        ]
    }

    private static func json(_ event: EventView) -> JSONValue {
        [
            "event": .string(event.event), "startMs": .integer(event.start.roundedMilliseconds),
            "durationMs": .integer(event.duration.roundedMilliseconds), "reportingState": .string(event.state.rawValue),
            "reason": .optional(event.reason?.rawValue), "urls": .array(event.urls.map(json)),
        ]
    }

    private static func json(_ url: URLView) -> JSONValue {
        let last = url.attempts.last
        return [
            "url": .string(url.url), "state": .string(url.state.rawValue), "status": .optional(last?.exchange?.status),
            "attempts": .integer(Int64(url.attempts.count)),
            "latencyMs": .optional(last?.exchange.map { Duration.microseconds($0.timings.total).roundedMilliseconds }),
            "sentAtMs": .optional(url.attempts.first?.at.wall.roundedMilliseconds),
            "lateMs": .optional(url.late?.roundedMilliseconds),
        ]
    }
}
