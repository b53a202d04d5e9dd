/// All settings, checked and typed, in parts for the code that needs them. An error names the flag, variable or file position
/// of the value.
struct Settings: Equatable, Sendable {
    var session = SessionSettings()
    var requests = RequestSettings()
    var connection = ConnectionSettings()
    var clientSide = ClientSideSettings()
    /// File or URL of the auction document.
    var auction: String?
    var adSpaces = AdSpaceSettings()
    var screen = ScreenSettings()
    var journal = JournalSettings()
    var log = LogSettings()
    /// Nil serves no metrics.
    var metricsPort: Int?
    /// Whether the session caches creatives and serves them.
    var servesCache = false
    var cache = CacheSettings()

    /// The defaults.
    init() {}

    /// - Parameter file: the config file, for its keys and commands.
    init(_ texts: SettingTexts, file: ConfigFile? = nil) throws(CommandFailure) {
        screen.keys = file?.keys ?? [:]
        screen.commands = file?.commands ?? []
        try read(texts, Setting.allCases)
        try requests.readBearer(texts)
        screen.warnsOfInsecure = connection.certificates.isInsecure
        try adSpaces.check()
        try clientSide.check(texts)
    }

    /// The settings of `adtop cache`; `flagNames` holds the flags of a verb whose names differ from their settings.
    static func cache(
        _ texts: SettingTexts, flagNames: [Setting: String] = [:]
    ) throws(CommandFailure) -> CacheSettings {
        var settings = Settings()
        try settings.read(texts, SettingSection.cache.settings.map(\.setting), flagNames: flagNames)
        return settings.cache
    }

    /// The settings of the connection, for verbs that have no others.
    static func connection(_ texts: SettingTexts) throws(CommandFailure) -> ConnectionSettings {
        var settings = Settings()
        try settings.read(texts, SettingSection.connection.settings.map(\.setting))
        return settings.connection
    }

    /// Reads the texts of these settings.
    mutating func read(
        _ texts: SettingTexts, _ settings: [Setting], flagNames: [Setting: String] = [:]
    ) throws(CommandFailure) {
        try texts.read(settings, flagNames: flagNames) { setting, text throws(SettingProblem) in
            try setting.spec.apply(&self, text)
        }
    }
}
