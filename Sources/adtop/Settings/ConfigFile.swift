import Yams

/// The config file as texts with their positions, before any of them is interpreted.
struct ConfigFile: Sendable, Equatable {
    /// A scalar and where it stands.
    struct Entry: Sendable, Equatable {
        var text: String
        var position: FilePosition
    }

    /// The keys of one action.
    struct Binding: Sendable, Equatable {
        /// Of the action's name.
        var position: FilePosition
        var keys: [Entry]
    }

    var settings: [Setting: Entry] = [:]
    /// Key remappings by action name.
    var keys: [String: Binding] = [:]
    /// Unknown keys, as lines for stderr: they may be a typing error or belong to a newer version.
    var warnings: [String] = []

    /// Reads YAML. Throws the one line that says file, line, column and what is wrong.
    init(yaml: String, path: String) throws(CommandFailure) {
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch {
            throw CommandFailure(.usage, Self.describe(error, path: path))
        }
        guard let root, root.null == nil else { return }
        guard let mapping = root.mapping else {
            throw Self.failure(root, path, "expected settings like 'theme: midnight', one a line")
        }
        for (key, value) in mapping {
            let name = key.string ?? ""
            if name == "keys" {
                try readKeys(value, path: path)
            } else if let setting = Setting(rawValue: name) {
                settings[setting] = Entry(
                    text: try Self.text(of: value, setting: setting, path: path), position: Self.position(value, path))
            } else {
                warnings.append("\(Self.position(key, path)): unknown setting '\(name)' is ignored (see adtop config)")
            }
        }
    }

    private mutating func readKeys(_ node: Node, path: String) throws(CommandFailure) {
        guard let mapping = node.mapping else {
            throw Self.failure(node, path, "keys must map actions to keys, like 'quit: [Q, C-c]'")
        }
        for (key, value) in mapping {
            guard let action = key.string else { throw Self.failure(key, path, "an action name is expected") }
            let nodes = value.sequence.map { Array($0) } ?? [value]
            var entries: [Entry] = []
            for node in nodes {
                guard let text = node.scalar?.string else {
                    throw Self.failure(node, path, "a key name like C-d is expected")
                }
                entries.append(Entry(text: text, position: Self.position(node, path)))
            }
            keys[action] = Binding(position: Self.position(key, path), keys: entries)
        }
    }

    /// Lists are allowed where the setting is one: hosts read like the flag's comma-separated form, macros one a line.
    private static func text(of node: Node, setting: Setting, path: String) throws(CommandFailure) -> String {
        if let scalar = node.scalar { return scalar.string }
        let lists: [Setting: (separator: String, member: String)] = [
            .allowHost: (",", "a host name"), .macro: ("\n", "NAME=VALUE"), .slot: ("\n", "NAME=TYPE:ZONE"),
            .pluginConfig: ("\n", "PLUGIN=FILE"), .adParameter: ("\n", "KEY=VALUE"),
            .refreshHeader: (",", "a field name"), .cacheOrigin: (",", "an origin"), .cacheHost: (",", "a host name"),
        ]
        if let list = lists[setting], let sequence = node.sequence {
            var members: [String] = []
            for member in sequence {
                guard let text = member.scalar?.string else {
                    throw failure(member, path, "\(list.member) is expected")
                }
                members.append(text)
            }
            return members.joined(separator: list.separator)
        }
        throw failure(node, path, "\(setting.rawValue) takes one value")
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
            "\(path):\(mark.line):\(mark.column): not YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, let context):
            "\(path):\(context.mark.line):\(context.mark.column): repeated: \(duplicates.map { "\($0)" }.joined(separator: ", "))"
        default:
            "\(path):1:1: not YAML: \(error)"
        }
    }
}
