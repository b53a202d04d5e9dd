import AdTracking
import Ports
package import Session

/// What stays in the shell after the dashboard: what became of the beacons.
package enum ExitSummary {
    /// Hosts or causes that are named, the most frequent first.
    private static let named = 3

    /// One line, `rush: 3 breaks, 54 beacons due, 53 acknowledged, 1 failed (t.example.com 503)`.
    package static func line(_ snapshot: Snapshot) -> String {
        let verdict = Verdict(snapshot)
        guard !verdict.problems.contains(.notOpened) else {
            let problem = snapshot.errors.latest?.message ?? "no answer"
            return "\(snapshot.session.name): cannot open the stream: \(Redaction.text(problem))"
        }
        let beacons = verdict.beacons
        var parts = [plural(snapshot.counters.breaksOnAir, "break"), plural(beacons.due, "beacon") + " due"]
        if beacons.sent > 0 {
            parts.append("\(TimeText.grouped(beacons.acknowledged)) acknowledged")
            if beacons.failed > 0 { parts.append("\(TimeText.grouped(beacons.failed)) failed\(causes(snapshot))") }
            let unsent = beacons.due - beacons.sent
            if unsent > 0 { parts.append("\(TimeText.grouped(unsent)) not sent") }
        } else if beacons.due > 0 {
            parts.append(snapshot.session.mode == .observe ? "none sent (observe)" : "none sent")
        }
        return "\(snapshot.session.name): " + parts.joined(separator: ", ")
    }

    /// ` (t.example.com 503, u.example timeout)`: the causes as far as their breaks are still known, or else the hosts.
    private static func causes(_ snapshot: Snapshot) -> String {
        var counts: [String: Int] = [:]
        for event in snapshot.breaks.flatMap(\.ads).flatMap(\.events) {
            for url in event.urls where url.state == .failed || url.state == .rejected {
                let host = (try? WebURL(url.url))?.host ?? "no host"
                let cause = url.attempts.last.map { EventOutcome.status($0.exchange).string } ?? ""
                counts["\(host) \(cause)", default: 0] += 1
            }
        }
        if counts.isEmpty {
            for host in snapshot.activity.hosts where host.failed > 0 { counts[host.host] = host.failed }
        }
        guard !counts.isEmpty else { return "" }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        let more = sorted.count > named ? ", …" : ""
        return " (" + sorted.prefix(named).joined(separator: ", ") + more + ")"
    }
}
