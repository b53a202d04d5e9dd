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
    /// Whether rewarded zones are kept on disk after the session.
    var keepsZones = true
    /// Nil selects the folder in the XDG cache folder.
    var zoneFolder: String?
    /// Largest size of the zones' videos in bytes.
    var zoneBytes = ZonePlan.defaultQuota
    private var adServers: [AdServerEnvironment: WebURL] = [:]
    private var environment = AdServerEnvironment.production
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
    /// Nil opens nothing.
    var openCommand: OpenCommand?
    var logFile: String?
    var logLevel = LogLevel.info
    var usesJournal = true
    /// Nil selects the journal in the XDG state folder.
    var journalFile: String?
    var journalAge: Duration = .seconds(30 * 86_400)
    /// Largest size of the journal in bytes.
    var journalSize: Int64 = 512 << 20
    /// Whether beacons are sent when the journal cannot be written.
    var sendsWithoutJournal = false
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
        try texts.read(Setting.allCases) { setting, text throws(SettingProblem) in try set(setting, to: text) }
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

    private mutating func set(_ setting: Setting, to text: String) throws(SettingProblem) {
        switch setting {
        case .provider: provider = try Self.oneOf(text)
        case .mode: mode = text == "auto" ? nil : try Self.oneOf(text, also: ["auto"])
        case .allowPrivate: allowsPrivate = try Self.flag(text)
        case .allowHost: allowHosts = Self.list(text)
        case .renew: renews = try Self.flag(text)
        case .initRequest: isInitRequest = try Self.flag(text)
        case .poll: poll = try Self.duration(text, in: .milliseconds(500) ... .seconds(3_600))
        case .keep: keep = try Self.duration(text, in: .zero ... .seconds(7 * 86_400))
        case .rate: rate = try Self.rate(text)
        case .start: start = try StartText.read(text)
        case .lowLatency: isLowLatency = try Self.flag(text)
        case .interstitials: playsInterstitials = try Self.flag(text)
        case .userAgent: userAgent = try Self.fieldValue(text)
        case .view: view = try Self.oneOf(text)
        case .theme: theme = text
        case .color: color = try Self.oneOf(text)
        case .ascii: isASCII = text == "auto" ? nil : try Self.flag(text)
        case .mouse: usesMouse = try Self.flag(text)
        case .readonly: isReadonly = try Self.flag(text)
        case .vast: vast = try Self.tag(text)
        case .auction: auction = text
        case .vmap: vmap = text.hasPrefix("http:") || text.hasPrefix("https:") ? try Self.tag(text) : text
        case .macro: macros = try Self.pairs(text)
        case .adServer: adServers[.production] = try SlotText.address(text)
        case .adServerDevelopment: adServers[.development] = try SlotText.address(text)
        case .environment: environment = try Self.oneOf(text)
        case .zones: try setZones(text)
        case .zonesSize: zoneBytes = Int(try Self.mebibytes(text))
        case .slot: slots = try SlotText.slots(text)
        case .plugins: plugins = text
        case .pluginConfig: pluginConfigurations = try Self.pairs(text)
        case .profile: device = try Self.oneOf(text)
        case .adParameter: adParameters = try Self.adParameters(text)
        case .refreshHeader: refreshHeaders = Self.list(text)
        case .openCommand: openCommand = OpenCommand(program: text)
        case .refreshClamp: try setViewing { rules throws(ViewingRules.Problem) in try rules.setRefresh(text) }
        case .impression: try setViewing { rules throws(ViewingRules.Problem) in try rules.setImpression(text) }
        case .viewability: try setViewing { rules throws(ViewingRules.Problem) in try rules.setViewability(text) }
        case .logFile: logFile = text
        case .logLevel: logLevel = try Self.oneOf(text)
        case .journal: try setJournal(text)
        case .journalAge: journalAge = try Self.duration(text, in: .seconds(2 * 86_400) ... .seconds(3_650 * 86_400))
        case .journalSize: journalSize = try Self.mebibytes(text)
        case .journalLoss: sendsWithoutJournal = try Self.oneOf(text) as JournalLoss == .send
        case .retry: retry = try Self.oneOf(text)
        case .metricsPort: metricsPort = try Self.port(text)
        case .cache: servesCache = try Self.flag(text)
        case .cachePort, .cacheTLS, .cacheIPv6, .cacheMemory, .cacheDisk, .cacheTTL, .cacheMaxTTL, .cacheOrigin,
            .cacheHost,
            .cacheWriteKey, .cacheAllowKeys:
            try cache.set(setting, to: text)
        case .seed: seed = try Self.seed(text)
        }
    }

    private mutating func setViewing(
        _ set: (inout ViewingRules) throws(ViewingRules.Problem) -> Void
    ) throws(SettingProblem) {
        do throws(ViewingRules.Problem) {
            try set(&viewing)
        } catch {
            throw SettingProblem(error.explanation)
        }
    }

    /// Reads yes, no, or a path.
    private mutating func setZones(_ text: String) throws(SettingProblem) {
        guard !text.isEmpty else { throw SettingProblem("is neither yes nor no, nor a folder") }
        do throws(SettingProblem) {
            keepsZones = try Self.flag(text)
        } catch {
            // Any other text is a folder.
            (keepsZones, zoneFolder) = (true, text)
        }
    }

    private enum JournalLoss: String, CaseIterable {
        case stop, send
    }

    /// Reads yes, no, or a path.
    private mutating func setJournal(_ text: String) throws(SettingProblem) {
        guard !text.isEmpty else { throw SettingProblem("is neither yes nor no, nor a file") }
        do throws(SettingProblem) {
            usesJournal = try Self.flag(text)
        } catch {
            // Any other text is a file.
            (usesJournal, journalFile) = (true, text)
        }
    }

    private static func oneOf<Value: RawRepresentable & CaseIterable>(
        _ text: String, also others: [String] = []
    ) throws(SettingProblem) -> Value where Value.RawValue == String {
        if let value = Value(rawValue: text) { return value }
        let names = Value.allCases.map(\.rawValue) + others
        throw SettingProblem("is not one of \(names.joined(separator: ", "))")
    }

    private static func rate(_ text: String) throws(SettingProblem) -> Double {
        guard let rate = Double(text), rate >= 0.1, rate <= 16 else {
            throw SettingProblem("is not a rate between 0.1 and 16")
        }
        return rate
    }

    /// A tag contains macros, so it is not a URL yet; with its macros encoded it must be one.
    private static func tag(_ text: String) throws(SettingProblem) -> String {
        do throws(WebURLProblem) {
            _ = try WebURL(PercentEncoding.requestTarget(text))
        } catch {
            throw SettingProblem(error.explanation)
        }
        return text
    }

    /// One pair on each line.
    private static func pairs(_ text: String) throws(SettingProblem) -> [String: String] {
        var pairs: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "="), equals > line.startIndex else {
                throw SettingProblem("is not NAME=VALUE")
            }
            pairs[String(line[..<equals])] = String(line[line.index(after: equals)...])
        }
        return pairs
    }

    private static func adParameters(_ text: String) throws(SettingProblem) -> [AdConfig.Parameter] {
        var probe = RequestParameters(version: "")
        var parameters: [AdConfig.Parameter] = []
        for (key, value) in try pairs(text).sorted(by: { $0.key < $1.key }) {
            do throws(RequestParameters.Problem) {
                try probe.set(key, to: value)
            } catch {
                throw SettingProblem("is not a valid ad parameter: \(error.explanation)")
            }
            parameters.append(AdConfig.Parameter(key, value))
        }
        return parameters
    }

    private static func seed(_ text: String) throws(SettingProblem) -> UInt64 {
        guard let seed = UInt64(text) else { throw SettingProblem("is not a whole number") }
        return seed
    }
}
