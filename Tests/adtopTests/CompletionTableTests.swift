import ArgumentParser
import Foundation
import Ports
import Testing

@testable import adtop

/// What a shell completes after each option.
struct CompletionTableTests {
    /// An option or a positional argument with a value.
    private struct Argument {
        var verb: String
        var name: String
        var valueName: String
        var help: String
        var completes: Bool
    }

    private static func arguments() throws -> [Argument] {
        func walk(_ command: JSONValue, _ path: String) -> [Argument] {
            let verb = "\(path) \(command["commandName"]?.stringValue ?? "")"
            let own = (command["arguments"]?.arrayValue ?? []).filter { $0["kind"]?.stringValue != "flag" }
                .map { argument in
                    Argument(
                        verb: verb, name: argument["preferredName"]?["name"]?.stringValue ?? "",
                        valueName: argument["valueName"]?.stringValue ?? "",
                        help: argument["abstract"]?.stringValue ?? "",
                        completes: argument["completionKind"] != nil)
                }
            return own + (command["subcommands"]?.arrayValue ?? []).flatMap { walk($0, verb) }
        }
        let document = try JSONReader.read(Adtop._dumpHelp())
        return walk(try #require(document["command"]), "")
    }

    @Test func valuesThatAreFilesOrFoldersComplete() throws {
        let places = /\b(file|folder|dir|journal|document|playlist|place)\b/.ignoresCase()
        let arguments = try Self.arguments()
        #expect(arguments.count > 200)
        // A value with its own form, PLUGIN=FILE, is no file name.
        for argument in arguments where !argument.valueName.contains("=") && argument.valueName.contains(places) {
            #expect(argument.completes, "\(argument.verb) \(argument.name) <\(argument.valueName)>")
        }
    }

    /// An option of one name completes in every verb.
    @Test func optionsOfNamedSettingsComplete() throws {
        let settings: [Setting] = [.provider, .view, .color, .logLevel, .journalLoss, .retry, .variant, .userAgent]
        let names = settings.map(\.rawValue)
        for argument in try Self.arguments() where names.contains(argument.name) {
            #expect(argument.completes, "\(argument.verb) \(argument.name)")
        }
    }

    /// `safe, standard or never` in a help text are words that can be completed.
    @Test func namedSettingsComplete() {
        for setting in Setting.allCases where setting.explanation.contains(": yes or no") {
            #expect(setting.spec.words == ["yes", "no"], "\(setting)")
        }
        for setting in [Setting.provider, .view, .color, .logLevel, .journalLoss, .retry, .mode, .variant, .userAgent] {
            #expect(setting.spec.words.count > 1, "\(setting)")
        }
    }

    /// The parser's form of these calls may change with its version: the added functions would not be called.
    @Test(arguments: CompletionShell.allCases) func theParsersCallsAreReplaced(shell: CompletionShell) {
        let script = CompletionScript.text(
            shell, generated: Adtop.completionScript(for: shell), verbs: VerbNames.all, groups: VerbNames.groups)
        #expect(!script.contains("$(eval '__adtop_files"))
        #expect(!script.contains("$(__adtop_files"))
        #expect(!script.contains("$(eval '__adtop_list") && !script.contains("$(__adtop_list"))
        #expect(script.contains("__adtop_files .adtop"))
        #expect(script.contains("monitor") && !script.contains("@VERBS@") && !script.contains("@HELP@"))
    }

    /// A rule of fish that has no condition for its verb alone would read the line for each option of every verb.
    @Test func fishTestsTheVerbFirst() {
        let script = CompletionScript.text(
            .fish, generated: Adtop.completionScript(for: .fish), verbs: VerbNames.all, groups: VerbNames.groups)
        let rules = script.split(separator: "\n").filter { $0.contains("-n '__adtop_should_offer") }
        let condition = /-n '__adtop_should_offer_completions_for_(flags_or_options|positional) ("[^"]*")([^']*)'/
        #expect(rules.count > 500)
        for rule in rules {
            let conditions = rule.matches(of: condition).map(\.output)
            #expect(conditions.count == 2 && conditions.first?.1 == "flags_or_options", "\(rule)")
            #expect(conditions.first?.2 == conditions.last?.2 && conditions.first?.3.isEmpty == true, "\(rule)")
        }
    }
}
