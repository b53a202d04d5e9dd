import AdTracking
import HLS
package import Ports
import Rules
import Screen
import Session

/// Reads command lines.
package enum CommandLine {
    /// Reads a line.
    /// - Parameters:
    ///   - date: the media date at the playhead, in a recording that of its clock; a time of day is read as one of its day.
    ///   - recording: where a recording is, and how long it is; nil in a session. A time such as `1:30` is a position in it.
    ///   - columns: those of the table in which it was typed; nil in a session.
    package static func parse(
        _ line: String, date: UnixTime?, recording: (position: Duration, length: Duration)? = nil,
        columns: [String]? = nil
    ) throws(CommandProblem) -> Command {
        let trimmed = line.drop { $0 == " " || $0 == ":" }
        let name = String(trimmed.prefix { $0 != " " })
        var rest = trimmed.dropFirst(name.count).drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        let argument = String(rest)
        guard let spec = CommandSpec.named(name) else { throw .unknown(name) }
        guard spec.isOfTable || columns == nil else { throw .ofSession(spec.name) }
        if case .none = spec.argument, !argument.isEmpty { throw .surplus(spec.name) }
        if spec.argument.isNeeded, argument.isEmpty { throw .missing(spec.name, usage: spec.usage) }
        return try command(spec, argument, date: date, recording: recording, columns: columns)
    }

    private static func command(
        _ spec: CommandSpec, _ argument: String, date: UnixTime?,
        recording: (position: Duration, length: Duration)?, columns: [String]?
    ) throws(CommandProblem) -> Command {
        switch spec.name {
        case "arm": return .arm
        case "observe": return .observe
        case "play": return .player(.play)
        case "pause": return .player(.pause)
        case "seek": return .player(try SeekText.read(argument, date: date, recording: recording))
        case "rate": return .player(.setRate(try rate(argument, isRecording: recording != nil)))
        case "step":
            guard let count = argument.isEmpty ? 1 : Int(argument), count != 0 else {
                throw .bad(argument, usage: "a number of inputs such as 20 or -1")
            }
            return .step(count)
        case "report":
            guard let action = UserAction(rawValue: argument) else { throw bad(argument, spec, UserAction.names) }
            return .report(action)
        case "retry": return .retry
        case "filter": return .filter(argument)
        case "copy":
            guard let kind = CopyKind(rawValue: argument) else { throw .bad(argument, usage: spec.usage) }
            return .copy(kind)
        case "export": return try export(argument, spec)
        case "set": return .set(try setting(argument, columns: columns))
        case "bind": return try binding(argument, spec)
        case "open":
            guard let url = try? WebURL(argument) else { throw .bad(argument, usage: "an http:// or https:// URL") }
            return .open(url)
        case "theme": return .theme(argument)
        case "log" where argument == "break": return .logBreak
        case "log": return .log(try logSources(argument, spec))
        case "view":
            guard let view = DashboardView(rawValue: argument) else { throw bad(argument, spec, DashboardView.names) }
            return .view(view)
        case "variant": return .variant(argument.isEmpty ? nil : try variant(argument))
        case "session": return .session
        case "freeze": return .freeze
        case "help": return .help
        case "explain": return .explain(argument.isEmpty ? nil : try rule(argument))
        case "quit": return .quit
        default: throw .unknown(spec.name)
        }
    }

    private static func rule(_ id: String) throws(CommandProblem) -> RuleEntry {
        guard let entry = RuleLibrary.builtIn.entry(named: id) else {
            throw .unknownRule(id, nearest: RuleLibrary.builtIn.nearest(to: id))
        }
        return entry
    }

    /// `all`, or names separated by blanks.
    private static func logSources(_ text: String, _ spec: CommandSpec) throws(CommandProblem) -> Set<LogSource> {
        var sources: Set<LogSource> = []
        for word in text.split(separator: " ").map(String.init) {
            if word == "all" { return Set(LogSource.allCases) }
            guard let source = LogSource(rawValue: word) else {
                throw bad(word, spec, CommandSpec.logWords)
            }
            sources.insert(source)
        }
        return sources
    }

    private static func variant(_ text: String) throws(CommandProblem) -> VariantWish {
        guard let wish = VariantWish(text) else { throw .bad(text, usage: VariantWish.forms) }
        return wish
    }

    /// A session is played at the rates of its playhead; a recording is only shown faster or slower.
    private static func rate(_ text: String, isRecording: Bool) throws(CommandProblem) -> Double {
        let rates = isRecording ? ReplayPlayer.speeds : Playhead.rates
        let digits = text.last == "x" ? String(text.dropLast()) : text
        guard let rate = Double(digits), rate.isFinite, rates.contains(rate) else {
            throw .bad(text, usage: isRecording ? "a number from 0.01 to 1000" : "a number from 0.1 to 16")
        }
        return rate
    }

    private static func export(_ text: String, _ spec: CommandSpec) throws(CommandProblem) -> Command {
        let word = String(text.prefix { $0 != " " })
        guard let format = ExportFormat(rawValue: word) else { throw .bad(word, usage: spec.usage) }
        let file = String(text.dropFirst(word.count).drop { $0 == " " })
        return .export(format, file: file.isEmpty ? nil : file)
    }

    private static func setting(_ text: String, columns: [String]?) throws(CommandProblem) -> DisplaySetting {
        let words = text.split(separator: " ").map(String.init)
        let names = DisplaySetting.names(columns: columns)
        guard let known = names.first(where: { $0.name == words.first }) else {
            throw .bad(words.first ?? "", usage: names.map(\.name).joined(separator: ", "))
        }
        guard words.count > 1 else { throw .missing("set \(known.name)", usage: known.values.joined(separator: " | ")) }
        guard words.count == 2, let setting = DisplaySetting(name: known.name, value: words[1], columns: columns)
        else {
            throw .bad(words.dropFirst().joined(separator: " "), usage: known.values.joined(separator: " | "))
        }
        return setting
    }

    /// An action and a key in the notation of the config file.
    private static func binding(_ text: String, _ spec: CommandSpec) throws(CommandProblem) -> Command {
        let words = text.split(separator: " ").map(String.init)
        guard let action = words.first.flatMap(Action.init) else {
            throw .bad(words.first ?? "", usage: "the name of an action; Tab lists all")
        }
        guard words.count > 1 else { throw .missing("bind \(action.rawValue)", usage: "KEY") }
        guard words.count == 2, let key = KeyPress(parsing: words[1]) else {
            throw .bad(words.dropFirst().joined(separator: " "), usage: "a key such as x, G, C-d, F2 or Space")
        }
        return .bind(action, key)
    }

    private static func bad(_ word: String, _ spec: CommandSpec, _ values: [String]) -> CommandProblem {
        .bad(word, usage: values.joined(separator: " | "))
    }
}

