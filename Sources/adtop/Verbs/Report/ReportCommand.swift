import ArgumentParser
import Live
import Ports

/// `adtop report [JOURNAL]`
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract:
            "Report what was due, sent, acknowledged, failed and late, per break, ad and host.",
        usage: "adtop report [<options>] [<journal>]",
        discussion: """
            The journal is only read; sessions may write to it at the same time. Session identifiers and tokens in \
            URLs are masked unless --unredacted is given.

            Examples:
              adtop report
              adtop report session.sqlite --since 24h --html --output report.html
              adtop report --since 2027-01-01T00:00:00Z --json

            Exit codes: 0 success, 2 usage error, 4 unreadable journal.
            """)

    @Argument(help: "Journal file (default $XDG_STATE_HOME/adtop/journal.sqlite).", completion: .files("sqlite"))
    var journal: String?

    @OptionGroup var form: ReportForm

    mutating func validate() throws {
        if journal == "-" {
            throw ValidationError("-: a journal is a database and cannot be read from stdin; give its file")
        }
    }

    func run() throws {
        let now = SystemTimeSource().now().wall
        let start = try form.startingPoint(now)
        let report: JournalReport
        let path = try JournalPlace.path(journal, or: "name a journal")
        try form.rejectOutput(to: path)
        do throws(FileProblem) {
            report = try JournalReader(path: path).report(since: start)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
        try form.write(report, since: start, at: now)
    }
}
