import ArgumentParser
import Live
import Ports
import Session

/// From when a report is, in which form and where it is written.
struct ReportForm: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Report only from this point: a duration before now such as 24h, or an ISO 8601 date.", valueName: "point"))
    var since: String?

    @Flag(help: "Print JSON (schema adtop-report/1).")
    var json = false

    @Flag(help: "Print CSV: one row for each break, ad and host.")
    var csv = false

    @Flag(help: "Print a self-contained HTML page with charts.")
    var html = false

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to this file (default stdout, also -).", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(help: "Do not mask session identifiers and tokens.")
    var unredacted = false

    mutating func validate() throws {
        if [json, csv, html].count(where: { $0 }) > 1 {
            throw ValidationError("--json, --csv and --html exclude each other; give one")
        }
    }

    /// Throws where the report would take the place of the journal that it is made from.
    func rejectOutput(to journal: String) throws(CommandFailure) {
        guard let output, WrittenFiles.place(output) == WrittenFiles.place(journal) else { return }
        throw CommandFailure(.usage, "--output: \(output) is the journal; name another file")
    }

    /// Writes the report, masked unless the user wants otherwise.
    func write(_ report: JournalReport, since start: UnixTime?, at now: UnixTime) throws(CommandFailure) {
        let shown = unredacted ? report : report.redacted
        var target = try ReportOutput(path: output)
        if json {
            ReportJSON.write(shown, since: start, at: now) { target.write($0) }
        } else if csv {
            ReportCSV.write(shown) { target.write($0) }
        } else if html {
            target.write(ReportPage(report: shown, since: start, at: now).text)
        } else {
            for line in ReportText.lines(shown) { target.write(line + "\n") }
        }
        try target.finish()
    }

    /// When the report begins; nil without a limit.
    func startingPoint(_ now: UnixTime) throws(CommandFailure) -> UnixTime? {
        guard let since else { return nil }
        // A day alone begins at midnight, UTC.
        if let date = UnixTime(typed: since) ?? UnixTime(typed: since + "T00:00:00Z") { return date }
        guard let span = try? Duration(text: since), span > .zero else {
            // The error of the duration parser would mislead a user who meant a date.
            throw CommandFailure(
                .usage, "--since: '\(since)' is neither a duration such as 24h nor a date such as 2027-01-01T00:00:00Z")
        }
        return now - span
    }
}

extension JournalReport {
    /// The report without values that identify a viewer or grant access.
    var redacted: JournalReport {
        var report = self
        for index in report.sessions.indices {
            report.sessions[index].key = Redaction.sessionKey(report.sessions[index].key)
            report.sessions[index].mediaURL = report.sessions[index].mediaURL.map(Redaction.url)
        }
        for index in report.breaks.indices {
            report.breaks[index].name = PingGroup.redacted(report.breaks[index].name)
        }
        for index in report.findings.indices {
            report.findings[index].message = Redaction.text(report.findings[index].message)
        }
        return report
    }
}
