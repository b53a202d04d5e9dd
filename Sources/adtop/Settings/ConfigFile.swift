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

    var settings: [Setting: Entry] = [:]
    /// Key remappings by action name.
    var keys: [String: Binding] = [:]
    /// One line for stderr for each unknown key, which may be a typing error or belong to a newer version.
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
            } else if let setting = Setting(rawValue: name) {
                settings[setting] = Entry(
                    text: try Self.text(of: value, setting: setting, path: path), position: Self.position(value, path))
            } else {
                warnings.append("\(Self.position(key, path)): unknown setting '\(name)' ignored (see adtop config)")
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