extension UserAction {
    /// The words of `:report`.
    static let names = allCases.map(\.rawValue)
}

/// The argument of `:seek`.
enum SeekText {
    private static let usage = "live, -30s, +1m30s, 12:40:31 or a date"
    private static let usageOfRecording = "M:SS, -30s, +1m30s, 12:40:31 or a date"

    /// Reads a seek; a time of day needs `date`, the media date at the playhead. In a recording a time is a position as far as the
    /// recording is that long, and `date` is that of its clock.
    static func read(
        _ text: String, date: UnixTime?, recording: (position: Duration, length: Duration)? = nil
    ) throws(CommandProblem) -> PlayerCommand {
        if text == "live" { return .seek(.live) }
        let isRelative = text.hasPrefix("-") || text.hasPrefix("+")
        let span = try? Duration(text: text)
        // Without a sign a duration is a position in a recording, as `--at` has it, and a step forward in a session.
        let place = recording == nil ? nil : position(text) ?? (isRelative ? nil : span)
        if let recording, let place, place <= recording.length { return .seek(.by(place - recording.position)) }
        // The usage lists what is accepted; the reader's own reason would repeat half of it.
        let problem = CommandProblem.bad(text, usage: recording == nil ? usage : usageOfRecording)
        if isRelative || recording == nil, let span { return .seek(.by(span)) }
        guard !isRelative else { throw problem }
        if let time = Duration(timeOfDay: text) {
            guard let date else { throw .noPlace }
            let target = onDay(of: date, time)
            // A position that the recording does not have would otherwise be a time of day far away, and jump to an end.
            if let recording, place != nil, !isWithin(target, recording, at: date) {
                throw .beyond(text, length: recording.length)
            }
            return .seek(.date(target))
        }
        if let recording, place != nil { throw .beyond(text, length: recording.length) }
        guard let time = UnixTime(typed: text) else { throw problem }
        return .seek(.date(time))
    }

    /// Whether a date is one of the recording, whose clock is at `now`.
    private static func isWithin(
        _ date: UnixTime, _ recording: (position: Duration, length: Duration), at now: UnixTime
    ) -> Bool {
        let start = now - recording.position
        return date >= start && date <= start + recording.length
    }

    /// `M:SS` or `M:SS.s`, as the scrubber of a recording has it.
    private static func position(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.first?.isNumber == true }), let minutes = Int(parts[0]),
            let seconds = Double(parts[1]), minutes < 60, seconds < 60
        else { return nil }
        return .seconds(minutes * 60) + .seconds(seconds)
    }

    /// The time of day nearest to `date`: around midnight that is not always its own day.
    private static func onDay(of date: UnixTime, _ timeOfDay: Duration) -> UnixTime {
        let day: Int64 = 86_400_000_000
        let midnight = date.microseconds.flooringDivision(by: day).multipliedSaturating(by: day)
        var time = midnight.addingSaturating(timeOfDay.inMicroseconds)
        let distance = time.subtractingSaturating(date.microseconds)
        if distance > day / 2 { time = time.subtractingSaturating(day) }
        if distance < -day / 2 { time = time.addingSaturating(day) }
        return UnixTime(microseconds: time)
    }
}
