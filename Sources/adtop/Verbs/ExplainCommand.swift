import ArgumentParser
import Dashboard
import Foundation
import Ports
import Rules
import Screen
import Terminal

/// `adtop explain [RULE]`
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Print a rule or the meaning of a finding.",
        discussion: """
            Without a rule the command lists all rules and findings. Case is ignored. A finding with a code also has \
            a name: late-metadata is L35.

            Examples:
              adtop explain TRK-15
              adtop explain pdt-drift
              adtop explain --json L14

            Exit codes: 0 success, 2 unknown rule.
            """)

    @Argument(
        help: ArgumentHelp("Id of a rule or code of a finding (default: list all).", valueName: "rule"),
        completion: .list(RuleLibrary.builtIn.entries.map(\.id)))
    var rule: String?

    @Flag(help: "Print JSON (schema adtop-rules/1).")
    var json = false

    func run() throws {
        let library = RuleLibrary.builtIn
        let entries = try rule.map { [try ExplainReport.entry($0, in: library)] } ?? library.entries
        if json {
            Output.write(ExplainReport.json(entries).text(indented: true) + "\n")
        } else if rule != nil {
            let width = ExplainReport.width(ofTerminal: WindowSize.of(descriptor: STDOUT_FILENO)?.columns)
            for entry in entries { RulePage.text(entry, width: width).forEach { Output.line($0) } }
        } else {
            ExplainReport.list(entries).forEach { Output.line($0) }
        }
    }
}

/// The output of `adtop explain`.
enum ExplainReport {
    /// The entry with that id, or of the finding with that name, compared without case.
    static func entry(_ id: String, in library: RuleLibrary) throws(CommandFailure) -> RuleEntry {
        if let entry = library.entry(named: id) { return entry }
        let nearest = library.nearest(to: id)
        let remedy =
            nearest.isEmpty ? "'adtop explain' lists all rules" : "similar: \(nearest.joined(separator: ", "))"
        throw CommandFailure(.usage, "explain: no rule '\(id)'; \(remedy)")
    }

    /// Columns of the text: those of the terminal, at most 100; 80 without one.
    static func width(ofTerminal columns: Int?) -> Int {
        max(20, min(columns ?? 80, 100))
    }

    /// One line for each entry, under the headings of their fields.
    static func list(_ entries: [RuleEntry]) -> [ToolLine] {
        let columns = (entries.map(\.id.count).max() ?? 0) + 2
        var lines: [ToolLine] = []
        var field = ""
        for entry in entries {
            if entry.field != field {
                if !lines.isEmpty { lines.append("") }
                lines.append(ToolLine(entry.field, .strong))
                field = entry.field
            }
            let padding = String(repeating: " ", count: columns - entry.id.count)
            lines.append("\(entry.id, .info)\(padding)\(entry.title)")
        }
        return lines
    }

    /// Schema adtop-rules/1.
    static func json(_ entries: [RuleEntry]) -> JSONValue {
        let rules = entries.map { entry -> JSONValue in
            [
                "id": .string(entry.id), "title": .string(entry.title), "field": .string(entry.field),
                "text": .array(entry.text.map { .string($0) }), "why": .optional(entry.reason),
                "do": .optional(entry.remedy), "source": .string(entry.source),
            ]
        }
        return ["schema": "adtop-rules/1", "rules": .array(rules)]
    }
}
