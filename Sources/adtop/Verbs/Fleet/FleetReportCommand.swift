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

            Exit codes: 0 success, 2 usage error or unknown channel, 3 store not reached or no rights, 4 no fleet.
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
        if let channel, report.sessions.isEmpty { try await require(channel, in: register) }
        try form.write(report, since: start, at: now)
    }

    /// Throws where an empty report is that of a wrong name, and not of a channel without beacons.
    private func require(_ channel: String, in register: FleetRegister) async throws {
        let names = try await withStoreProblems { () async throws(StoreProblem) in
            try await register.knows(channel) ? nil : register.namesOfChannels()
        }
        guard let names else { return }
        let similar = SimilarNames.nearest(to: channel, in: names, count: 1).first
        throw CommandFailure(
            .usage,
            "--channel: there is no '\(channel)' with viewers or beacons; "
                + (similar.map { "did you mean '\($0)'?" } ?? "see adtop fleet list"))
    }
}
