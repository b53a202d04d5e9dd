import ArgumentParser
import Fleet
import Live
import Ports

/// `adtop fleet add FILE|URL…`
struct FleetAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add channels to the fleet's list, or change them.",
        discussion: """
            A file has one channel on each line: [NAME] URL [option=value …]; # starts a comment. Options are the \
            settings of one session (adtop config), viewers=N (in each region), regions=A,B and labels=A,B. A name that is \
            in the list changes that channel. Nothing is added if a line is wrong.

            Examples:
              adtop fleet add channels.txt
              adtop fleet add https://example.com/live/master.m3u8
              echo 'ch7 https://example.com/7.m3u8 viewers=3' | adtop fleet add -

            Exit codes: 0 success, 2 usage error, 3 store not reached or no rights, 4 unreadable list or no fleet.
            """)

    @Argument(
        help: ArgumentHelp("Lists of channels (- for stdin), or URLs.", valueName: "file|url"), completion: .file())
    var places: [String]

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let list = try ChannelList(places) { path throws(CommandFailure) in
            try InputFile.bytes(path, limit: SessionList.maximumChannelBytes)
        }
        let register = try await store.open(for: .operate)
        let change = try await withStoreProblems { () async throws(StoreProblem) in
            try await register.add(list.channels)
        }
        Output.line(change.words)
    }
}

/// `adtop fleet rm NAME…`
struct FleetRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove channels from the fleet's list.",
        discussion: """
            Their viewers end at the next beat of their agents. What was claimed remains in reports. Nothing is removed if \
            a name is not in the list.

            Examples:
              adtop fleet rm ch7 ch8

            Exit codes: 0 success, 2 usage error or unknown name, 3 store not reached or no rights, 4 no fleet.
            """)

    @Argument(help: "Names of channels.") var names: [String]

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let register = try await store.open(for: .operate)
        let known = try await withStoreProblems { () async throws(StoreProblem) in try await register.channels() }
        let inList = Set(known.map(\.name))
        if let name = names.first(where: { !inList.contains($0) }) {
            let similar = SimilarNames.nearest(to: name, in: known.map(\.name), count: 1).first
            throw CommandFailure(
                .usage,
                "'\(name)': not in the list; \(similar.map { "did you mean '\($0)'?" } ?? "see adtop fleet list")")
        }
        let count = try await withStoreProblems { () async throws(StoreProblem) in try await register.remove(names) }
        Output.line("\(count.grouped) removed, \((known.count - count).grouped) left")
    }
}

/// `adtop fleet list`
struct FleetListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the fleet's list in the form that add reads.",
        discussion: """
            Session identifiers and tokens in URLs, and values of headers, cookies and keys in options, are masked \
            unless --unredacted is given.

            Examples:
              adtop fleet list
              adtop fleet list --unredacted > channels.txt
              adtop fleet list --json

            Exit codes: 0 success, 2 usage error, 3 store not reached or no rights, 4 no fleet.
            """)

    @Flag(help: "Print JSON (schema adtop-fleet-list/1).") var json = false
    @Flag(help: "Do not mask session identifiers, tokens, headers and cookies.") var unredacted = false

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let register = try await store.open(for: .operate)
        var channels = try await withStoreProblems { () async throws(StoreProblem) in try await register.channels() }
        if !unredacted { channels = channels.map(ChannelLine.masked) }
        guard !json else {
            let value: JSONValue = ["schema": "adtop-fleet-list/1", "channels": .array(channels.map(\.json))]
            Output.write(value.text(indented: true) + "\n")
            return
        }
        for channel in channels { Output.line(ChannelLine.text(channel)) }
    }
}

/// A channel as a line of a list.
enum ChannelLine {
    /// The line that `adtop fleet add` reads as the same channel.
    static func text(_ channel: FleetChannel) -> String {
        var words = [word(channel.name), word(channel.url)]
        if channel.viewers != 1 { words.append("viewers=\(channel.viewers)") }
        if channel.regions != [""] { words.append(word("regions=\(channel.regions.joined(separator: ","))")) }
        if !channel.labels.isEmpty { words.append(word("labels=\(channel.labels.joined(separator: ","))")) }
        // An option that a line repeats has a value on each line of its text.
        words += channel.options.sorted { $0.key < $1.key }.flatMap { option in
            option.value.split(separator: "\n").map { word("\(option.key)=\($0)") }
        }
        return words.joined(separator: " ")
    }

    /// The channel for output: what may be secret in its URL and in its options is masked.
    static func masked(_ channel: FleetChannel) -> FleetChannel {
        var masked = channel
        masked.url = Redaction.url(channel.url)
        for (name, text) in channel.options {
            // Each line of an option that a line of the list repeats stays one.
            let lines = text.split(separator: "\n").map { line in
                Setting(rawValue: name)?.masked(String(line)) ?? Redaction.text(String(line))
            }
            masked.options[name] = lines.joined(separator: "\n")
        }
        return masked
    }

    /// A word as a list has it. Backslashes at the end follow the closing mark, which they would make part of the word.
    private static func word(_ text: String) -> String {
        var word = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "\"" { word.append("\\") }
            word.append(scalar)
        }
        let needsMarks = word.isEmpty || word.first == "#" || word.contains { $0.properties.isWhitespace }
        guard needsMarks else { return String(word) }
        let tail = word.reversed().prefix { $0 == "\\" }.count
        return "\"\(String(word.dropLast(tail)))\"" + String(repeating: "\\", count: tail)
    }
}
