import Dashboard
import Ports
import Yams

/// The config file as texts with their positions, not yet interpreted.
struct ConfigFile: Sendable, Equatable {
    /// A scalar and its position.
    struct Entry: Sendable, Equatable {
        var text: String
        var position: FilePosition
    }

    /// The keys of one action.
    struct Binding: Sendable, Equatable {
        /// Position of the action's name.
        var position: FilePosition
        var keys: [Entry]
    }

    /// A command of the user's own on a key.
    struct Command: Sendable, Equatable {
        var key: Entry
        var words: [Entry] = []
        var usesShell = false
        var asks = true
        var summary = ""
    }

    var settings: [Setting: Entry] = [:]
    /// The user's own commands, in the order of the file.
    var commands: [Command] = []
    /// Key remappings by action name.
    var keys: [String: Binding] = [:]
    /// One line for stderr for each unknown key, which may be a typing error or belong to a newer version, and for each key of
    /// the keyboard that an action loses without being named.
    var warnings: [String] = []

    /// Reads YAML. Throws one line with file, line, column and the problem.
    init(yaml: String, path: String) throws(CommandFailure) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch {
            throw CommandFailure(.usage, Self.describe(error, path: path))
        }
        guard let root, root.null == nil else { return }
        guard let mapping = root.mapping else {
            throw Self.failure(root, path, "expected settings such as 'theme: midnight', one on each line")
        }
        for (key, value) in mapping {
            let name = key.string ?? ""
            if name == "keys" {
                try readKeys(value, path: path)
            } else if name == "commands" {
                try readCommands(value, path: path)
            } else if let setting = Setting(rawValue: name) {
                settings[setting] = Entry(
                    text: try Self.text(of: value, setting: setting, path: path), position: Self.position(value, path))
            } else {
                let known = Setting.allCases.map(\.rawValue) + ["keys", "commands"]
                let similar = SimilarNames.nearest(to: name, in: known, count: 1).first
                warnings.append("\(Self.position(key, path)): \(Setting.unknown(name, similar: similar))")
            }
        }
    }

    private mutating func readKeys(_ node: Node, path: String) throws(CommandFailure) {
        guard let mapping = node.mapping else {
            throw Self.failure(node, path, "keys: expected actions with keys such as 'quit: [Q, C-c]'")
        }
        for (key, value) in mapping {
            guard let action = key.string else { throw Self.failure(key, path, "expected an action name") }
            let nodes = value.sequence.map { Array($0) } ?? [value]
            var entries: [Entry] = []
            for node in nodes {
                guard let text = node.scalar?.string else {
                    throw Self.failure(node, path, "expected a key name such as C-d")
                }
                entries.append(Entry(text: text, position: Self.position(node, path)))
            }
            keys[action] = Binding(position: Self.position(key, path), keys: entries)
        }
        warnings += takenKeys()
    }

    private func takenKeys() -> [String] {
        Keymap.standard.taken(by: keys.mapValues { $0.keys.map(\.text) }).compactMap { key -> String? in
            guard let binding = keys[key.action.rawValue] else { return nil }
            let position = binding.keys.first { $0.text == key.word }?.position ?? binding.position
            return "\(position): \(key)"
        }
    }

    private mutating func readCommands(_ node: Node, path: String) throws(CommandFailure) {
        guard let mapping = node.mapping else {
            throw Self.failure(
                node, path, "commands: expected keys with programs such as 'F5: [notify-send, \"{host}\"]'")
        }
        for (key, value) in mapping {
            guard let text = key.string else { throw Self.failure(key, path, "expected a key name such as F5") }
            var command = Command(key: Entry(text: text, position: Self.position(key, path)))
            guard let members = value.mapping else {
                command.words = try Self.words(value, path: path)
                commands.append(command)
                continue
            }
            for (name, value) in members {
                switch name.string ?? "" {
                case "run": command.words = try Self.words(value, path: path)
                case "shell": command.usesShell = try Self.flag(value, path: path)
                case "ask": command.asks = try Self.flag(value, path: path)
                case "summary": command.summary = value.scalar?.string ?? ""
                case let other:
                    throw Self.failure(name, path, "commands: '\(other)' is not one of run, shell, ask, summary")
                }
            }
            guard !command.words.isEmpty else {
                throw Self.failure(value, path, "commands: \(text) has no run: [program]")
            }
            commands.append(command)
        }
    }

    /// A program and its arguments: a list, or one word, which is not split.
    private static func words(_ node: Node, path: String) throws(CommandFailure) -> [Entry] {
        var words: [Entry] = []
        for node in node.sequence.map({ Array($0) }) ?? [node] {
            guard let text = node.scalar?.string, !text.isEmpty else {
                throw failure(node, path, "commands: expected a program and its arguments as a list")
            }
            words.append(Entry(text: text, position: position(node, path)))
        }
        guard !words.isEmpty else {
            throw failure(node, path, "commands: expected a program and its arguments as a list")
        }
        return words
    }

    private static func flag(_ node: Node, path: String) throws(CommandFailure) -> Bool {
        switch node.scalar?.string {
        case "yes", "true", "on": return true
        case "no", "false", "off": return false
        default: throw failure(node, path, "commands: expected yes or no")
        }
    }

    /// The text of a setting. A list is allowed if the setting is one: its members are joined with commas or newlines,
    /// as the flag has them.
    private static func text(of node: Node, setting: Setting, path: String) throws(CommandFailure) -> String {
        if let scalar = node.scalar { return scalar.string }
        if let list = setting.spec.list, let sequence = node.sequence {
            var members: [String] = []
            for member in sequence {
                guard let text = member.scalar?.string else {
                    throw failure(member, path, "expected \(list.noun)")
                }
                guard list.separator != "\n" || !text.utf8.contains(0x0A) else {
                    throw failure(member, path, "expected \(list.noun) on one line")
                }
                members.append(text)
            }
            return members.joined(separator: list.separator)
        }
        throw failure(node, path, "\(setting.rawValue): expected one value")
    }

    private static func position(_ node: Node, _ path: String) -> FilePosition {
        FilePosition(path: path, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    private static func failure(_ node: Node, _ path: String, _ message: String) -> CommandFailure {
        CommandFailure(.usage, "\(position(node, path)): \(message)")
    }

    private static func describe(_ error: any Error, path: String) -> String {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "\(path):\(mark.line):\(mark.column): not valid YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            "\(path):\(context.mark.line):\(context.mark.column): repeated key: \(duplicates.map { "\($0)" }.joined(separator: ", "))"
        default:
            "\(path):1:1: not valid YAML; check that it is UTF-8 text"
        }
    }
}
