import ArgumentParser

/// The completion scripts: those of the parser, and what they lack.
///
/// The parser's scripts know neither the options of `adtop URL`, whose verb is not typed, nor words with `:` and `=` in bash, nor
/// files beside words. A text is appended to them or put before their last statement.
enum CompletionScript {
    /// The verb that is meant when none is typed.
    static let defaultVerb = "watch"

    /// The shell that arguments request a script for: `--generate-completion-script SHELL`. Nil for other arguments, and for a shell
    /// that the parser reports as unknown.
    static func shell(in arguments: [String]) -> CompletionShell? {
        guard arguments.first == "--generate-completion-script" else { return nil }
        guard arguments.count == 2 else { return arguments.count == 1 ? CompletionShell.autodetected() : nil }
        return CompletionShell(rawValue: arguments[1])
    }

    /// The script for a shell.
    /// - Parameters:
    ///   - generated: the parser's script for it.
    ///   - verbs: the names of all verbs.
    static func text(_ shell: CompletionShell, generated: String, verbs: [String]) -> String {
        let words = verbs.joined(separator: " ")
        switch shell {
        case .bash: return bash(generated, words)
        case .zsh: return zsh(generated, words)
        default: return generated + "\n" + fishAddition.replacing("@VERBS@", with: words)
        }
    }

    private static func bash(_ generated: String, _ verbs: String) -> String {
        let call = /__adtop_add_completions -W "\$\(eval '(__adtop_files[^']*)'\)"/
        return generated.replacing(call) { $0.output.1 } + "\n" + bashAddition.replacing("@VERBS@", with: verbs)
    }

    private static func zsh(_ generated: String, _ verbs: String) -> String {
        let call = /\{local -a list;list=\(\$\{\(f\)"\$\((__adtop_files[^)]*)\)"\}\);_describe -V "" list\}/
        let end = "if [[ \"${funcstack[1]}\" = _adtop ]]; then"
        let addition = zshAddition.replacing("@VERBS@", with: verbs)
        return generated.replacing(call) { "{\($0.output.1)}" }.replacing(end, with: addition + "\n" + end) + "\n"
    }
}
