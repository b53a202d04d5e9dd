import ArgumentParser
import Ports

/// `adtop config`
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Print every setting, its value and where it comes from.",
        discussion: """
            Flags beat environment variables, which beat the config file, which beats the defaults.

            Examples:
              adtop config
              ADTOP_THEME=paper adtop config --json
            """)

    @Option(help: ArgumentHelp("Config file instead of the one in the XDG folder.", valueName: "file"))
    var config: String?

    @Flag(help: "Print JSON (schema adtop-config/1).")
    var json = false

    func run() throws {
        let loader = SettingsLoader(configPath: config)
        let (texts, file) = try loader.texts(flags: [:])
        file?.warnings.forEach(Output.error)
        // Wrong values are reported with their place, as the other verbs would.
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
