import AdTracking
import Ports
import Screen
import Session

/// A beacon as Markdown for a ticket: stream, place, times, every URL with every try. Secrets are masked, and text from
/// outside cannot leave its place.
enum BeaconReport {
    static func markdown(_ event: EventView, ad: AdView?, of view: BreakView, _ snapshot: Snapshot) -> String {
        let place = [view.label, ad?.label].compactMap { $0 }.joined(separator: "/")
        let ids = [view.name, ad?.name].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " / ")
        var lines = ["# Beacon \(MarkdownText.cell(event.event)) \(event.state.word.rawValue), \(place)", ""]
        lines.append("- stream: \(MarkdownText.code(Redaction.url(snapshot.session.mediaURL)))")
        if let session = snapshot.session.manifestURL {
            lines.append("- manifest: \(MarkdownText.code(Redaction.url(session)))")
        }
        lines.append("- break / ad: \(MarkdownText.cell(ids))")
        let due = EventDetail.clockDue(event).map { ", by the clock \($0.iso8601)" } ?? ""
        lines.append("- due: \(event.start.iso8601) (media time)\(due)")
        lines.append("- state: \(event.state.word.rawValue)\(event.reasonWords.map { ", \($0.sentence)" } ?? "")")
        if let late = EventDetail.first(of: event)?.url.late {
            lines.append("- sent: \(TimeText.age(late)) after it was due")
        }
        lines.append("- mode: \(snapshot.session.mode.rawValue), reported at \(snapshot.at.wall.iso8601)")
        for (index, url) in event.urls.enumerated() { lines += section(index + 1, url, of: event, snapshot) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func section(_ number: Int, _ url: URLView, of event: EventView, _ snapshot: Snapshot) -> [String] {
        let word = event.state == .skipped && url.state == .planned ? StateWord.notSent : url.state.word
        var lines = ["", "## URL \(number) of \(event.urls.count): \(word.rawValue)", ""]
        lines.append("GET \(MarkdownText.code(Redaction.url(url.requested ?? url.url)))")
        for field in RequestFields.all(of: url, snapshot.session) { lines += ["", MarkdownText.prose(field)] }
        if let reason = url.reasonWords { lines += ["", "Reason: \(reason.sentence)"] }
        guard !url.attempts.isEmpty else { return lines }
        lines += [
            "", "| try | at (UTC) | answer | dns | connect | wait | receive | total |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for (index, attempt) in url.attempts.enumerated() { lines.append(row(index + 1, attempt)) }
        for header in url.attempts.last?.exchange?.hops.last?.fields ?? [] {
            lines += [
                "",
                "\(MarkdownText.cell(header.name)): \(MarkdownText.cell(Redaction.field(header.name, header.value)))",
            ]
        }
        if let name = try? WebURL(written: url.url).host,
            let host = snapshot.activity.hosts.first(where: { $0.host == name })
        {
            let latency = host.latency95.map { ", p95 \(TimeText.latency($0)) (time-outs counted)" } ?? ""
            let unknown = host.unknown > 0 ? ", \(host.unknown.grouped) unknown" : ""
            let counts = "\(host.acknowledged.grouped) done, \(host.failed.grouped) failed\(unknown)"
            lines += ["", "Same host: \(counts)\(latency)"]
        }
        return lines
    }

    private static func row(_ number: Int, _ attempt: AttemptView) -> String {
        guard let answer = attempt.exchange else {
            return "| \(number) | \(attempt.at.wall.iso8601) | in flight | | | | | |"
        }
        let result =
            answer.failure.map { MarkdownText.prose($0.message) } ?? answer.status.map { "\($0)" } ?? "no answer"
        let times = answer.timings
        let phases = [times.resolve, times.connect, times.wait, times.receive, times.total].map { time in
            time.map { TimeText.latency(.microseconds($0)) } ?? ""
        }
        return "| \(number) | \(attempt.at.wall.iso8601) | \(result) | \(phases.joined(separator: " | ")) |"
    }
}
