import Ports
package import Screen

/// The bindings of keys to actions. No key is hard-wired, so that everything can be remapped and help is
/// always true.
package struct Keymap: Sendable, Equatable {
    private var actions: [KeyPress: Action] = [:]
    private var keys: [Action: [KeyPress]] = [:]

    /// The standard bindings (TERM-32).
    package static let standard: Keymap = {
        var map = Keymap()
        for entry in Action.table {
            for word in entry.keys.split(separator: " ") {
                if let key = KeyPress(parsing: String(word)) { map.bind(key, to: entry.action) }
            }
        }
        return map
    }()

    private init() {}

    /// The action of that key, nil when it has none.
    package func action(for key: KeyPress) -> Action? { actions[key] }

    /// The keys of an action, preferred one first; empty when the config removed them all.
    package func keys(for action: Action) -> [KeyPress] { keys[action] ?? [] }

    /// This map with the config's `keys:` section on top: names of actions with their lists of keys in the notation
    /// of `--keys`.
    ///
    /// A list replaces the action's keys, an empty one removes them. A key given to another action is
    /// removed from its old one. What cannot be read keeps its bindings and is named in a problem.
    package func remapped(_ section: [String: [String]]) -> (map: Keymap, problems: [KeymapProblem]) {
        var map = self
        var problems: [KeymapProblem] = []
        var owners: [KeyPress: Action] = [:]
        // Sorted, because a dictionary has no order and the same file must give the same problems.
        for (name, words) in section.sorted(by: { $0.key < $1.key }) {
            guard let action = Action(rawValue: name) else {
                problems.append(.unknownAction(name))
                continue
            }
            var wanted: [KeyPress] = []
            for word in words {
                guard let key = KeyPress(parsing: word) else {
                    problems.append(.unknownKey(word, action))
                    continue
                }
                if let owner = owners[key], owner != action {
                    problems.append(.takenTwice(word, owner, action))
                } else if !wanted.contains(key) {
                    owners[key] = action
                    wanted.append(key)
                }
            }
            if wanted.isEmpty, !words.isEmpty { continue }
            map.unbindAll(of: action, except: owners)
            for key in wanted { map.bind(key, to: action) }
        }
        if map.keys(for: .quit).isEmpty {
            problems.append(.noWayOut)
            for key in Keymap.standard.keys(for: .quit) { map.bind(key, to: .quit) }
        }
        return (map, problems)
    }

    /// The keys that the config's section binds to other actions while it does not name the action that they had. Empty
    /// where the section has a problem, which comes first.
    package func taken(by section: [String: [String]]) -> [TakenKey] {
        let (map, problems) = remapped(section)
        guard problems.isEmpty else { return [] }
        var result: [TakenKey] = []
        for (name, words) in section.sorted(by: { $0.key < $1.key }) {
            guard let action = Action(rawValue: name) else { continue }
            for word in words {
                guard let key = KeyPress(parsing: word), let former = self.action(for: key), former != action,
                    section[former.rawValue] == nil
                else { continue }
                let left = map.keys(for: former).map(\.description)
                result.append(TakenKey(word: word, action: action, former: former, left: left))
            }
        }
        return result
    }

    private mutating func bind(_ key: KeyPress, to action: Action) {
        if let owner = actions[key] { keys[owner]?.removeAll { $0 == key } }
        actions[key] = action
        keys[action, default: []].append(key)
    }

    /// Keys that another line of the config has already bound keep that binding.
    private mutating func unbindAll(of action: Action, except owners: [KeyPress: Action]) {
        for key in keys(for: action) where owners[key] == nil || owners[key] == action { actions[key] = nil }
        keys[action] = []
    }
}

/// A key that the config's `keys:` section binds to another action than the standard one.
package struct TakenKey: Sendable, Equatable, CustomStringConvertible {
    /// The key as the section has it.
    package var word: String
    package var action: Action
    package var former: Action
    /// The keys that the former action keeps.
    package var left: [String]

    /// One line with what was lost, and the line of the config that says it is meant.
    package var description: String {
        let keys = left.map { key in key.allSatisfy { $0.isLetter || $0.isNumber } ? key : "\"\(key)\"" }
        return "keys: \"\(word)\" was a key of \(former.rawValue) and is one of \(action.rawValue) now; "
            + "add \(former.rawValue): [\(keys.joined(separator: ", "))] if that is intended"
    }
}

/// A problem in the config's `keys:` section.
package enum KeymapProblem: Error, Equatable, CustomStringConvertible {
    case unknownAction(String)
    case unknownKey(String, Action)
    case takenTwice(String, Action, Action)
    case noWayOut

    private static func suggestion(for name: String) -> String {
        let near = SimilarNames.nearest(to: name, in: Action.allCases.map(\.rawValue))
        return near.isEmpty ? "adtop config keys lists all" : "similar: \(near.joined(separator: ", "))"
    }

    /// One line that names the word; the word is the user's own and passes the sanitiser before it is shown.
    package var description: String {
        switch self {
        case .unknownAction(let name):
            "keys: unknown action \"\(name)\"; \(Self.suggestion(for: name))"
        case .unknownKey(let word, let action):
            "keys: \(action.rawValue): unknown key \"\(word)\"; write keys as j, G, C-d, Enter, Esc, Tab, F1, Space"
        case .takenTwice(let word, let first, let second):
            "keys: \"\(word)\" is given to both \(first.rawValue) and \(second.rawValue)"
        case .noWayOut:
            "keys: quit has no key left; it keeps its standard keys"
        }
    }
}

extension Keymap {
    /// One action of the map: the name for `keys:` in the config, its keys, and what it does.
    package struct Row: Sendable, Equatable {
        package var name: String
        /// In the notation of `--keys`, preferred one first.
        package var keys: [String]
        package var summary: String
    }

    /// Every action in the order of the help.
    package var rows: [Row] {
        Action.table.map { entry in
            Row(
                name: entry.action.rawValue, keys: keys(for: entry.action).map(\.description),
                summary: entry.summary.string)
        }
    }
}
