import ArgumentParser
import Dashboard
import Themes

/// `adtop theme list|check`
struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme", abstract: "List themes or check a theme file.",
        discussion: """
            Examples:
              adtop theme list
              adtop theme check ./mine.yaml
            """,
        subcommands: [List.self, Check.self],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the built-in themes.",
            discussion: """
                Examples:
                  adtop theme list

                Exit codes: 0 success, 2 usage error.
                """)

        func run() throws {
            for theme in BuiltInTheme.allCases { Output.line(theme.rawValue) }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Report errors and poor contrast in a theme.",
            discussion: """
                Examples:
                  adtop theme check midnight
                  adtop theme check ./mine.yaml

                Exit codes: 0 success, 1 findings of severity error, 2 usage error or unreadable file.
                """)

        @Argument(
            help: "Theme: name of a built-in theme, or file.",
            completion: .files("yaml", "yml", or: BuiltInTheme.allCases.map(\.rawValue)))
        var theme: String

        func run() throws {
            let theme = try ThemeLoader.theme(theme)
            let problems = ThemeCheck.problems(of: theme)
            problems.forEach { Output.line("\($0)") }
            if problems.isEmpty { Output.line("\(self.theme): no findings") }
            if problems.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
        }
    }
}
