import ArgumentParser
import Dashboard
import Ports
import Screen

/// The options of a run without a terminal, which prints one frame or the model.
struct DumpOptions: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, ansi, json, svg
    }

    private static let standardSize = "120x40"

    @Flag(help: "Print one frame or the model without a terminal, then exit.")
    var dump = false

    @Flag(
        help: ArgumentHelp(
            "Announce changes as lines instead of drawing a screen, for screen readers and logs; keys are read from standard input."
        ))
    var plain = false

    @Option(help: "With --dump: output format; json has schema adtop-snapshot/1.")
    var format = Format.text

    @Option(help: ArgumentHelp("With --dump: size of the frame in columns and rows.", valueName: "COLUMNSxROWS"))
    var size = Self.standardSize

    @Option(
        help: ArgumentHelp("With --dump: print only this pane, e.g. tree.", valueName: "name"),
        completion: .list(Pane.ofSession.map(\.rawValue)))
    var pane: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("With --dump or --plain: follow the stream for this long.", valueName: "duration"))
    var duration: String?

    @Option(
        help: ArgumentHelp(
            "With --dump or --plain: follow the stream until \(DumpCondition.forms).", valueName: "event"),
        completion: .list(DumpCondition.words))
    var until: String?

    @Option(help: ArgumentHelp("With --dump: keys to press before the frame, e.g. \"j j Enter\".", valueName: "keys"))
    var keys: String?

    @Flag(help: "With --dump or --plain: do not mask session identifiers and tokens in URLs.")
    var unredacted = false

    mutating func validate() throws {
        guard !dump || !plain else {
            throw ValidationError("--plain: prints lines while --dump prints one frame at the end; give one of them")
        }
        guard !dump else { return }
        let ofFrame = [
            ("--format", format != .text), ("--size", size != Self.standardSize), ("--pane", pane != nil),
            ("--keys", keys != nil),
        ]
        if let flag = ofFrame.first(where: \.1)?.0 {
            throw ValidationError("\(flag): has an effect only with --dump; add it")
        }
        let given = [("--for", duration != nil), ("--until", until != nil), ("--unredacted", unredacted)]
        if !plain, let flag = given.first(where: \.1)?.0 {
            throw ValidationError("\(flag): has an effect only with --dump or --plain; add one of them")
        }
    }

    /// The checked options of a run without a screen; nil for the dashboard.
    func headlessPlan() throws(CommandFailure) -> DumpPlan? { dump || plain ? try plan() : nil }

    /// Rejects `--plain` in a verb that shows more than one live stream.
    func rejectPlain() throws(CommandFailure) {
        guard plain else { return }
        throw CommandFailure(.usage, "--plain: announces one live stream; give one URL, or use --dump")
    }

    /// The checked options; throws a usage error that names the flag.
    func plan() throws(CommandFailure) -> DumpPlan {
        DumpPlan(
            isPlain: plain, format: format, size: try readSize(), pane: try readPane(), duration: try readDuration(),
            condition: try readCondition(), keys: try readKeys(), isRedacted: !unredacted)
    }

    private func readSize() throws(CommandFailure) -> Size {
        let parts = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...1_000).contains(columns),
            (1...1_000).contains(rows)
        else { throw CommandFailure(.usage, "--size: '\(size)' is not COLUMNSxROWS such as 120x40, each 1 to 1000") }
        return Size(columns: columns, rows: rows)
    }

    private func readPane() throws(CommandFailure) -> Pane? {
        guard let pane else { return nil }
        if let known = Pane(rawValue: pane), Pane.ofSession.contains(known) { return known }
        let names = Pane.ofSession.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure(.usage, "--pane: '\(pane)' is not one of \(names)")
    }

    private func readDuration() throws(CommandFailure) -> Duration? {
        guard let duration else { return nil }
        do throws(Duration.TextProblem) {
            let span = try Duration(text: duration)
            guard span >= .zero else { throw Duration.TextProblem(explanation: "is negative") }
            return span
        } catch {
            throw CommandFailure(.usage, "--for: '\(duration)' \(error.explanation)")
        }
    }

    private func readCondition() throws(CommandFailure) -> DumpCondition? {
        try until.map { text throws(CommandFailure) in try DumpCondition(text) }
    }

    private func readKeys() throws(CommandFailure) -> [InputEvent] {
        guard let keys else { return [] }
        do {
            return try KeySequence.parse(keys).map(InputEvent.key)
        } catch {
            throw CommandFailure(.usage, "--keys: \(error)")
        }
    }
}

/// The checked options of `--dump`.
struct DumpPlan: Sendable {
    /// Whether changes are announced as lines, with no frame at the end.
    var isPlain = false
    var format: DumpOptions.Format
    var size: Size
    var pane: Pane?
    var duration: Duration?
    var condition: DumpCondition?
    var keys: [InputEvent]
    var isRedacted: Bool
}
