package import AdTracking
package import Monitoring
package import Rules

/// A command line, understood.
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
    case theme(String)
    case view(DashboardView)
    case freeze, help, quit
    /// An entry of docs/rules; nil is that of the selected finding.
    case explain(RuleEntry?)
}

/// What `:set` changes.
package enum DisplaySetting: Sendable, Equatable {
    case ascii(Bool)
    case wrap(Bool)
    case times(Bool)
    case follow(Bool)
    case level(LogLevel)
    case sort(SortKey)

    /// The names with the values each takes, for errors and completion.
    static let names: [(name: String, values: [String])] = [
        ("ascii", flags), ("wrap", flags), ("times", flags), ("follow", flags),
        ("level", LogLevel.allCases.map(\.rawValue)), ("sort", SortKey.allCases.map(\.rawValue)),
    ]
    private static let flags = ["on", "off"]

    /// Reads one setting; nil for an unknown name or a value it does not take.
    init?(name: String, value: String) {
        let flag: Bool? = value == "on" ? true : value == "off" ? false : nil
        switch name {
        case "ascii": guard let flag else { return nil }; self = .ascii(flag)
        case "wrap": guard let flag else { return nil }; self = .wrap(flag)
        case "times": guard let flag else { return nil }; self = .times(flag)
        case "follow": guard let flag else { return nil }; self = .follow(flag)
        case "level": guard let level = LogLevel(rawValue: value) else { return nil }; self = .level(level)
        case "sort": guard let key = SortKey(rawValue: value) else { return nil }; self = .sort(key)
        default: return nil
        }
    }
}

/// Why a command line cannot be run; one sentence for the line itself.
package enum CommandProblem: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case missing(String, usage: String)
    case bad(String, usage: String)
    case surplus(String)
    case noPlace
    case unknownRule(String, nearest: [String])

    /// What is wrong, with the word as it was typed: it passes the sanitiser before it is shown.
    package var description: String {
        switch self {
        case .unknown(let name): "no command \"\(name)\"; Tab lists them"
        case .missing(let name, let usage): "\(name) needs \(usage)"
        case .bad(let word, let usage): "\"\(word)\" is not \(usage)"
        case .surplus(let name): "\(name) takes nothing"
        case .unknownRule(let id, let nearest):
            "no rule \"\(id)\"; \(nearest.isEmpty ? "Tab lists them" : "similar: \(nearest.joined(separator: ", "))")"
        case .noPlace: "the playhead has no date yet: only live, -30s and +30s can be reached"
        }
    }
}
