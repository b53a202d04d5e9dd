import ArgumentParser

/// The completion scripts: those of the parser, and what they lack.
///
/// The parser's scripts know neither the options of `adtop URL`, whose verb is not typed, nor words with `:` and `=` in bash, nor
/// files beside words, nor lists, nor the verbs behind `help`. A text is appended to them or put before their last statement.
enum CompletionScript {
    /// The shell that arguments request a script for: `--generate-completion-script SHELL`. Nil for other arguments, and for a shell
    /// that the parser reports as unknown.
    static func shell(in arguments: [String]) -> CompletionShell? {
        guard arguments.first == option else { return nil }
        guard arguments.count == 2 else { return arguments.count == 1 ? CompletionShell.autodetected() : nil }
        return CompletionShell(rawValue: arguments[1])
    }

    /// What is wrong with arguments that request a script for a shell that the parser does not know.
    static func failure(in arguments: [String]) -> CommandFailure? {
        guard arguments.first == option, arguments.count <= 2, shell(in: arguments) == nil else { return nil }
        let names = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
        let problem = arguments.count == 2 ? "'\(arguments[1])' is not one of" : "the shell is not known; give one of"
        return CommandFailure(.usage, "\(option): \(problem) \(names)")
    }

    private static let option = "--generate-completion-script"

    /// Verbs and those below them, such as `hls` and `parse`.
    typealias Groups = [(verb: String, verbs: [String])]

    /// The script for a shell.
    /// - Parameters:
    ///   - generated: the parser's script for it.
    ///   - verbs: the names of all verbs.
    ///   - groups: the verbs that have verbs below them.
    static func text(_ shell: CompletionShell, generated: String, verbs: [String], groups: Groups) -> String {
        let help = help(verbs, groups)
        func filled(_ addition: String, _ function: String) -> String {
            addition.replacing("@VERBS@", with: verbs.joined(separator: " ")).replacing("@HELP@", with: function)
        }
        switch shell {
        case .bash: return bash(generated, filled(bashAddition, shellFunction(help)))
        case .zsh: return zsh(generated, filled(zshAddition, shellFunction(help)))
        default: return fish(generated) + "\n" + filled(fishAddition, fishFunction(help))
        }
    }

    /// The words of a line that asks for the help of a verb, and those that may follow them.
    private static func help(_ verbs: [String], _ groups: Groups) -> [(words: String, next: String)] {
        [("help", (verbs.filter { $0 != "help" } + ["all"]).joined(separator: " ")), ("--help", "all"), ("-h", "all")]
            + groups.map { ("help \($0.verb)", $0.verbs.joined(separator: " ")) }
    }

    /// A function for bash and zsh that prints the words after those that it gets.
    private static func shellFunction(_ help: [(words: String, next: String)]) -> String {
        let cases = help.map { "    '\($0.words)') echo '\($0.next)' ;;" }.joined(separator: "\n")
        return "__adtop_verbs() {\n    case \"${*}\" in\n\(cases)\n    esac\n}"
    }

    /// The same for fish.
    private static func fishFunction(_ help: [(words: String, next: String)]) -> String {
        let cases = help.map { "    case '\($0.words)'\n        printf '%s\\n' \($0.next)" }.joined(separator: "\n")
        return "function __adtop_verbs\n    switch \"$argv\"\n\(cases)\n    end\nend"
    }

    private static func bash(_ generated: String, _ addition: String) -> String {
        let call = /__adtop_add_completions -W "\$\(eval '(__adtop_(?:files|list)[^']*)'\)"/
        return generated.replacing(call) { $0.output.1 } + "\n" + addition
    }

    /// Each rule of the parser reads the whole line for the verb and the options in it, and there are more than a thousand. With a condition
    /// of its own for the verb, which fish tests once for all rules that have it, only the rules of the typed verb do so. Where the last
    /// condition alone counts, as in old versions, it is as before.
    private static func fish(_ generated: String) -> String {
        let condition = /-n '(__adtop_should_offer_completions_for_)(?:flags_or_options|positional) ("[^"]*")/
        return generated.replacing(condition) { match in
            "-n '\(match.output.1)flags_or_options \(match.output.2)' \(match.output.0)"
        }
    }

    private static func zsh(_ generated: String, _ addition: String) -> String {
        let call = /\{local -a list;list=\(\$\{\(f\)"\$\((__adtop_(?:files|list)[^)]*)\)"\}\);_describe -V "" list\}/
        let end = "if [[ \"${funcstack[1]}\" = _adtop ]]; then"
        return generated.replacing(call) { "{\($0.output.1)}" }.replacing(end, with: addition + "\n" + end) + "\n"
    }
}
