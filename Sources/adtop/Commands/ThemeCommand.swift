import ArgumentParser
import Dashboard
import Themes

/// `adtop theme list|check`
struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme", abstract: "List themes, or check a theme file.", subcommands: [List.self, Check.self],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Print the built-in themes.", discussion: "Example:\n  adtop theme list")

        func run() throws {
            for theme in BuiltInTheme.allCases { Output.line(theme.rawValue) }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Report what is wrong or hard to read in a theme.",
            discussion: """
                Examples:
                  adtop theme check midnight
                  adtop theme check ./mine.yaml

                Exit codes: 0 nothing of severity error, 1 findings of severity error, 2 the file cannot be read.
                """)

        @Argument(help: "Name of a built-in theme, or a file.")
        var theme: String

        func run() throws {
            let theme = try ThemeLoader.theme(theme)
            let problems = ThemeCheck.problems(of: theme)
            problems.forEach { Output.line("\($0)") }
            if problems.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
        }
    }
}

/// Finds a theme by name or path, with errors as the command line shows them.
enum ThemeLoader {
    static func theme(_ nameOrPath: String) throws(CommandFailure) -> Theme {
        do {
            if let theme = try ThemeResolver.builtIn(nameOrPath) { return theme }
            let text = try InputFile.text(
                nameOrPath, or: "one of \(BuiltInTheme.allCases.map(\.rawValue).joined(separator: ", "))")
            return try ThemeResolver.theme(from: .init(file: nameOrPath, text: text))
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}
