import ArgumentParser
import Dashboard
import Live
import Ports
import Screen
import Session

/// `adtop replay FILE`
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay a recorded session: the same screens, at any moment.",
        discussion: """
            Without --dump the session plays in the dashboard at its own speed, or faster with --speed. The commands \
            :pause, :seek -30s and :rate 4 control the replay; . and , step one input forward or back. Nothing is sent.

            Examples:
              adtop replay session.adtop
              adtop replay session.adtop --at 90s --dump --size 80x24
              adtop replay session.adtop --step 412 --dump --format json
              adtop replay session.adtop --at 90s --dump --keys ". . ."

            Exit codes: 0 success, 2 usage error, 4 unreadable recording.
            """)

    @Argument(help: "Recording, a file written by --record.", completion: .files("adtop"))
    var file: String

    @Option(
        help: ArgumentHelp(
            """
            Where the dashboard starts, or with --dump the moment of the frame: a time from the start of the recording, \
            such as 90s or 1m30s (default: its start, with --dump its end).
            """, valueName: "duration"))
    var at: String?

    @Option(
        help: ArgumentHelp(
            "Start paused, or with --dump take the frame, after this many inputs, at least 1.",
            valueName: "n"))
    var step: Int?

    @Option(help: "Speed of the replay, 0.01 to 1000; 2 is twice as fast as recorded.")
    var speed = 1.0

    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: ReplayDumpOptions

    mutating func validate() throws {
        if at != nil, step != nil { throw ValidationError("--at and --step exclude each other; give one") }
    }

    func run() async throws {
        try await ReplayRun(file: file, at: at, step: step, speed: speed, screen: screen, dump: dump).run()
    }
}

/// Replays a recording, in the dashboard or as one frame.
struct ReplayRun {
    var file: String
    var at: String?
    var step: Int?
    var speed = 1.0
    var screen: ScreenOptions
    var dump: any HeadlessOptions

    func run() async throws {
        let plan = try dump.plan(of: .recording)
        try checkSpeed()
        let start = try offset()
        var settings = try SettingsLoader(configPath: screen.config).load(flags: screen.settings, warn: Output.error)
            .screen
        let recording: Recording
        do throws(FileProblem) {
            recording = try RecordingFile.read(file)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
        settings.hiddenLog = recording.configuration.log.hidden
        if recording.isTruncated {
            Output.error("\(file): the recording is truncated; only the complete part is shown")
        }
        let replay = Replay(recording)
        guard let span = replay.span else { throw CommandFailure(.unreadable, "\(file): the recording has no input") }
        let real = plan == nil ? SystemTimeSource().now().uptime : .zero
        var player = try player(of: replay, span, from: start, real: real)
        if let plan {
            try DumpRun.print(player.snapshot(real: real), plan: plan, settings: settings, playing: player)
        } else {
            try await DashboardRun(settings: settings).run(ReplaySession(player))
        }
    }

    private func checkSpeed() throws(CommandFailure) {
        guard ReplayPlayer.speeds.contains(speed) else {
            throw CommandFailure(.usage, "--speed: '\(speed)' is not between 0.01 and 1000")
        }
        // A frame of a recording is that of one moment.
        guard dump.isDump, speed != 1 else { return }
        throw CommandFailure(
            .usage, "--speed: has no effect on a frame of a recording; omit it, or choose the moment with --at")
    }

    /// The player at `--at` or `--step`. Without them a frame shows the end of the recording, and the dashboard starts
    /// at its beginning.
    private func player(
        of replay: Replay, _ span: ClosedRange<Duration>, from offset: Duration?, real: Duration
    ) throws(CommandFailure) -> ReplayPlayer {
        if let step {
            guard (1...replay.count).contains(step) else {
                throw CommandFailure(.usage, "--step: \(step) is not 1 to \(replay.count)")
            }
            return ReplayPlayer(replay, after: step, speed: speed, real: real)
        }
        let start = offset.map { span.lowerBound + $0 } ?? (dump.isDump ? span.upperBound : span.lowerBound)
        return ReplayPlayer(replay, from: min(start, span.upperBound), speed: speed, real: real)
    }

    private func offset() throws(CommandFailure) -> Duration? {
        guard let at else { return nil }
        do throws(Duration.TextProblem) {
            let offset = try Duration(text: at)
            guard offset >= .zero else { throw Duration.TextProblem(explanation: "is negative") }
            return offset
        } catch {
            throw CommandFailure(.usage, "--at: '\(at)' \(error.explanation)")
        }
    }
}
