import Live
import Ports
import Screen
import Session

/// One row for each ad and host; an ad without a beacon has one row without a host.
enum ReportCSV {
    private static let columns =
        [
            "session", "break", "breakStart", "breakSource", "ad", "adStart", "host", "due", "sent", "acknowledged",
            "failed", "unknown", "open", "observed", "skipped",
        ]
        + DelayHistogram.bounds.map { "late\($0.inMilliseconds)ms" } + ["lateMore", "provider", "serviceMode"]

    /// Passes the rows to `write`, the column titles first.
    static func write(_ report: JournalReport, to write: (String) -> Void) {
        write(CSVText.line(columns))
        for adBreak in report.breaks {
            for ad in adBreak.ads {
                let session = report.sessions[adBreak.session]
                let head = [
                    session.key, adBreak.name, adBreak.start?.iso8601 ?? "",
                    adBreak.source ?? "", ad.name, ad.start?.iso8601 ?? "",
                ]
                let hosts = ad.hosts.isEmpty ? [JournalReport.Host(name: "", tally: .init())] : ad.hosts
                for host in hosts {
                    let service = [session.provider ?? "", session.serviceMode ?? ""]
                    write(CSVText.line(head + [host.name] + figures(host.tally) + service))
                }
            }
        }
    }

    private static func figures(_ tally: JournalReport.Tally) -> [String] {
        let counts = [
            tally.due, tally.sent, tally.acknowledged, tally.failed, tally.unknown, tally.open, tally.observed,
            tally.skipped,
        ]
        return (counts + tally.lateness.counts).map(String.init)
    }
}
