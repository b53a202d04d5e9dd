import AdTracking
import Ports
import Screen
import Session

/// Events as comma-separated values (RFC 4180).
enum EventTable {
    private static let columns = [
        "break", "ad", "event", "start", "state", "reason", "url", "url_state", "status", "attempts", "latency_ms",
        "sent_at",
        "late_ms",
    ]

    /// The table with its header row, line ends CR LF.
    static func csv(_ snapshot: Snapshot) -> String {
        var text = CSVText.line(columns)
        for view in snapshot.breaks {
            for ad in view.ads {
                for event in ad.events {
                    let head = [
                        view.name, ad.name, event.event, event.start.iso8601, event.state.rawValue,
                        event.reason?.rawValue ?? "",
                    ]
                    let rows = event.urls.isEmpty ? [[]] : event.urls.map(cells)
                    for row in rows {
                        let padded = row + [String](repeating: "", count: columns.count - head.count - row.count)
                        text += CSVText.line(head + padded)
                    }
                }
            }
        }
        return text
    }

    private static func cells(_ url: URLView) -> [String] {
        let last = url.attempts.last?.exchange
        let latency = last.map { Duration.microseconds($0.timings.total).roundedMilliseconds }
        return [
            Redaction.url(url.url), url.state.rawValue,
            last?.status.map(String.init) ?? last?.failure?.kind.rawValue ?? "",
            String(url.attempts.count), latency.map { String($0) } ?? "", url.attempts.first?.at.wall.iso8601 ?? "",
            url.late.map { String($0.roundedMilliseconds) } ?? "",
        ]
    }
}
