import AdTracking
import Rules
package import Screen

/// How a command line may go on: the list above it and Tab read this, from the same table as parsing and help.
package enum Completion {
    /// One way to go on.
    package struct Candidate: Sendable, Equatable {
        /// The text before the cursor once it is chosen.
        package var line: String
        /// What the list shows: a command with its arguments, or a value.
        package var title: String
        /// One clause about it; empty for a value that says it itself.
        package var summary: SafeText = .empty
        /// The action whose key does the same.
        package var action: Action?
        /// Whether an argument has to follow.
        package var needsArgument = false
        /// The theme that it would use.
        package var theme: String?
        /// Whether it is a folder, behind which names follow without a blank.
        package var isFolder = false

        /// The line once it is chosen, ready for what has to follow.
        var taken: String { needsArgument && !isFolder ? line + " " : line }
    }

    /// The ways to go on, those that begin with what was typed first, then those that contain it, then those that contain its
    /// letters in order, then commands whose sentence contains it.
    /// - Parameters:
    ///   - text: the line before the cursor.
    ///   - variants: the words for the variants of the stream.
    ///   - columns: those of the table that is shown, which has few commands; nil in a session.
    ///   - isRecording: whether a recording is shown, which has other commands than a session.
    ///   - keymap: the keys as they are bound now.
    package static func candidates(
        for text: String, themes: [String], variants: [String] = [], columns: [String]? = nil,
        isRecording: Bool = false, keymap: Keymap = .standard
    ) -> [Candidate] {
        let specs = CommandSpec.offered(isRecording: isRecording).filter { $0.isOfTable || columns == nil }
        guard let blank = text.firstIndex(of: " ") else {
            return ranked(specs.map(candidate), by: text) { $0.line }
        }
        guard let spec = specs.first(where: { $0.isNamed(text[..<blank]) }) else { return [] }
        let typed = String(text[blank...].drop { $0 == " " })
        if case .binding = spec.argument { return bindings(typed, after: text[..<blank], keymap) }
        let values = words(for: spec, typed, themes: themes, variants: variants, columns: columns).map { word in
            let theme = spec.argument.isTheme ? word : nil
            return Candidate(
                line: "\(text[..<blank]) \(word)", title: word,
                summary: theme.map(ThemeGround.summary) ?? .empty, theme: theme)
        }
        return ranked(values, by: typed) { $0.title }
    }

    /// What all candidates that begin with `text` have in common: Tab inserts it.
    package static func common(of candidates: [Candidate], from text: String) -> String {
        let lines = candidates.map(\.line).filter { $0.lowercased().hasPrefix(text.lowercased()) }
        guard var common = lines.first else { return text }
        for line in lines.dropFirst() { common = String(zip(common, line).prefix { $0 == $1 }.map(\.0)) }
        return common.count > text.count ? common : text
    }

    private static func candidate(_ spec: CommandSpec) -> Candidate {
        Candidate(
            line: spec.name, title: spec.usage.isEmpty ? spec.name : "\(spec.name) \(spec.usage)",
            summary: spec.summary, action: spec.action, needsArgument: spec.argument.isNeeded)
    }

    /// Actions with what they do and their keys; behind an action keys, those that have no action first.
    private static func bindings(_ typed: String, after command: Substring, _ keymap: Keymap) -> [Candidate] {
        guard let blank = typed.firstIndex(of: " ") else {
            let actions = Action.table.map { entry in
                Candidate(
                    line: "\(command) \(entry.action.rawValue)", title: entry.action.rawValue, summary: entry.summary,
                    action: entry.action, needsArgument: true)
            }
            return ranked(actions, by: typed) { $0.title }
        }
        let keys = offeredKeys.map { key in
            let action = keymap.action(for: key)
            return Candidate(
                line: "\(command) \(typed[..<blank]) \(key)", title: key.description,
                summary: action.map { SafeText(outside: "now \($0.rawValue)") } ?? "free")
        }
        let free = keys.filter { $0.summary.string == "free" }
        let rest = keys.filter { $0.summary.string != "free" }
        // A key is its own letter: the case counts, and nothing else is meant by it.
        let name = typed[blank...].drop { $0 == " " }
        return (free + rest).filter { $0.title.hasPrefix(name) }
    }

    /// Keys that every terminal reports as themselves.
    private static let offeredKeys: [KeyPress] = {
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let names = letters.map(String.init) + (2...12).map { "F\($0)" }
        return names.compactMap { KeyPress(parsing: $0) }
    }()

    private static func ranked(
        _ candidates: [Candidate], by typed: String, _ name: (Candidate) -> String
    ) -> [Candidate] {
        let typed = typed.lowercased()
        let ranks = candidates.map { rank(name($0).lowercased(), $0.summary.string.lowercased(), typed) }
        return (0..<4).flatMap { rank in zip(candidates, ranks).filter { $0.1 == rank }.map(\.0) }
    }

    private static func rank(_ name: String, _ summary: String, _ typed: String) -> Int? {
        if name.hasPrefix(typed) { return 0 }
        if name.contains(typed) { return 1 }
        if typed.count > 1, contains(name, lettersOf: typed) { return 2 }
        return typed.count > 2 && summary.contains(typed) ? 3 : nil
    }

    private static func contains(_ name: String, lettersOf typed: String) -> Bool {
        var rest = name[...]
        for letter in typed {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
        }
        return true
    }

    private static func words(
        for spec: CommandSpec, _ typed: String, themes: [String], variants: [String], columns: [String]?
    ) -> [String] {
        switch spec.argument {
        case .none, .text, .url, .binding: []
        case .words(let words), .optional(let words): words
        case .rule: RuleLibrary.builtIn.entries.map(\.id)
        case .variant: variants
        case .theme: themes
        case .action: UserAction.names
        case .export: ExportFormat.allCases.map(\.rawValue)
        case .setting:
            if let blank = typed.firstIndex(of: " "),
                let known = DisplaySetting.names(columns: columns).first(where: { $0.name == typed[..<blank] })
            {
                known.values.map { "\(known.name) \($0)" }
            } else {
                DisplaySetting.names(columns: columns).map(\.name)
            }
        }
    }
}
