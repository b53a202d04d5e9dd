package import Screen

/// A program of the user's own on a key, from the section `commands:` of the config file.
///
/// What the selected row has takes the place of `{url}` and the like in the arguments. It comes from outside, so it never
/// becomes part of a text that a shell reads: a script gets it as `$1`, `$2` and so on (TERM-41).
package struct UserCommand: Sendable, Equatable {
    /// What a word may name of the selected row.
    package enum Placeholder: String, Sendable, CaseIterable {
        case url, host, event, ad, `break`, stream

        /// As it is written in a word.
        package var text: String { "{\(rawValue)}" }
    }

    package var key: KeyPress
    /// The program and its arguments; for a shell, the script and its arguments.
    package var words: [String]
    package var usesShell: Bool
    /// Whether the user is asked before it runs.
    package var asks: Bool
    /// One clause for the help.
    package var summary: String

    package init(key: KeyPress, words: [String], usesShell: Bool = false, asks: Bool = true, summary: String = "") {
        (self.key, self.words, self.usesShell, self.asks) = (key, words, usesShell, asks)
        self.summary = summary.isEmpty ? words.joined(separator: " ") : summary
    }

    /// Why it cannot be run on a row.
    enum Problem: Error, Equatable {
        /// The row has no such thing.
        case missing(Placeholder)
        /// The value has control characters, or would be taken for an option.
        case unusable(Placeholder)

        var sentence: String {
            switch self {
            case .missing(.url), .missing(.host), .missing(.event):
                "the command needs a beacon's address: select a beacon"
            case .missing(let placeholder): "the command needs \(placeholder.text): select a row that has it"
            case .unusable(let placeholder):
                "the command was not run: the \(placeholder.rawValue) of this row is no safe argument"
            }
        }
    }

    /// The command with the row's values in place of the placeholders.
    func filled(_ values: [Placeholder: String]) throws(Problem) -> CommandRun {
        var arguments: [String] = []
        for word in words { arguments.append(try Self.fill(word, values)) }
        if usesShell, let script = arguments.first {
            arguments = ["/bin/sh", "-c", script, "adtop"] + arguments.dropFirst()
        }
        return CommandRun(summary: summary, arguments: arguments)
    }

    /// One pass from left to right: a value that contains a placeholder is not filled again.
    private static func fill(_ word: String, _ values: [Placeholder: String]) throws(Problem) -> String {
        var (rest, text) = (word[...], "")
        while let brace = rest.firstIndex(of: "{") {
            text += rest[..<brace]
            rest = rest[brace...]
            guard let placeholder = Placeholder.allCases.first(where: { rest.hasPrefix($0.text) }) else {
                text.append(rest.removeFirst())
                continue
            }
            guard let value = values[placeholder], !value.isEmpty else { throw .missing(placeholder) }
            let isOption = text.isEmpty && value.utf8.first == UInt8(ascii: "-")
            guard !isOption, !value.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
                throw .unusable(placeholder)
            }
            text += value
            rest = rest.dropFirst(placeholder.text.count)
        }
        return text + rest
    }
}

/// A program to start with exactly these arguments.
package struct CommandRun: Sendable, Equatable {
    /// One clause about it.
    package var summary: String
    /// The program, a path or a name to look up in PATH, and its arguments.
    package var arguments: [String]
}
