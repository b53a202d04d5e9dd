import AdFormats
import AdTracking
import CreativeCache
import Dashboard
import Monitoring
import Ports
import Screen
import VAST

/// All settings, checked and typed. An error names the flag, variable or file position of the value.
struct Settings: Sendable {
    var provider = ProviderSetting.auto
    /// Nil selects fire on loopback and observe elsewhere.
    var mode: ReportingMode?
    var allowHosts: [String] = []
    var allowsPrivate = false
    var isInitRequest = true
    /// Whether a new session is requested when the server ends the session.
    var renews = true
    var poll: Duration = .seconds(4)
    var keep: Duration = .seconds(7_200)
    var rate = 1.0
    var start = StartOption.standard
    var isLowLatency = true
    var playsInterstitials = true
    var userAgent: String?
    var view = DashboardView.breaks
    var theme = "default"
    var color = ColorSetting.auto
    /// Nil selects ASCII when the locale is not UTF-8.
    var isASCII: Bool?
    var usesMouse = true
    var isReadonly = false
    /// The VAST tag as given.
    var vast: String?
    /// The VMAP tag as given, or the path of a file.
    var vmap: String?
    /// File or URL of the auction document.
    var auction: String?
    /// Values of macros by name.
    var macros: [String: String] = [:]
    /// The ad server of the ad spaces that `env` selects, if any.
    var adServer: WebURL?
    /// Where rewarded zones are kept after the session.
    var zones = StoragePlace.standard
    /// Largest size of the zones' videos in bytes.
    var zoneBytes = ZonePlan.defaultQuota
    var adServers: [AdServerEnvironment: WebURL] = [:]
    var environment = AdServerEnvironment.production
    var slots: [FormatsConfiguration.Slot] = []
    /// Folder of plugin manifests; nil runs no plugin.
    var plugins: String?
    /// JSON files by plugin.
    var pluginConfigurations: [String: String] = [:]
    /// The device that ad calls name.
    var device = DeviceProfile.Kind.phone
    /// Parameters of ad calls, by key.
    var adParameters: [AdConfig.Parameter] = []
    /// Header fields that hold a refresh rate; empty selects the standard ones.
    var refreshHeaders: [String] = []
    var viewing = ViewingRules()
    /// The program that opens click destinations; nil opens nothing.
    var openCommand: String?
    var logFile: String?
    var logLevel = LogLevel.info
    var journal = StoragePlace.standard
    var journalAge: Duration = .seconds(30 * 86_400)
    /// Largest size of the journal in bytes.
    var journalSize: Int64 = 512 << 20
    /// What happens when the journal cannot be written.
    var journalLoss = JournalLoss.stop
    /// Which beacons are repeated.
    var retry = RetrySetting.safe
    /// Nil serves no metrics.
    var metricsPort: Int?
    /// Whether the session caches creatives and serves them.
    var servesCache = false
    var cache = CacheSettings()
    var seed: UInt64?
    /// Key remappings by action name, from the config file.
    var keys: [String: ConfigFile.Binding] = [:]

    init(_ texts: SettingTexts, keys: [String: ConfigFile.Binding] = [:]) throws(CommandFailure) {
        self.keys = keys
        try read(texts, Setting.allCases)
        adServer = adServers[environment]
        if adServer == nil, let other = adServers.first?.key {
            throw CommandFailure(
                .usage,
                "env: no \(environment.rawValue) address of an ad server, only the \(other.rawValue) address is given")
        }
        if vast != nil, vmap != nil {
            let places = [Setting.vast, .vmap].compactMap { texts[$0]?.source.description(of: $0) }
            throw CommandFailure(.usage, "\(places.joined(separator: " and ")) exclude each other; give one")
        }
    }

    /// The settings of `adtop cache`; `flagNames` holds the flags of a verb whose names differ from their settings.
    static func cache(
        _ texts: SettingTexts, flagNames: [Setting: String] = [:]
    ) throws(CommandFailure) -> CacheSettings {
        var settings = Settings()
        try settings.read(texts, SettingSection.cache.settings.map(\.setting), flagNames: flagNames)
        return settings.cache
    }

    private init() {}

    private mutating func read(
        _ texts: SettingTexts, _ settings: [Setting], flagNames: [Setting: String] = [:]
    ) throws(CommandFailure) {
        try texts.read(settings, flagNames: flagNames) { setting, text throws(SettingProblem) in
            try setting.spec.apply(&self, text)
        }
    }

    /// Whether a journal is kept.
    var usesJournal: Bool { journal != .off }
}

/// What happens when the journal cannot be written.
enum JournalLoss: String, CaseIterable, Sendable {
    /// Nothing more is sent.
    case stop
    /// At-most-once delivery then holds for this process only.
    case send
}
