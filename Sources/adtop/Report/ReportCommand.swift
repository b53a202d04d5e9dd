import ArgumentParser
import Live
import Ports

/// `adtop report [JOURNAL]`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract:
            "Add up a journal: per break, ad and host what was due, sent, acknowledged, failed, unknown, and how late.",
        discussion: """
            Without a file: the journal in the state folder. It is only read, also while sessions write to it. Session \
            identifiers and tokens in addresses are masked unless --unredacted is given.

            Examples:
              adtop report
              adtop report session.sqlite --since 24h --html --output report.html
              adtop report --since 2027-01-01T00:00:00Z --json

            Exit codes: 0 fine, 2 wrong usage, 4 the journal cannot be read.
            """)

    @Argument(help: "A journal; without it, the one in the state folder.")
    var journal: String?

    @Option(
        help: ArgumentHelp(
            "Only from then on: a duration before now like 24h, or an ISO 8601 date.", valueName: "point"))
    var since: String?

    @Flag(help: "Print the report as JSON (schema adtop-report/1).")
    var json = false

    @Flag(help: "Print a row per break, ad and host as comma-separated values.")
    var csv = false

    @Flag(help: "Print a page with charts, of one file that needs nothing else.")
    var html = false

    @Option(name: .shortAndLong, help: ArgumentHelp("Write to this file instead.", valueName: "file"))
    var output: String?

    @Flag(help: "Keep session identifiers and tokens.")
    var unredacted = false

    mutating func validate() throws {
        if [json, csv, html].count(where: { $0 }) > 1 {
            throw ValidationError("--json, --csv and --html exclude each other")
        }
        if journal == "-" { throw ValidationError("a journal is a database, not a stream; give its file") }
    }

    func run() throws {
        let now = SystemTimeSource().now().wall
        let start = try startingPoint(now)
        let report: JournalReport
        let path = try JournalPlace.path(journal)
        do throws(FileProblem) {
            report = try JournalReader(path: path).report(since: start)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
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

    private func startingPoint(_ now: UnixTime) throws(CommandFailure) -> UnixTime? {
        guard let since else { return nil }
        if let date = UnixTime(typed: since) { return date }
        guard let span = try? Duration(text: since), span > .zero else {
            // The reason of the duration parser would mislead someone who meant a date.
            throw CommandFailure(
                .usage, "--since '\(since)' is neither a duration like 24h nor a date like 2027-01-01T00:00:00Z")
        }
        return now - span
    }
}

extension JournalReport {
    /// Without what identifies a viewer or grants access.
    fileprivate var redacted: JournalReport {
        var report = self
        for index in report.sessions.indices {
            // Of the key the address may be shown; the session's identifier follows a blank.
            let parts = report.sessions[index].key.split(separator: " ", maxSplits: 1)
            let address = parts.first.map { Redaction.url(String($0)) } ?? ""
            report.sessions[index].key = parts.count > 1 ? "\(address) \(Redaction.mask)" : address
            report.sessions[index].mediaURL = report.sessions[index].mediaURL.map(Redaction.url)
        }
        for index in report.findings.indices {
            report.findings[index].message = Redaction.text(report.findings[index].message)
        }
        return report
    }
}
