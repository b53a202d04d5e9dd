import ArgumentParser
import Dashboard
import Live
import Ports

/// `adtop config`
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print every setting with its value and its source.",
        discussion: """
            A flag overrides the environment variable, which overrides the config file, which overrides the default. \
            Below the settings are the header fields that they add to requests, and which hosts get them; values are \
            masked.

            Examples:
              adtop config
              ADTOP_THEME=paper adtop config --json
              adtop config keys
              adtop config keys freeze next-failure

            Exit codes: 0 success, 2 usage error, unreadable config file, invalid value or key.
            """)

    /// What is printed instead of the settings.
    enum Topic: String, ExpressibleByArgument, CaseIterable {
        case keys
    }

    @Argument(
        help: "keys: print the keys of the dashboard with the action names for the section keys: of the config file.")
    var topic: Topic?

    @Argument(
        help: ArgumentHelp("With keys: print these actions only.", valueName: "action"),
        completion: .list(Keymap.standard.rows.map(\.name)))
    var actions: [String] = []

    @OptionGroup(title: "Session") var session: SessionOptions
    @OptionGroup(title: "Session") var creatives: SessionCacheOptions
    @OptionGroup(title: "Screen") var screen: ScreenOptions

    @Flag(help: "Print JSON (schema adtop-config/1).")
    var json = false

    func run() throws {
        let loader = SettingsLoader(configPath: screen.config)
        let flags = [Setting: String].joining([session.settings, creatives.settings, screen.settings])
        let (texts, file) = try loader.texts(flags: flags, warn: Output.error)
        // Invalid values are reported with their source, as in the other verbs.
        let settings = try Settings(texts, file: file)
        guard topic == nil else { return try printKeys(rows(of: DashboardSetup.keymap(settings.screen.keys))) }
        // What a run would read is read, so that what it would reject is rejected here.
        _ = try settings.connection.plan(environment: loader.environment)
        _ = try settings.requests.jar(at: SystemTimeSource().now().wall)
        _ = try ThemeLoader.theme(settings.screen.theme)
        _ = try DashboardSetup.settings(settings.screen, isUTF8: true)
        let variables = settings.connection.variables(in: loader.environment)
        let additions = settings.requests.identity(typed: nil).additions
        json ? printJSON(texts, variables, additions) : printTable(texts, variables, additions)
    }

    /// The rows of the wanted actions in the order of the help, or all.
    private func rows(of map: Keymap) throws(CommandFailure) -> [Keymap.Row] {
        guard !actions.isEmpty else { return map.rows }
        let known = Set(map.rows.map(\.name))
        if let name = actions.first(where: { !known.contains($0) }) {
            throw CommandFailure(.usage, KeymapProblem.unknownAction(name).description)
        }
        return map.rows.filter { actions.contains($0.name) }
    }

    private func printKeys(_ all: [Keymap.Row]) {
        if json {
            let rows = all.map { row -> JSONValue in
                [
                    "action": .string(row.name), "keys": .array(row.keys.map(JSONValue.string)),
                    "summary": .string(row.summary),
                ]
            }
            let document: JSONValue = ["schema": "adtop-keys/1", "keys": .array(rows)]
            Output.write(document.text(indented: true) + "\n")
            return
        }
        let width = all.map(\.name.count).max() ?? 0
        for row in all {
            let keys = row.keys.isEmpty ? "-" : row.keys.joined(separator: " ")
            Output.line("\(row.name.padding(to: width))  \(keys.padding(to: 12))  # \(row.summary)")
        }
    }

    private func printTable(
        _ texts: SettingTexts, _ variables: [ConnectionSettings.Variable], _ additions: [RequestAddition]
    ) {
        let width = Setting.allCases.map(\.rawValue.count).max() ?? 0
        for setting in Setting.allCases {
            let entry = texts[setting]
            let name = setting.rawValue.padding(to: width)
            let value = (entry?.shown(of: setting) ?? "-").padding(to: 12)
            Output.line(
                "\(name)  \(value)  \(entry?.origin(of: setting) ?? "not set")  # \(setting.explanation)")
        }
        for variable in variables {
            Output.line(
                "\(variable.name.padding(to: width))  \(variable.shown.padding(to: 12))  environment  # \(variable.explanation)"
            )
        }
        guard !additions.isEmpty else { return }
        Output.line("")
        Output.line("added to requests:")
        let place = additions.map(\.place.count).max() ?? 0
        for addition in additions { Output.line("  \(addition.place.padding(to: place))  \(addition.text)") }
    }

    private func printJSON(
        _ texts: SettingTexts, _ variables: [ConnectionSettings.Variable], _ additions: [RequestAddition]
    ) {
        let settings = Setting.allCases.map { setting -> JSONValue in
            [
                "name": .string(setting.rawValue), "value": .optional(texts[setting]?.shown(of: setting)),
                "source": .string(texts[setting]?.origin(of: setting) ?? "not set"),
                "explanation": .string(setting.explanation),
            ]
        }
        let environment = variables.map { variable -> JSONValue in
            [
                "name": .string(variable.name), "value": .string(variable.shown),
                "explanation": .string(variable.explanation),
            ]
        }
        let document: JSONValue = [
            "schema": "adtop-config/1", "settings": .array(settings), "environment": .array(environment),
            "requests": .array(additions.map { ["hosts": .string($0.place), "field": .string($0.text)] }),
        ]
        Output.write(document.text(indented: true) + "\n")
    }
}
