import ArgumentParser
import Testing

@testable import adtop

/// The help of every command.
struct HelpTests {
    private static let columns = 80

    /// A command and all commands below it.
    private static func commands(below root: any ParsableCommand.Type = Adtop.self) -> [any ParsableCommand.Type] {
        [root] + root.configuration.subcommands.flatMap { commands(below: $0) }
    }

    /// The text of a command's help on a terminal of 80 columns.
    private static func help(of command: any ParsableCommand.Type) -> String {
        Adtop.helpMessage(for: command, columns: columns)
    }

    @Test func everyCommandHasExamplesThatFitTheScreen() {
        for command in Self.commands() {
            let lines = command.configuration.discussion.split(separator: "\n")
            let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { $0.hasPrefix("  ") }
            #expect(!examples.isEmpty, "\(command) has no examples")
            // A longer line is broken in the middle.
            let help = Self.help(of: command)
            for example in examples { #expect(help.contains("\n\(example)\n"), "\(command): \(example)") }
        }
    }

    @Test func everyCommandThatRunsListsItsExitCodes() {
        for command in Self.commands() where command.configuration.subcommands.isEmpty {
            #expect(command.configuration.discussion.contains("Exit codes: 0 "), "\(command)")
        }
    }

    /// Words that plain technical help does not need.
    @Test func helpUsesPlainWords() {
        let words = /\b(whoever|nobody|somebody|anew|goes on|says?|said|tells?|told|refuses?)\b/.ignoresCase()
        for command in Self.commands() {
            let found = Self.help(of: command).firstMatch(of: words)?.output.0
            #expect(found == nil, "\(command)")
        }
    }
}
