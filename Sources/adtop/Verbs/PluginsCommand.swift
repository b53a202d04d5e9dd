import AdFormats
import ArgumentParser
import Ports
import Session

/// `adtop plugins list|describe|check`
struct PluginsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "List, describe and check ad plugins.",
        discussion: """
            Examples:
              adtop plugins list
              adtop plugins check my-plugins
            """,
        subcommands: [List.self, Describe.self, Check.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the built-in plugins and those of a folder.",
            discussion: """
                Examples:
                  adtop plugins list
                  adtop plugins list my-plugins --json

                Exit codes: 0 success, 2 usage error, 4 no such folder.
                """)

        @Argument(help: ArgumentHelp("Folder of plugin manifests.", valueName: "dir"), completion: .directory)
        var folder: String?

        @Flag(help: "Print JSON (schema adtop-plugins/1).")
        var json = false

        func run() throws {
            let own = AdPluginRegistry.complete.manifests.map { PluginsCommand.json($0, file: nil) }
            let entries = try folder.map { path in try PluginFolder(path) }?.entries ?? []
            let found = entries.compactMap { entry in
                entry.manifest.map { PluginsCommand.json($0, file: entry.file) }
            }
            let all = own + found
            if json {
                let value: JSONValue = ["schema": "adtop-plugins/1", "plugins": .array(all)]
                Output.write(value.text(indented: true) + "\n")
            } else {
                for plugin in all { Output.line(PluginsCommand.line(plugin)) }
            }
        }
    }

    struct Describe: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "describe", abstract: "Show a plugin's capabilities and configuration.",
            discussion: """
                Examples:
                  adtop plugins describe adserver
                  adtop plugins describe acme --plugins my-plugins

                Exit codes: 0 success, 2 no such plugin, 4 no such folder.
                """)

        @Argument(
            help: "Identifier of the plugin.", completion: .list(AdPluginRegistry.complete.manifests.map(\.identifier)))
        var plugin: String

        @Option(help: ArgumentHelp("Folder of plugin manifests.", valueName: "dir"), completion: .directory)
        var plugins: String?

        @Flag(help: "Print JSON (schema adtop-plugins/1).")
        var json = false

        func run() throws {
            let found = try plugins.map { path in try PluginFolder(path) }?.plugin(plugin)?.manifest
            guard
                let manifest = found
                    ?? AdPluginRegistry.complete.manifests.first(where: { $0.identifier == plugin })
            else { throw CommandFailure(.usage, "no plugin '\(plugin)' (see adtop plugins list)") }
            let value = PluginsCommand.json(manifest, file: nil)
            if json {
                let document: JSONValue = ["schema": "adtop-plugins/1", "plugins": [value]]
                Output.write(document.text(indented: true) + "\n")
            } else {
                Report.tree(value).forEach { Output.line($0) }
            }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check the plugin manifests of a folder.",
            discussion: """
                Examples:
                  adtop plugins check my-plugins

                Exit codes: 0 success, 1 an unusable manifest, 2 usage error, 4 no such folder.
                """)

        @Argument(help: ArgumentHelp("Folder of plugin manifests.", valueName: "dir"), completion: .directory)
        var folder: String

        @Flag(help: "Print JSON (schema adtop-findings/1).")
        var json = false

        func run() throws {
            let entries = try PluginFolder(folder).entries
            let findings = entries.flatMap(\.findings)
            if json {
                Output.write(Report.json(findings).text(indented: true) + "\n")
            } else {
                for entry in entries {
                    if entry.findings.isEmpty { Output.line("\(entry.file): ok") }
                    for finding in entry.findings { Output.line(Report.finding(finding, place: entry.file)) }
                }
            }
            if findings.contains(where: { $0.severity == .error }) { throw ExitStatus.findings.code }
        }
    }

    fileprivate static func json(_ manifest: PluginManifest, file: String?) -> JSONValue {
        [
            "identifier": .string(manifest.identifier), "name": .string(manifest.name), "file": .optional(file),
            "executable": .optional(manifest.executable),
            "capabilities": .array(manifest.capabilityNames.map(JSONValue.string)),
            "configuration": .array(
                manifest.fields.map {
                    ["key": .string($0.key), "type": .string($0.type), "default": $0.defaultValue ?? .null]
                }),
        ]
    }

    fileprivate static func line(_ plugin: JSONValue) -> ToolLine {
        let formats = (plugin["capabilities"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " ")
        let name = plugin["name"]?.stringValue ?? ""
        let file = plugin["file"]?.stringValue ?? "built in"
        return "\(plugin["identifier"]?.stringValue ?? "", .strong)  \(name)  \(formats, .info)  \(file, .muted)"
    }
}
