import ArgumentParser
import Fleet
import Live
import Ports

/// `adtop fleet report`
struct FleetReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report what the whole fleet sent, and what was acknowledged, failed and late.",
        usage: "adtop fleet report [<options>]",
        discussion: """
            Over all channels it has sums for each channel and host; with --channel also for each viewer, break and ad. \
            Each beacon counts once, as its last try.

            Examples:
              adtop fleet report --since 24h
              adtop fleet report --channel ch7 --html --output ch7.html
              adtop fleet report --json

            Exit codes: 0 success, 2 usage error, 3 store not reached or no rights, 4 no fleet.
            """)

    @Option(help: ArgumentHelp("Report this channel in full (default: sums over all).", valueName: "name"))
    var channel: String?

    @OptionGroup var form: ReportForm
    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let now = SystemTimeSource().now().wall
        let start = try form.startingPoint(now)
        let register = try await store.open(for: .read)
        let report = try await withStoreProblems { () async throws(StoreProblem) in
            try await register.report(since: start, channel: channel)
        }
        try form.write(report, since: start, at: now)
    }
}
