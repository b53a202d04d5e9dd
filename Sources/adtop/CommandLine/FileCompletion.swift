import ArgumentParser

extension CompletionKind {
    /// The shell function that completes files; `CompletionScript` defines it.
    static let fileFunction = "__adtop_files"

    /// Files with one of `suffixes` and the folders that lead to them, all files if none has one; and `words` that may be in the
    /// place of a file. The parser's own `file(extensions:)` finds nothing in subfolders in fish, and hides all other files in bash.
    static func files(_ suffixes: String..., or words: [String] = []) -> CompletionKind {
        .shellCommand(([fileFunction] + suffixes.map { ".\($0)" } + words).joined(separator: " "))
    }
    /// One of these words, or several with commas between them.
    static func commas(_ words: [String]) -> CompletionKind {
        .shellCommand((["__adtop_list"] + words).joined(separator: " "))
    }
}
