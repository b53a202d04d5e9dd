import AdTracking
package import Ports

/// Reads command lines.
package enum CommandLine {
    /// What a line means. `date` is the media date at the playhead: a time of day is meant on its day.
    package static func parse(_ line: String, date: UnixTime?) throws(CommandProblem) -> Command {
        let trimmed = line.drop { $0 == " " || $0 == ":" }
        let name = String(trimmed.prefix { $0 != " " })
        var rest = trimmed.dropFirst(name.count).drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        let argument = String(rest)
        guard let spec = CommandSpec.named(name) else { throw .unknown(name) }
        if case .none = spec.argument, !argument.isEmpty { throw .surplus(spec.name) }
        switch spec.argument {
        case .none, .text: break
        case .words, .theme, .action, .setting, .export:
            if argument.isEmpty { throw .missing(spec.name, usage: spec.usage) }
        }
        return try command(spec, argument, date: date)
    }

    private static func command(
        _ spec: CommandSpec, _ argument: String, date: UnixTime?
    ) throws(CommandProblem) -> Command {
        switch spec.name {
        case "arm": return .arm
        case "observe": return .observe
        case "play": return .player(.play)
        case "pause": return .player(.pause)
        case "seek": return .player(try SeekTarget.read(argument, date: date))
        case "rate": return .player(.rate(try rate(argument, spec)))
        case "report":
            guard let action = UserAction(rawValue: argument) else { throw bad(argument, spec, UserAction.names) }
            return .report(action)
        case "retry": return .retry
        case "filter": return .filter(argument)
        case "copy":
            guard let kind = CopyKind(rawValue: argument) else { throw .bad(argument, usage: spec.usage) }
            return .copy(kind)
        case "export": return try export(argument, spec)
        case "set": return .set(try setting(argument))
        case "theme": return .theme(argument)
        case "freeze": return .freeze
        case "help": return .help
        case "quit": return .quit
        default: throw .unknown(spec.name)
        }
    }

    /// The rates a virtual player may run at.
    private static let rates = 0.0...64.0

    private static func rate(_ text: String, _ spec: CommandSpec) throws(CommandProblem) -> Double {
        let digits = text.last == "x" ? String(text.dropLast()) : text
        guard let rate = Double(digits), rate.isFinite, rates.contains(rate) else {
            throw .bad(text, usage: "a speed from 0 to 64")
        }
        return rate
    }

    private static func export(_ text: String, _ spec: CommandSpec) throws(CommandProblem) -> Command {
        let word = String(text.prefix { $0 != " " })
        guard let format = ExportFormat(rawValue: word) else { throw .bad(word, usage: spec.usage) }
        let file = String(text.dropFirst(word.count).drop { $0 == " " })
        return .export(format, file: file.isEmpty ? nil : file)
    }

    private static func setting(_ text: String) throws(CommandProblem) -> Setting {
        let words = text.split(separator: " ").map(String.init)
        guard let known = Setting.names.first(where: { $0.name == words.first }) else {
            throw .bad(words.first ?? "", usage: Setting.names.map(\.name).joined(separator: ", "))
        }
        guard words.count > 1 else { throw .missing(known.name, usage: known.values.joined(separator: " | ")) }
        guard words.count == 2, let setting = Setting(name: known.name, value: words[1]) else {
            throw .bad(words.dropFirst().joined(separator: " "), usage: known.values.joined(separator: " | "))
        }
        return setting
    }

    private static func bad(_ word: String, _ spec: CommandSpec, _ values: [String]) -> CommandProblem {
        .bad(word, usage: values.joined(separator: " | "))
    }
}

extension UserAction {
    /// The words of `:report`.
    static let names = allCases.map(\.rawValue)
}

/// Where `:seek` goes.
enum SeekTarget {
    private static let usage = "live, -30s, +1m30s, 12:40:31 or a date"

    static func read(_ text: String, date: UnixTime?) throws(CommandProblem) -> PlayerCommand {
        if text == "live" { return .seekLive }
        if text.hasPrefix("-") || text.hasPrefix("+") {
            guard let span = span(text.dropFirst()) else { throw .bad(text, usage: usage) }
            return .seekBy(text.hasPrefix("-") ? .zero - span : span)
        }
        if let time = timeOfDay(text[...]) {
            guard let date else { throw .noPlace }
            return .seekTo(onDay(of: date, time))
        }
        guard let time = fullDate(text) else { throw .bad(text, usage: usage) }
        return .seekTo(time)
    }

    /// `30s`, `1m`, `1m30s`, `2h`, or plain seconds.
    static func span(_ text: Substring) -> Duration? {
        var total: Int64 = 0
        var rest = text
        var isFirst = true
        while !rest.isEmpty || isFirst {
            isFirst = false
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int64(digits), number <= 1_000_000 else { return nil }
            rest = rest.dropFirst(digits.count)
            let unit = rest.popFirst() ?? "s"
            switch unit {
            case "s": total += number
            case "m": total += number * 60
            case "h": total += number * 3_600
            default: return nil
            }
        }
        return .seconds(total)
    }

    /// `12:40` or `12:40:31` or `12:40:31.5` as microseconds of the day.
    private static func timeOfDay(_ text: Substring) -> Int64? {
        let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = whole[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.utf8.count) }) else { return nil }
        var fields: [Int64] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(part) else { return nil }
            fields.append(number)
        }
        guard fields[0] < 24, fields[1] < 60, fields.count < 3 || fields[2] < 60 else { return nil }
        var microseconds = (fields[0] * 3_600 + fields[1] * 60 + (fields.count > 2 ? fields[2] : 0)) * 1_000_000
        if whole.count == 2 {
            guard fields.count == 3, (1...6).contains(whole[1].utf8.count),
                whole[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let fraction = Int64(whole[1] + String(repeating: "0", count: 6 - whole[1].utf8.count))
            else { return nil }
            microseconds += fraction
        }
        return microseconds
    }

    /// The time of day nearest to `date`: around midnight that is not always its own day.
    private static func onDay(of date: UnixTime, _ timeOfDay: Int64) -> UnixTime {
        let day: Int64 = 86_400_000_000
        let midnight = date.microseconds.flooringDivision(by: day).multipliedSaturating(by: day)
        var time = midnight.addingSaturating(timeOfDay)
        let distance = time.subtractingSaturating(date.microseconds)
        if distance > day / 2 { time = time.subtractingSaturating(day) }
        if distance < -day / 2 { time = time.addingSaturating(day) }
        return UnixTime(microseconds: time)
    }

    /// `2027-01-01T00:00:00Z`, or with a blank between date and time; always UTC.
    private static func fullDate(_ text: String) -> UnixTime? {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard halves.count == 2 else { return nil }
        let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            let midnight = CivilTime(year: year, month: month, day: day).unixTime,
            let time = timeOfDay(halves[1].last == "Z" ? halves[1].dropLast() : halves[1])
        else { return nil }
        return midnight + .microseconds(time)
    }
}
