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
            :rate 4 move the replay, . and , go one input on and back. Nothing is sent.

            Examples:
              adtop replay session.adtop
              adtop replay session.adtop --at 90s --dump --size 80x24
              adtop replay session.adtop --step 412 --dump --format json
              adtop replay session.adtop --at 90s --dump --keys ". . ."

            Exit codes: 0 fine, 2 wrong usage, 4 the recording cannot be read.
            """)

    @Argument(help: "A file written by --record.")
    var file: String

    @Option(
        help: ArgumentHelp(
            "Start (or with --dump: take the frame) this long after the recording's start.", valueName: "duration"))
    var at: String?

    @Option(help: ArgumentHelp("Start paused (or take the frame) after so many inputs.", valueName: "n"))
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
        let replay = Replay(recording)
        guard let span = replay.span else { throw CommandFailure(.unreadable, "\(file): the recording holds no input") }
        guard ReplayPlayer.speeds.contains(speed) else {
            throw CommandFailure(.usage, "--speed '\(speed)' is not between 0.01 and 1000")
        }
        let real = dump.dump ? .zero : SystemTimeSource().now().uptime
        var player = try player(of: replay, span, real: real)
        if dump.dump {
            try DumpRun.print(
                player.snapshot(real: real), plan: try dump.plan(), settings: settings, playing: player)
        } else {
            try await DashboardRun(settings: settings).run(ReplaySession(player))
        }
    }

    /// At `--at` or `--step`; without them a frame is that of the end, and the dashboard begins at the start.
    private func player(
        of replay: Replay, _ span: ClosedRange<Duration>, real: Duration
    ) throws(CommandFailure) -> ReplayPlayer {
        if let step {
            guard at == nil, (1...replay.count).contains(step) else {
                throw CommandFailure(.usage, "--step \(step): give 1 to \(replay.count), and no --at")
            }
            return ReplayPlayer(replay, after: step, real: real)
        }
        let start = try offset().map { span.lowerBound + $0 } ?? (dump.dump ? span.upperBound : span.lowerBound)
        return ReplayPlayer(replay, from: min(start, span.upperBound), speed: speed, real: real)
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
