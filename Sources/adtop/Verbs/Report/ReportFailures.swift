import Live
import Ports

/// The failed beacons of the page, grouped by host and cause, with links to the breaks in which they failed.
struct ReportFailures {
    /// Most hosts, and most links of a cause.
    private static let hostsShown = 50
    private static let linksShown = 20

    let report: JournalReport
    /// Places of the breaks that have a row on the page.
    let linked: Set<Int>

    /// The row of a break.
    static func anchor(_ place: Int) -> String { "break-\(place + 1)" }

    var text: HTMLText {
        let tables = hosts.prefix(Self.hostsShown).map(table)
        let more = hosts.count - Self.hostsShown
        return tables.joined()
            + HTMLText(markup: more > 0 ? "<p class=\"none\">\(more) more hosts, see Hosts.</p>" : "")
    }

    /// The failures of each host; those of one host follow each other.
    private var hosts: [[JournalReport.Failure]] {
        report.failures.reduce(into: []) { hosts, failure in
            if let last = hosts.indices.last, hosts[last].first?.host == failure.host {
                hosts[last].append(failure)
            } else {
                hosts.append([failure])
            }
        }
    }

    private func table(of failures: [JournalReport.Failure]) -> HTMLText {
        let count = failures.reduce(0) { $0 + $1.count }
        let head = ["Cause", "First", "Last", "Breaks"].map { "<th>\($0)</th>" }
        return HTMLText(markup: "<h3>") + HTMLText(outside: failures.first?.host ?? "")
            + HTMLText(markup: " <small>\(count) failed</small></h3><div class=\"scroll\"><table><thead><tr>")
            + HTMLText(markup: "<th class=\"n\">Count</th>\(head.joined())</tr></thead><tbody>")
            + failures.map(row).joined() + HTMLText(markup: "</tbody></table></div>")
    }

    private func row(_ failure: JournalReport.Failure) -> HTMLText {
        let cause = failure.status.map { "status \($0)" } ?? "no usable answer"
        let times = [failure.firstAt, failure.lastAt].map { "<td class=\"time\">\(ReportPage.time($0))</td>" }
        return HTMLText(markup: "<tr><td class=\"n bad\">\(failure.count)</td><td>\(cause)</td>\(times.joined())")
            + HTMLText(markup: "<td class=\"wide\">") + breaks(of: failure) + HTMLText(markup: "</td></tr>")
    }

    /// The newest breaks have a row, so the newest are named.
    private func breaks(of failure: JournalReport.Failure) -> HTMLText {
        let shown = failure.breaks.filter(report.breaks.indices.contains).suffix(Self.linksShown)
        let earlier = failure.breaks.count - shown.count
        var text = HTMLText(markup: earlier > 0 ? "\(earlier) earlier, " : "")
        for (index, place) in shown.enumerated() {
            let name = HTMLText(outside: report.breaks[place].name, columns: 48)
            text += HTMLText(markup: index > 0 ? ", " : "")
            text += linked.contains(place) ? HTMLText.link(to: Self.anchor(place), name) : name
        }
        return text
    }
}
