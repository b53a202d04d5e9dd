import AdTracking
import Live
import Ports
import Screen
import Session

/// A report as text.
enum ReportText {
    /// Most breaks shown; the other formats have all.
    private static let breaksShown = 50
    private static let hostsShown = 20

    static func lines(_ report: JournalReport) -> [String] {
        let breaks = report.breaks.filter { !$0.isBesideStream }
        var counts = [report.sessions.count.counted("session")]
        // Sums over all channels of a fleet are without breaks.
        if !breaks.isEmpty || report.totals.due == 0 { counts.append(breaks.count.counted("break")) }
        counts.append("\(report.totals.due.counted("beacon")) due")
        var lines = [counts.joined(separator: ", "), ""]
        lines += table("", [("all", report.totals)])
        lines += lateness(report.totals.lateness)
        lines += providers(of: report.sessions) + retries(of: report.sessions)
        lines += ["", "By host"]
        lines += table("host", report.hosts.prefix(hostsShown).map { ($0.label, $0.tally) })
        lines += more(report.hosts.count - hostsShown, "host")
        lines += places("By break", "break", breaks, of: report)
        let idle = breaks.count { $0.tally.due == 0 }
        if idle > 0 { lines.append("\(idle.counted("break")) without a due beacon") }
        lines += places(
            "Beside the stream: auctions, ad spaces, pings", "group", report.breaks.filter(\.isBesideStream), of: report
        )
        guard !report.findings.isEmpty else { return lines }
        lines += ["", "Findings"]
        lines += report.findings.map {
            "\(pad($0.severity, 8))\(pad(left: $0.count.grouped, 6))  \(safe($0.rule)): \(safe($0.message))"
        }
        return lines
    }

    /// The places with due beacons and their ads, under the session where there are several.
    private static func places(
        _ title: String, _ noun: String, _ all: [JournalReport.Break], of report: JournalReport
    ) -> [String] {
        let due = all.filter { $0.tally.due > 0 }
        guard !due.isEmpty else { return [] }
        let shown = due.suffix(breaksShown)
        var lines = ["", title]
        let width = width(of: shown.flatMap { [head($0)] + $0.ads.map { "  \($0.name)" } })
        for (session, group) in Dictionary(grouping: shown, by: \.session).sorted(by: { $0.key < $1.key }) {
            if report.sessions.count > 1 { lines += ["", safe(report.sessions[session].label)] }
            lines += table(
                noun,
                group.flatMap { adBreak in
                    [(head(adBreak), adBreak.tally)]
                        + adBreak.ads.filter { $0.tally.due > 0 }.map { ("  \($0.name)", $0.tally) }
                }, width: width)
        }
        return lines + more(due.count - breaksShown, "earlier \(noun)")
    }

    private static func head(_ adBreak: JournalReport.Break) -> String {
        [adBreak.start.map { String($0.iso8601.prefix(19)) }, adBreak.name].compactMap { $0 }.joined(separator: " ")
    }

    private static func width(of names: [String]) -> Int { min(48, max(8, names.map { safe($0).count }.max() ?? 0)) }

    private static func table(
        _ title: String, _ rows: [(name: String, tally: JournalReport.Tally)], width: Int? = nil
    ) -> [String] {
        let width = width ?? self.width(of: rows.map(\.name))
        let columns = ["due", "sent"] + JournalReport.Tally().states.map(\.word.rawValue)
        let header = pad(title, width) + columns.map { pad(left: $0, 10) }.joined()
        return [header]
            + rows.map { name, tally in
                let figures = [tally.due, tally.sent] + tally.states.map(\.count)
                return pad(safe(name), width) + figures.map { pad(left: $0.grouped, 10) }.joined()
            }
    }

    private static func lateness(_ histogram: DelayHistogram) -> [String] {
        guard histogram.count > 0 else { return [] }
        let parts = histogram.counts.enumerated().filter { $0.element > 0 }.map { bucket, count in
            "\(DelayHistogram.label(ofBucket: bucket)) \(count.grouped)"
        }
        let mean = Int(clamping: histogram.sum.inMilliseconds / Int64(histogram.count))
        return ["late: \(parts.joined(separator: ", ")); mean \(mean.grouped) ms"]
    }

    /// Whose streams they were and who reported, in the order of the names; sessions of which the journal does not know that have no line.
    private static func providers(of sessions: [JournalReport.Session]) -> [String] {
        Dictionary(grouping: sessions.compactMap(\.service), by: \.self).sorted { $0.key < $1.key }
            .map { "provider \(safe($0.key)): \($0.value.count.counted("session"))" }
    }

    /// Settings with which a beacon may reach its tracker twice, or is dropped where it could be sent.
    private static func retries(of sessions: [JournalReport.Session]) -> [String] {
        [RetrySetting.standard, .never].compactMap { setting -> String? in
            let count = sessions.count { $0.retry == setting.rawValue }
            return count > 0 ? "retry \(setting.rawValue): \(count.counted("session"))" : nil
        }
    }

    private static func more(_ number: Int, _ noun: String) -> [String] {
        number > 0 ? ["… and \(number.counted(noun)) more (see --json)"] : []
    }

    /// In full: a file and a pipe have no width, and a terminal wraps by itself. Only the columns of a table are cut.
    private static func safe(_ text: String) -> String { SafeText(outside: text).string }

    private static func pad(_ text: String, _ width: Int) -> String {
        (text.count > width ? text.prefix(width - 1) + "…" : text).padding(to: width)
    }

    private static func pad(left text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(1, width - text.count)) + text
    }
}
