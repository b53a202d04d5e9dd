import ArgumentParser
import Ports

/// The names of the verbs, for mistyped ones.
enum VerbNames {
    /// The verbs of `adtop` itself.
    static let all = names(below: Adtop.self) + ["help"]

    /// The verbs that have verbs below them, such as `hls`, each with those.
    static let groups = Adtop.configuration.subcommands.compactMap { command -> (verb: String, verbs: [String])? in
        let below = names(below: command)
        return below.isEmpty ? nil : (name(of: command), below)
    }

    /// The error for arguments whose last verb does not exist, as in `adtop hls pars`; nil if all verbs exist, or if none is
    /// needed.
    static func failure(in arguments: [String]) -> CommandFailure? {
        var command: any ParsableCommand.Type = Adtop.self
        var path = "adtop"
        for (index, word) in arguments.enumerated() {
            if index == 0, word == "help" { continue }
            guard !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty else { return nil }
            guard let next = command.configuration.subcommands.first(where: { name(of: $0) == word }) else {
                // A URL or a file has its own error, but it is no verb after `help`.
                guard path != "adtop" || arguments.first == "help" else { return nil }
                let similar = SimilarNames.nearest(to: word, in: names(below: command), count: 1).first
                let meant = similar.map { "did you mean '\($0)'? See" } ?? "see"
                let owner = path == "adtop" ? "" : "\(path.dropFirst("adtop ".count)): "
                return CommandFailure(.usage, "\(owner)no verb '\(word)'; \(meant) \(path) --help")
            }
            command = next
            path += " \(word)"
        }
        return nil
    }

    /// The verb that the first words name, with what follows them; `watch` for the arguments of `adtop URL`. Nil for `help`
    /// and for a verb that needs another one after it.
    static func verb(in arguments: [String]) -> (type: any ParsableCommand.Type, rest: [String])? {
        var command: any ParsableCommand.Type = Adtop.self
        var rest = arguments[...]
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { name(of: $0) == word })
        {
            command = next
            rest = rest.dropFirst()
        }
        if command == Adtop.self {
            return arguments.first == "help" ? nil : (WatchCommand.self, arguments)
        }
        return command.configuration.subcommands.isEmpty ? (command, Array(rest)) : nil
    }

    private static func names(below command: any ParsableCommand.Type) -> [String] {
        command.configuration.subcommands.map(name)
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}
