import ArgumentParser
import Foundation
import Ports

/// `adtop monitor`
struct MonitorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "monitor",
        abstract: "Follow many streams at once with a health table.",
        discussion: """
            FILE has one session on each line: [NAME] URL [option=value …]; # starts a comment. Options are the \
            settings of one session (adtop config), and count=N for N sessions on the same URL. Flags, environment \
            and config file apply to all sessions; the options of a line override them. All sessions share one \
            journal. --record names a folder for the recordings, NAME.adtop for each session.

            Examples:
              adtop monitor channels.txt
              adtop monitor channels.txt --dump --for 60s
              adtop monitor channels.txt --record tonight
              adtop replay tonight/ch7.adtop
              adtop monitor channels.txt --dump --for 1h --format json --metrics-port 9464
              echo 'http://127.0.0.1:8080/live/master.m3u8 count=100' | adtop monitor -

            Exit codes: 0 success, 2 usage error, 4 unreadable list, 5 an output file is incomplete. With --dump also 1 \
            some sessions were failing, over or without an answer at the end, 3 every session was, 5 interrupted.
            """)

    @Argument(help: ArgumentHelp("List of sessions; - for stdin.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp(
            "Time over which session starts are spread (default: the poll interval, or 20ms a session if longer).",
            valueName: "duration"))
    var spread: String?

    @OptionGroup(title: "Sessions") var session: SessionOptions
    // Read so that they are rejected with the reason.
    @OptionGroup(visibility: .hidden) var creatives: SessionCacheOptions
    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: TableDumpOptions

    func run() async throws {
        let start = MonitorStart(
            session: session, creatives: creatives, screen: screen, dump: dump, spread: try readSpread())
        try await start.run { () throws(CommandFailure) in
            let text = String(decoding: try InputFile.bytes(file, limit: SessionList.maximumBytes), as: UTF8.self)
            return try SessionList(text, path: file)
        }
    }

    private func readSpread() throws(CommandFailure) -> Duration? {
        guard let spread else { return nil }
        do throws(Duration.TextProblem) {
            let span = try Duration(text: spread)
            guard (.zero ... .seconds(3_600)).contains(span) else {
                throw Duration.TextProblem(explanation: "is not between 0s and 1h")
            }
            return span
        } catch {
            throw CommandFailure(.usage, "--spread: '\(spread)' \(error.explanation)")
        }
    }
}
