package import AdTracking
package import HLS
package import Ports
package import Rules
package import Screen
package import Session

/// A parsed command line.
package enum Command: Sendable, Equatable {
    case arm, observe
    case player(PlayerCommand)
    case step(Int)
    case report(UserAction)
    case retry
    case filter(String)
    case copy(CopyKind)
    case export(ExportFormat, file: String?)
    case set(DisplaySetting)
    /// Give an action a key, in place of those that it has.
    case bind(Action, KeyPress)
    case theme(String)
    /// Watch another stream.
    case open(WebURL)
    /// Show only these lines of the log.
    case log(Set<LogSource>)
    /// Show only lines of the log about the selected break, or again all.
    case logBreak
    case view(DashboardView)
    /// Another variant of the playlist; nil lists what there is.
    case variant(VariantWish?)
    /// The pane of the session: addresses, and what the settings add to requests.
    case session
    case freeze, help, quit
    /// An entry of docs/rules; nil is that of the selected finding.
    case explain(RuleEntry?)
}

/// A setting of `:set`.
package enum DisplaySetting: Sendable, Equatable {
    case ascii(Bool)
    case wrap(Bool)
    case times(Bool)
    case follow(Bool)
    case level(LogLevel)
    case sort(SortKey)
    /// The order of the table that is shown, by the name of a column.
    case column(String)

    /// The names with the values each takes, for errors and completion.
    /// - Parameter columns: those of the table that is shown; nil in a session.
    static func names(columns: [String]?) -> [(name: String, values: [String])] {
        let keys = columns ?? SortKey.allCases.map(\.rawValue)
        return [
            ("ascii", flags), ("wrap", flags), ("times", flags), ("follow", flags),
            ("level", LogLevel.allCases.map(\.rawValue)), ("sort", keys),
        ]
    }

    private static let flags = ["on", "off"]

    /// Reads one setting; nil for an unknown name or an invalid value.
    init?(name: String, value: String, columns: [String]? = nil) {
        // The config file has yes and no.
        let flag: Bool? =
            switch value {
            case "on", "yes": true
            case "off", "no": false
            default: nil
            }
        switch name {
        case "ascii": guard let flag else { return nil }; self = .ascii(flag)
        case "wrap": guard let flag else { return nil }; self = .wrap(flag)
        case "times": guard let flag else { return nil }; self = .times(flag)
        case "follow": guard let flag else { return nil }; self = .follow(flag)
        case "level": guard let level = LogLevel(rawValue: value) else { return nil }; self = .level(level)
        case "sort" where columns != nil:
            guard columns?.contains(value) == true else { return nil }
            self = .column(value)
        case "sort": guard let key = SortKey(rawValue: value) else { return nil }; self = .sort(key)
        default: return nil
        }
    }
}

/// Why a command line cannot be run.
package enum CommandProblem: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case missing(String, usage: String)
    case bad(String, usage: String)
    case surplus(String)
    case noPlace
    /// There is no playhead that could be moved.
    case notOpened
    /// A position in a recording that is not that long.
    case beyond(String, length: Duration)
    /// A command of one session, typed in the table.
    case ofSession(String)
    case unknownRule(String, nearest: [String])

    /// The problem with the word as it was typed; it passes the sanitiser before it is shown.
    package var description: String {
        switch self {
        case .ofSession(let name): ":\(name) acts on one session; open it with Enter first"
        case .unknown(let name): "\"\(Self.cut(name))\": no such command; Tab lists all"
        case .missing(let name, let usage): "usage: :\(name) \(usage)"
        case .bad(let word, let usage): "\"\(Self.cut(word))\": use \(usage)"
        case .surplus(let name): ":\(name): has no arguments"
        case .beyond(let word, let length):
            "\"\(Self.cut(word))\": the recording is \(TimeText.position(length)) long"
        case .noPlace: "seek: the playhead has no date yet; use live, -30s or +30s"
        case .notOpened: "seek: the stream is not open yet; wait for its playlist"
        case .unknownRule(let id, let nearest):
            "\"\(Self.cut(id))\": no such rule; \(nearest.isEmpty ? "Tab lists all" : "similar: \(nearest.joined(separator: ", "))")"
        }
    }

    /// A long word is known by its beginning, and the row has to hold the rest.
    private static func cut(_ word: String) -> String { word.count > 24 ? "\(word.prefix(23))…" : word }
}
