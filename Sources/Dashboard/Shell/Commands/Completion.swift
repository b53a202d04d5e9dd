import AdTracking
import Rules

/// The completions of Tab: continuations of the text before the cursor, from the same table as parsing and help.
package enum Completion {
    /// The possible texts before the cursor, complete and in the order of the table; empty when there are none.
    /// - Parameter variants: the words for the variants of the stream.
    package static func candidates(for text: String, themes: [String], variants: [String] = []) -> [String] {
        guard let blank = text.firstIndex(of: " ") else {
            return CommandSpec.all.map(\.name).filter { $0.hasPrefix(text) }
        }
        let name = text[..<blank]
        let typed = String(text[blank...].drop { $0 == " " })
        guard let spec = CommandSpec.named(name) else { return [] }
        if case .rule = spec.argument {
            // Ids are compared without case, so a typed one is completed as it is written.
            let lower = typed.lowercased()
            return RuleLibrary.builtIn.entries.map(\.id).filter { $0.lowercased().hasPrefix(lower) }
                .map { "\(name) \($0)" }
        }
        if case .variant = spec.argument { return variants.filter { $0.hasPrefix(typed) }.map { "\(name) \($0)" } }
        return words(for: spec, typed, themes).filter { $0.hasPrefix(typed) }.map { "\(name) \($0)" }
    }

    private static func words(for spec: CommandSpec, _ typed: String, _ themes: [String]) -> [String] {
        switch spec.argument {
        case .none, .text, .rule, .variant: []
        case .words(let words), .optional(let words): words
        case .theme: themes
        case .action: UserAction.names
        case .export: ExportFormat.allCases.map(\.rawValue)
        case .setting:
            if let blank = typed.firstIndex(of: " "),
                let known = DisplaySetting.names.first(where: { $0.name == typed[..<blank] })
            {
                known.values.map { "\(known.name) \($0)" }
            } else {
                DisplaySetting.names.map(\.name)
            }
        }
    }
}
