import ArgumentParser
import Dashboard
import Live
import Monitoring
import Ports
import Screen

/// `adtop replay FILE`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Show a recorded session again: the same screens, at any moment.",
        discussion: """
            Without --dump the session plays in the dashboard at its own pace, or faster with --speed; nothing is sent.

            Examples:
              adtop replay session.adtop
              adtop replay session.adtop --at 90s --dump --size 80x24
              adtop replay session.adtop --dump --format json

            Exit codes: 0 fine, 2 wrong usage, 4 the recording cannot be read.
            """)

    @Argument(help: "A file written by --record.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "Start (or with --dump: take the frame) this long after the recording's start.", valueName: "duration"))
    var at: String?

    @Option(help: "How many times faster than it was.")
    var speed = 1.0

    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: DumpOptions

    func run() async throws {
        let settings = try SettingsLoader(configPath: screen.config).load(flags: screen.settings, warn: Output.error)
        let recording: Recording
        do throws(FileProblem) {
            recording = try RecordingFile.read(file)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
        if recording.isTruncated {
            Output.error("\(file): the recording ends in the middle of a line; what precedes it is shown")
        }
        var replay = Replay(recording)
        guard let span = replay.span else { throw CommandFailure(.unreadable, "\(file): the recording holds no input") }
        guard speed > 0, speed <= 1_000 else {
            throw CommandFailure(.usage, "--speed '\(speed)' is not between 0 and 1000")
        }
        let start = try offset().map { span.lowerBound + $0 }
        if dump.dump {
            replay.move(toUptime: start ?? span.upperBound)
            try DumpRun.print(replay.snapshot(), plan: try dump.plan(), settings: settings)
        } else {
            let session = ReplaySession(replay, from: start ?? span.lowerBound, speed: speed)
            try await DashboardRun(settings: settings).run(session)
        }
    }

    private func offset() throws(CommandFailure) -> Duration? {
        guard let at else { return nil }
        do throws(Duration.TextProblem) {
            return try Duration(text: at)
        } catch {
            throw CommandFailure(.usage, "--at '\(at)' \(error.explanation)")
        }
    }
}
