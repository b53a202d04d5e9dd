package import Screen
import Session

/// A command of the `:` line as data: parsing, help and completion all read this table.
package struct CommandSpec: Sendable {
    /// The kinds of arguments.
    enum Argument: Sendable {
        case none
        /// One of these words.
        case words([String])
        /// A word like these, or nothing.
        case optional([String])
        /// The id of a rule, or nothing.
        case rule
        /// A variant of the playlist, or nothing.
        case variant
        /// A theme's name.
        case theme
        case action
        /// Anything up to the end of the line.
        case text
        /// A URL.
        case url
        /// A pair `NAME VALUE` of `:set`.
        case setting
        /// A format and a file name.
        case export
        /// The name of an action and a key.
        case binding

        /// Whether a line without it is no command.
        var isNeeded: Bool {
            switch self {
            case .none, .text, .optional, .rule, .variant: false
            case .words, .theme, .action, .setting, .export, .url, .binding: true
            }
        }

        var isTheme: Bool {
            if case .theme = self { true } else { false }
        }
    }

    /// Where a command has an effect: nothing can be changed or sent in a recording, and a session has no inputs to step through.
    enum Place: Sendable {
        case everywhere, session, recording
    }

    /// The word that is typed.
    package let name: String
    /// Other names of the command.
    let aliases: [String]
    /// Arguments as help shows them.
    package let usage: String
    /// One clause for help and the list of commands: beside a key in at most ``CommandList/sentence`` columns.
    package let summary: SafeText
    /// The kind of its argument.
    let argument: Argument
    /// The action whose key does the same.
    let action: Action?
    /// Whether it means something in the table of sessions, too.
    let isOfTable: Bool
    /// Where it has an effect.
    let place: Place

    private init(
        _ name: String, _ usage: String, _ summary: SafeText, _ argument: Argument = .none, key action: Action? = nil,
        ofTable isOfTable: Bool = false, in place: Place = .everywhere, aliases: [String] = []
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.argument = argument
        self.action = action
        self.isOfTable = isOfTable
        self.place = place
        self.aliases = aliases
    }

    /// Every command, in the order help shows them.
    package static let all: [CommandSpec] = [
        CommandSpec("arm", "", "send real beacons from now on (asks first)", in: .session),
        CommandSpec("observe", "", "send no beacons from now on", in: .session),
        CommandSpec(
            "seek", "-30s | +1m | 12:40:31 | DATE | live", "move the virtual player", .words(["live", "-30s", "+30s"])),
        CommandSpec("rate", "NUMBER", "set the speed, 0.1 to 16; of a recording to 1000", .words(["1", "2", "0.5"])),
        CommandSpec("play", "", "resume the virtual player, without a beacon"),
        CommandSpec("pause", "", "pause the virtual player, without a beacon"),
        CommandSpec(
            "step", "[NUMBER | -NUMBER]", "replay: step forward or back", .optional(["1", "-1", "20"]),
            in: .recording),
        CommandSpec("report", "ACTION", "report a viewer's action for the ad on air", .action, in: .session),
        CommandSpec("retry", "", "retry the failed beacons of the selection", key: .retry, in: .session),
        CommandSpec(
            "filter", "[TEXT]", "filter the focused pane; empty text clears it", .text, key: .filter,
            ofTable: true),
        CommandSpec(
            "copy", "url | curl | json | report", "copy the selected event", .words(["url", "curl", "json", "report"])),
        CommandSpec(
            "export", "json | csv | text | svg [FILE]", "write the session or the screen to a file", .export,
            key: .export),
        CommandSpec("set", "NAME VALUE", "ascii, wrap, times, follow, level, sort", .setting, ofTable: true),
        CommandSpec(
            "bind", "ACTION KEY", "give an action another key, until adtop ends", .binding, ofTable: true),
        CommandSpec(
            "log", "all | break | SOURCE …", "show only these lines, and warnings and errors", .words(logWords),
            ofTable: true),
        CommandSpec("theme", "NAME", "use another theme", .theme, key: .theme, ofTable: true),
        CommandSpec(
            "view", DashboardView.names.joined(separator: " | "), "choose the main view",
            .words(DashboardView.names)),
        CommandSpec(
            "variant", "[best | worst | HEIGHT | BANDWIDTH | URI]", "follow another variant, or list them", .variant),
        CommandSpec("open", "URL", "end this session and watch another stream", .url, key: .openURL, in: .session),
        CommandSpec("session", "", "show addresses, and header fields by host", key: .paneSession),
        CommandSpec("freeze", "", "freeze or resume the display", key: .freeze, in: .session),
        CommandSpec("explain", "[RULE]", "show a rule, or that of the selected finding", .rule),
        CommandSpec("help", "", "keys and commands", key: .help, ofTable: true, aliases: ["h"]),
        CommandSpec("quit", "", "quit", key: .quit, ofTable: true, aliases: ["q", "exit"]),
    ]

    /// The words of `:log`.
    static let logWords = ["all", "break"] + LogSource.allCases.map(\.rawValue)

    /// The commands for help and completion: those that have an effect.
    static func offered(isRecording: Bool) -> [CommandSpec] {
        all.filter { $0.place == .everywhere || ($0.place == .recording) == isRecording }
    }

    /// The command of that name or alias.
    static func named(_ name: some StringProtocol) -> CommandSpec? {
        all.first { $0.isNamed(name) }
    }

    /// Whether that is its name or an alias.
    func isNamed(_ word: some StringProtocol) -> Bool { name == word || aliases.contains(String(word)) }
}
