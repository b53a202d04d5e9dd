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
            Without --dump the session plays in the dashboard at its own pace, or faster with --speed; :pause, :seek -30s and
            :rate 4 move the replay. Nothing is sent.

            Examples:
              adtop replay session.adtop
              adtop replay session.adtop --at 90s --dump --size 80x24
              adtop replay session.adtop --step 412 --dump --format json

            Exit codes: 0 fine, 2 wrong usage, 4 the recording cannot be read.
            """)

    @Argument(help: "A file written by --record.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "Start (or with --dump: take the frame) this long after the recording's start.", valueName: "duration"))
    var at: String?

    @Option(help: ArgumentHelp("Start (or take the frame) after so many inputs.", valueName: "n"))
    var step: Int?

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
            Output.error("\(file): the recording was cut off; what precedes that is shown")
        }
        var replay = Replay(recording)
        guard let span = replay.span else { throw CommandFailure(.unreadable, "\(file): the recording holds no input") }
        guard ReplaySession.speeds.contains(speed) else {
            throw CommandFailure(.usage, "--speed '\(speed)' is not between 0.01 and 1000")
        }
        let start = try start(in: replay, span)
        if dump.dump {
            if let step { replay.move(to: step) } else { replay.move(toUptime: start ?? span.upperBound) }
            try DumpRun.print(replay.snapshot(), plan: try dump.plan(), settings: settings)
        } else {
            let session = ReplaySession(replay, from: start ?? span.lowerBound, speed: speed)
            try await DashboardRun(settings: settings).run(session)
        }
    }

    /// Uptime of `--at` or `--step`.
    private func start(in replay: Replay, _ span: ClosedRange<Duration>) throws(CommandFailure) -> Duration? {
        guard let step else { return try offset().map { span.lowerBound + $0 } }
        guard at == nil, (1...replay.count).contains(step) else {
            throw CommandFailure(.usage, "--step \(step): give 1 to \(replay.count), and no --at")
        }
        return replay.recording.inputs[step - 1].at.uptime
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
