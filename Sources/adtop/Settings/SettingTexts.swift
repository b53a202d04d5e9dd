import Ports

/// The text of every setting and its source: flags, then environment, then config file, then defaults.
struct SettingTexts: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var text: String
        var source: SettingSource

        /// The text for output, with secrets masked.
        func shown(of setting: Setting) -> String { setting.masked(text) }

        /// Where it is from, with the flag that was typed: some settings have a flag for each value.
        func origin(of setting: Setting) -> String {
            switch (source, setting) {
            case (.flag, .mode): "--\(text)"
            case (.flag, .ipVersion): "-\(text)"
            case (.flag, _) where setting.defaultText == "yes" && text == "no": "--no-\(setting.rawValue)"
            default: source.description(of: setting)
            }
        }
    }

    private(set) var entries: [Setting: Entry] = [:]

    /// The whole process environment, for settings that name a variable.
    let environment: [String: String]

    subscript(setting: Setting) -> Entry? { entries[setting] }

    /// `flags` holds the settings given on the command line, `environment` the whole process environment.
    init(flags: [Setting: String], environment: [String: String], file: ConfigFile?) {
        self.environment = environment
        for setting in Setting.allCases {
            let entry: Entry? =
                if let text = flags[setting] {
                    Entry(text: text, source: .flag)
                } else if let text = environment[setting.environmentName] {
                    Entry(text: text, source: .environment(setting.environmentName))
                } else if let value = file?.settings[setting] {
                    Entry(text: value.text, source: .file(value.position))
                } else {
                    setting.defaultText.map { Entry(text: $0, source: .defaultValue) }
                }
            entries[setting] = entry
        }
    }

    /// Passes the text of each setting that has one to `set`. A thrown problem becomes one line with the flag, variable
    /// or file position and the reason. `flagNames` holds the flags whose names differ from their settings.
    func read(
        _ settings: [Setting], flagNames: [Setting: String] = [:],
        _ set: (Setting, String) throws(SettingProblem) -> Void
    ) throws(CommandFailure) {
        for setting in settings {
            guard let entry = entries[setting] else { continue }
            do throws(SettingProblem) {
                try set(setting, entry.text)
            } catch {
                let flag = entry.source == .flag ? flagNames[setting] : nil
                let place = flag ?? entry.source.description(of: setting)
                throw CommandFailure(.usage, "\(place): '\(entry.shown(of: setting))' \(error.explanation)")
            }
        }
    }
}
