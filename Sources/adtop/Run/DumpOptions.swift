import ArgumentParser
import Dashboard
import Ports
import Screen

/// `--dump` and what shapes its frame: every verb that draws has them.
struct FrameOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, ansi, json, svg
    }

    static let standardSize = "120x40"

    @Flag(help: "Print one frame or the model without a terminal, then exit.")
    var dump = false

    @Option(help: "With --dump: output format; json prints the model.")
    var format = Format.text

    @Option(help: ArgumentHelp("With --dump: size of the frame in columns and rows.", valueName: "COLUMNSxROWS"))
    var size = Self.standardSize

    @Option(help: ArgumentHelp("With --dump: keys to press before the frame, e.g. \"j j Enter\".", valueName: "keys"))
    var keys: String?

    @Flag(help: "Without the dashboard: do not mask session identifiers and tokens in URLs.")
    var unredacted = false
}

/// `--pane`, where one session is drawn.
struct PaneOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("With --dump: print only this pane, e.g. tree.", valueName: "name"),
        completion: .list(Pane.ofSession.map(\.rawValue)))
    var pane: String?
}

/// `--for`, of verbs that follow a stream or replay one.
struct SpanOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Without the dashboard: follow for this long, then exit.", valueName: "duration"))
    var duration: String?
}

/// `--until` and `--plain`, where one live stream is followed.
struct LiveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --dump or --plain: follow the stream until \(DumpCondition.forms).", valueName: "event"),
        completion: .list(DumpCondition.words))
    var until: String?

    @Flag(
        help: ArgumentHelp(
            "Announce changes as lines instead of drawing a screen, for screen readers and logs; keys are read from standard input."
        ))
    var plain = false
}

/// The options of a run without a terminal. A verb reads all, so that those that have no effect on it are rejected with the reason;
/// its help lists the others.
protocol HeadlessOptions: ParsableArguments {
    var frame: FrameOptions { get }
    var panes: PaneOptions { get }
    var span: SpanOptions { get }
    var live: LiveOptions { get }
}

/// Those of one live stream.
struct DumpOptions: HeadlessOptions {
    @OptionGroup var frame: FrameOptions
    @OptionGroup var panes: PaneOptions
    @OptionGroup var span: SpanOptions
    @OptionGroup var live: LiveOptions
}

/// Those of a table: of many streams, or of a fleet.
struct TableDumpOptions: HeadlessOptions {
    @OptionGroup var frame: FrameOptions
    @OptionGroup var span: SpanOptions
    @OptionGroup(visibility: .hidden) var panes: PaneOptions
    @OptionGroup(visibility: .hidden) var live: LiveOptions
}

/// Those of a recording.
struct ReplayDumpOptions: HeadlessOptions {
    @OptionGroup var frame: FrameOptions
    @OptionGroup var panes: PaneOptions
    @OptionGroup(visibility: .hidden) var span: SpanOptions
    @OptionGroup(visibility: .hidden) var live: LiveOptions
}

/// What is shown without a terminal. Some options have no effect on some of it.
enum DumpSubject {
    case stream, streams, recording, fleet

    /// Why a flag has no effect; nil for one that has.
    fileprivate func problem(of flag: String) -> String? {
        switch (self, flag) {
        case (.stream, _): nil
        case (_, "--plain"): "announces one live stream; give one URL, or use --dump"
        case (.recording, "--for"), (.recording, "--until"):
            "has no effect on a recording; omit it, or choose the moment with 'adtop replay --at'"
        case (.streams, "--until"), (.fleet, "--until"): "needs a single stream; use --for"
        case (.streams, "--pane"), (.fleet, "--pane"): "needs a single stream; open a session with --keys"
        default: nil
        }
    }
}

extension HeadlessOptions {
    /// Whether one frame or the model is printed.
    var isDump: Bool { frame.dump }

