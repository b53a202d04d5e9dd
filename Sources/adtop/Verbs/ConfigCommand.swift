import ArgumentParser
import Ports

/// `adtop config`
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print every setting with its value and its source.",
        discussion: """
            A flag overrides the environment variable, which overrides the config file, which overrides the default.

            Examples:
              adtop config
              ADTOP_THEME=paper adtop config --json

            Exit codes: 0 success, 2 unreadable config file or invalid value.
            """)

    @Option(help: ArgumentHelp("Config file (default $XDG_CONFIG_HOME/adtop/config.yaml).", valueName: "file"))
    var config: String?

    @Flag(help: "Print JSON (schema adtop-config/1).")
    var json = false

    func run() throws {
        let loader = SettingsLoader(configPath: config)
        let (texts, file) = try loader.texts(flags: [:])
        file?.warnings.forEach(Output.error)
        // Invalid values are reported with their source, as in the other verbs.
        _ = try Settings(texts, keys: file?.keys ?? [:])
        json ? printJSON(texts) : printTable(texts)
    }

    private func printTable(_ texts: SettingTexts) {
        let width = Setting.allCases.map(\.rawValue.count).max() ?? 0
        for setting in Setting.allCases {
            let entry = texts[setting]
            let name = setting.rawValue.padding(to: width)
            let value = (entry?.shown(of: setting) ?? "-").padding(to: 12)
            Output.line(
                "\(name)  \(value)  \(entry?.source.description(of: setting) ?? "not set")  # \(setting.explanation)")
        }
    }

    private func printJSON(_ texts: SettingTexts) {
        let settings = Setting.allCases.map { setting -> JSONValue in
            [
                "name": .string(setting.rawValue), "value": .optional(texts[setting]?.shown(of: setting)),
                "source": .string(texts[setting]?.source.description(of: setting) ?? "not set"),
                "explanation": .string(setting.explanation),
            ]
        }
        Output.write(
            (["schema": "adtop-config/1", "settings": .array(settings)] as JSONValue).text(indented: true) + "\n")
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
