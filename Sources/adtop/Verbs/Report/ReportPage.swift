import AdTracking
import Live
import Ports
import Session

/// A report as one self-contained HTML page: no script, no font, no request. It can be sent by mail.
struct ReportPage {
    /// Most rows of the tables; JSON and CSV have all rows.
    private static let breaksShown = 300
    private static let hostsShown = 100
    private static let sessionsShown = 100

    let report: JournalReport
    let since: UnixTime?
    let at: UnixTime

    var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>adtop report, \(day(at))</title>
        <style>\(ReportStyle.sheet)</style>
        </head>
        <body>
        <main>
        \(body.text)
        </main>
        </body>
        </html>

        """
    }

    private var body: HTMLText {
        [
            header, figures, section("Sessions", sessions), section("Failures", failures),
            section("Over time", course), section("Lateness", lateness),
            section("Hosts", hosts), section("Breaks and ads", breaks), section("Findings", findings),
        ].joined()
    }

    private var header: HTMLText {
        let span = report.course.stretches.isEmpty ? "" : ", first beacon \(time(report.course.start))"
        let scope = since.map { "Since \(time($0))" } ?? "Everything in the journal"
        return HTMLText(
            markup:
                "<header><h1>Ad tracking report</h1><p>\(scope)\(span). Generated \(time(at)). All times UTC.</p></header>"
        )
    }

    private var figures: HTMLText {
        let totals = report.totals
        let styles: [StateWord: String] = [
            .done: "ok", .failed: "bad", .unknown: "odd", .busy: "odd", .observed: "off", .notSent: "off",
        ]
        let due = "<li class=\"\"><b>\(totals.due.grouped)</b> due </li>"
        let items = totals.states.map { word, count in
            let share = totals.due > 0 ? "<small>\(percent(count, of: totals.due))</small>" : ""
            let style = count > 0 ? styles[word, default: ""] : ""
            return "<li class=\"\(style)\"><b>\(count.grouped)</b> \(word.rawValue) \(share)</li>"
        }
        return HTMLText(markup: "<ul class=\"cards\">\(due)\(items.joined())</ul>")
    }

    private var course: HTMLText {
        guard !report.course.stretches.isEmpty else { return none("No beacon was due.") }
        let legend = ReportCharts.course.map { "<li><i class=\"\($0.style)\"></i>\($0.name)</li>" }.joined()
        let length = report.course.length.text
        return HTMLText(
            markup: "<p>Beacons in each \(length), by send time (or the time they would have been sent).</p>")
            + HTMLText(markup: "<ul class=\"legend\">\(legend)</ul>") + ReportCharts.course(report.course)
    }

    private var lateness: HTMLText {
        let histogram = report.totals.lateness
        guard histogram.count > 0 else { return none("No beacon was sent or observed.") }
        let mean = histogram.sum.inMilliseconds / Int64(histogram.count)
        return HTMLText(
            markup: "<p>Media time between the due instant of a beacon and its send time; mean \(mean) ms.</p>")
            + ReportCharts.lateness(histogram)
    }

    private var hosts: HTMLText {
        guard !report.hosts.isEmpty else { return none("No beacon has a host.") }
        let rows = report.hosts.prefix(Self.hostsShown).map { host in
            let strip = ReportCharts.strip(host.tally.lateness)
            let lateness = HTMLText(markup: "<td>") + strip + HTMLText(markup: "</td>")
            return row([cell(host.label), lateness], host.tally)
        }
        return table(["Host", "Lateness"], rows.joined()) + rest(report.hosts.count - Self.hostsShown, "hosts")
    }

    /// Places of the breaks that the table has: the last ones with beacons that were due.
    private var shownBreaks: [Int] { dueBreaks.suffix(Self.breaksShown) }
    private var dueBreaks: [Int] { report.breaks.indices.filter { report.breaks[$0].tally.due > 0 } }

    private var failures: HTMLText {
        guard !report.failures.isEmpty else { return none("No beacon failed.") }
        return ReportFailures(report: report, linked: Set(shownBreaks)).text
    }

    /// The breaks with beacons that were due, grouped by session when there are several.
    private var breaks: HTMLText {
        let due = dueBreaks
        let idle = report.breaks.count { $0.tally.due == 0 && !$0.isBesideStream }
        let silence =
            idle > 0
            ? none("\(idle.counted("break")) without a due beacon.") : HTMLText(markup: "")
        guard !due.isEmpty else { return none("No break had a due beacon.") + silence }
        var rows = HTMLText(markup: "")
        var session: Int?
        for place in shownBreaks {
            let adBreak = report.breaks[place]
            if report.sessions.count > 1, session != adBreak.session {
                let anchor = Self.anchor(breaksOf: adBreak.session)
                rows +=
                    HTMLText(markup: "<tr class=\"session\" id=\"\(anchor)\"><th colspan=\"12\">")
                    + HTMLText(outside: report.sessions[adBreak.session].label) + HTMLText(markup: "</th></tr>")
            }
            session = adBreak.session
            rows += row(
                [
                    cell(adBreak.name),
                    plain(adBreak.start.map(time) ?? (adBreak.isBesideStream ? "beside the stream" : "")),
                ],
                adBreak.tally, style: "break",
                anchor: ReportFailures.anchor(place))
            for ad in adBreak.ads where ad.tally.due > 0 {
                rows += row([cell(ad.name, style: "ad"), plain(ad.start.map(time) ?? "")], ad.tally)
            }
        }
        return table(["Break, ad", "Start"], rows) + rest(due.count - Self.breaksShown, "earlier breaks") + silence
    }

    private var findings: HTMLText {
        guard !report.findings.isEmpty else { return none("None.") }
        let rows = report.findings.map { finding -> HTMLText in
            let style = Self.style(of: Severity(rawValue: finding.severity))
            return HTMLText(markup: "<tr><td><i class=\"\(style)\"></i>") + HTMLText(outside: finding.severity)
                + HTMLText(markup: "</td><td class=\"n\">\(finding.count)</td>") + cell(finding.rule)
                + cell(finding.message, style: "wide") + plain(time(finding.firstAt)) + plain(time(finding.lastAt))
                + HTMLText(markup: "</tr>")
        }
        return HTMLText(
            markup:
                "<div class=\"scroll\"><table><thead><tr><th>Severity</th><th class=\"n\">Count</th><th>Rule</th>"
                + "<th>Message</th><th>First</th><th>Last</th></tr></thead><tbody>")
            + rows.joined() + HTMLText(markup: "</tbody></table></div>")
    }

    private var sessions: HTMLText {
        guard !report.sessions.isEmpty else { return none("None.") }
        let linked = report.sessions.count > 1 ? Set(shownBreaks.map { report.breaks[$0].session }) : []
        let rows = report.sessions.prefix(Self.sessionsShown).enumerated().map { index, session in
            let name = HTMLText(outside: session.label)
            let link = linked.contains(index) ? HTMLText.link(to: Self.anchor(breaksOf: index), name) : name
            let first = HTMLText(markup: "<td class=\"name\">") + link + HTMLText(markup: "</td>")
            let provider = cell(session.service ?? "")
            let seen = plain(session.firstAt.map { time($0) } ?? "")
            return row([first, provider, cell(mode(of: session)), seen], session.tally)
        }
        return table(["Session", "Provider", "Mode", "First seen"], rows.joined())
            + rest(report.sessions.count - Self.sessionsShown, "sessions")
    }

    private static func anchor(breaksOf session: Int) -> String { "session-\(session + 1)" }

    // MARK: Pieces

    private func section(_ title: String, _ content: HTMLText) -> HTMLText {
        HTMLText(markup: "<section><h2>\(title)</h2>") + content + HTMLText(markup: "</section>")
    }

    /// CSS class of a severity; a journal may hold one that this version does not know.
    private static func style(of severity: Severity?) -> String {
        switch severity {
        case .error: "bad"
        case .warning: "odd"
        case .info, nil: "off"
        }
    }

    private func none(_ words: String) -> HTMLText { HTMLText(markup: "<p class=\"none\">\(words)</p>") }

    private func rest(_ count: Int, _ noun: String) -> HTMLText {
        count > 0 ? none("\(count.grouped) more \(noun), see adtop report --json.") : HTMLText(markup: "")
    }

    private func table(_ names: [String], _ rows: HTMLText) -> HTMLText {
        let figures = (["due", "sent"] + JournalReport.Tally().states.map(\.word.rawValue) + ["late > 1 s"])
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }
        let head = names.map { "<th>\($0)</th>" } + figures.map { "<th class=\"n\">\($0)</th>" } + ["<th></th>"]
        return HTMLText(
            markup: "<div class=\"scroll\"><table><thead><tr>\(head.joined())</tr></thead><tbody>")
            + rows + HTMLText(markup: "</tbody></table></div>")
    }

    private func row(
        _ cells: [HTMLText], _ tally: JournalReport.Tally, style: String = "", anchor: String? = nil
    ) -> HTMLText {
        let late = tally.lateness.counts.suffix(DelayHistogram.bounds.count - 3).reduce(0, +)
        let alarms: [StateWord: String] = [.failed: "bad", .unknown: "odd"]
        let states = tally.states.map { ($0.count, alarms[$0.word, default: ""]) }
        let figures = [(tally.due, ""), (tally.sent, "")] + states + [(late, "odd")]
        let numbers = figures.map { count, alarm in
            "<td class=\"n \(count > 0 ? alarm : "zero")\">\(count > 0 ? count.grouped : "·")</td>"
        }
        let place = anchor.map { " id=\"\($0)\"" } ?? ""
        return HTMLText(markup: "<tr class=\"\(style)\"\(place)>") + cells.joined()
            + HTMLText(markup: numbers.joined() + "<td>")
            + ReportCharts.share(tally) + HTMLText(markup: "</td></tr>")
    }

    private func cell(_ text: String, style: String = "name") -> HTMLText {
        HTMLText(markup: "<td class=\"\(style)\">") + HTMLText(outside: text) + HTMLText(markup: "</td>")
    }

    private func plain(_ text: String) -> HTMLText {
        HTMLText(markup: "<td class=\"time\">\(HTMLText.escaped(text))</td>")
    }

    private func time(_ time: UnixTime) -> String { Self.time(time) }

    /// A time of the page, in UTC.
    static func time(_ time: UnixTime) -> String {
        String(time.iso8601.prefix(19).replacing("T", with: " "))
    }

    private func day(_ time: UnixTime) -> String { String(time.iso8601.prefix(10)) }

    private func percent(_ part: Int, of whole: Int) -> String {
        let tenths = (Double(part) / Double(whole) * 1_000).rounded()
        return "\(Int(tenths) / 10).\(Int(tenths) % 10) %"
    }

    /// Retries that can send a beacon twice are part of the mode.
    private func mode(of session: JournalReport.Session) -> String {
        guard let retry = session.retry, retry != RetrySetting.safe.rawValue else { return session.mode ?? "" }
        return "\(session.mode ?? "") (retry \(retry))"
    }
}