    /// The checked options; nil for the dashboard. Throws a usage error that names the flag, for one without effect too.
    /// - Parameter events: the value of `--events`.
    func plan(of subject: DumpSubject, events: String? = nil) throws(CommandFailure) -> DumpPlan? {
        for flag in given {
            if let problem = subject.problem(of: flag) { throw CommandFailure(.usage, "\(flag): \(problem)") }
        }
        guard !isDump || !live.plain else {
            throw CommandFailure(
                .usage, "--plain: prints lines while --dump prints one frame at the end; give one of them")
        }
        if let flag = given.first(where: { Self.ofFrame.contains($0) }) { try checkFrame(flag, events) }
        guard isDump || live.plain else {
            guard let flag = given.first else { return nil }
            let remedy = subject == .stream ? "--dump or --plain; add one of them" : "--dump; add it"
            throw CommandFailure(.usage, "\(flag): has an effect only with \(remedy)")
        }
        return DumpPlan(
            isPlain: live.plain, format: frame.format, size: try readSize(), pane: try readPane(),
            duration: try readDuration(), condition: try readCondition(), keys: try readKeys(),
            isRedacted: !frame.unredacted)
    }

    /// The flags that are given, but for `--dump`.
    private var given: [String] {
        let flags = [
            ("--plain", live.plain), ("--format", frame.format != .text),
            ("--size", frame.size != FrameOptions.standardSize), ("--pane", panes.pane != nil),
            ("--keys", frame.keys != nil), ("--for", span.duration != nil), ("--until", live.until != nil),
            ("--unredacted", frame.unredacted),
        ]
        return flags.filter(\.1).map(\.0)
    }

    /// The flags that shape the frame.
    private static var ofFrame: [String] { ["--format", "--size", "--pane", "--keys"] }

    /// Throws where a flag shapes a frame that is not printed.
    private func checkFrame(_ flag: String, _ events: String?) throws(CommandFailure) {
        guard isDump else { throw CommandFailure(.usage, "\(flag): has an effect only with --dump; add it") }
        if events == "-" {
            throw CommandFailure(
                .usage, "\(flag): has no effect with --events -, which prints no frame; give the events a file")
        }
        if panes.pane != nil, frame.format == .json {
            throw CommandFailure(.usage, "--pane: has no effect with --format json; omit one of them")
        }
    }

    private func readSize() throws(CommandFailure) -> Size {
        let parts = frame.size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...1_000).contains(columns),
            (1...1_000).contains(rows)
        else {
            throw CommandFailure(
                .usage, "--size: '\(frame.size)' is not COLUMNSxROWS such as 120x40, each 1 to 1000")
        }
        return Size(columns: columns, rows: rows)
    }

    private func readPane() throws(CommandFailure) -> Pane? {
        guard let pane = panes.pane else { return nil }
        if let known = Pane(rawValue: pane), Pane.ofSession.contains(known) { return known }
        let names = Pane.ofSession.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure(.usage, "--pane: '\(pane)' is not one of \(names)")
    }

    private func readDuration() throws(CommandFailure) -> Duration? {
        guard let duration = span.duration else { return nil }
        do throws(Duration.TextProblem) {
            let span = try Duration(text: duration)
            guard span >= .zero else { throw Duration.TextProblem(explanation: "is negative") }
            return span
        } catch {
            throw CommandFailure(.usage, "--for: '\(duration)' \(error.explanation)")
        }
    }

    private func readCondition() throws(CommandFailure) -> DumpCondition? {
        try live.until.map { text throws(CommandFailure) in try DumpCondition(text) }
    }

    private func readKeys() throws(CommandFailure) -> [InputEvent] {
        guard let keys = frame.keys else { return [] }
        do {
            return try KeySequence.parse(keys).map(InputEvent.key)
        } catch {
            throw CommandFailure(.usage, "--keys: \(error)")
        }
    }
}

/// The checked options of a run without a terminal.
struct DumpPlan: Sendable {
    /// Whether changes are announced as lines, with no frame at the end.
    var isPlain = false
    var format: FrameOptions.Format
    var size: Size
    var pane: Pane?
    var duration: Duration?
    var condition: DumpCondition?
    var keys: [InputEvent]
    var isRedacted: Bool
}
