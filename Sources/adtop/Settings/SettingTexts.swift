import Configuration
import Locks
import Ports

/// The text of every setting and its source: flags, then environment, then config file, then defaults.
struct SettingTexts: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var text: String
        var source: SettingSource

        /// The text for output, with secrets masked.
        func shown(of setting: Setting) -> String { setting.isSecret ? Redaction.mask : text }
    }

    private(set) var entries: [Setting: Entry] = [:]

    subscript(setting: Setting) -> Entry? { entries[setting] }

    /// `flags` holds the settings given on the command line, `environment` the whole process environment.
    init(flags: [Setting: String], environment: [String: String], file: ConfigFile?) {
        let fromFile = file?.settings.mapValues(\.text) ?? [:]
        let defaults = Dictionary(
            uniqueKeysWithValues: Setting.allCases.compactMap { setting in setting.defaultText.map { (setting, $0) } })
        let layers: [any ConfigProvider] = [
            Self.provider("flags", flags),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "adtop"),
            Self.provider("file", fromFile),
            Self.provider("defaults", defaults),
        ]
        let winner = WinningLayer()
        let reader = ConfigReader(providers: layers, accessReporter: winner)
        for setting in Setting.allCases {
            guard let text = reader.string(forKey: ConfigKey(setting.rawValue), isSecret: setting.isSecret) else {
                continue
            }
            let source: SettingSource =
                switch winner.index {
                case 0: .flag
                case 1: .environment(setting.environmentName)
                case 2: file?.settings[setting].map { .file($0.position) } ?? .defaultValue
                default: .defaultValue
                }
            entries[setting] = Entry(text: text, source: source)
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

    private static func provider(_ name: String, _ texts: [Setting: String]) -> any ConfigProvider {
        InMemoryProvider(
            name: name,
            values: Dictionary(
                uniqueKeysWithValues: texts.map { setting, text in
                    (AbsoluteConfigKey([setting.rawValue]), ConfigValue(.string(text), isSecret: setting.isSecret))
                }))
    }
}

/// Records which provider answered the last look-up; the library asks the providers in order and reports each answer.
private final class WinningLayer: AccessReporter {
    private let position = Locked<Int?>(nil)

    var index: Int? { position.withLock { $0 } }

    func report(_ event: AccessEvent) {
        let index = event.providerResults.firstIndex { result in
            if case .success(let lookup) = result.result { lookup.value != nil } else { false }
        }
        position.withLock { $0 = index }
    }
}
