import CreativeCache
import Ports

/// The settings of a creative cache: that of `adtop cache` and that of a session (docs/cache.md).
struct CacheSettings: Equatable, Sendable {
    /// Whether the server answers HTTPS.
    enum TLSChoice: Sendable {
        /// `cache serve` creates certificates, a session uses existing ones.
        case automatic
        case always
        case never
    }

    /// Nil selects the default port, or in a session a free port when the default is in use.
    var port: Int?
    var tls = TLSChoice.automatic
    /// Also listen on ::1.
    var usesIPv6 = false
    /// Sizes and times to live; a session uses no disk.
    var limits = CacheSettings.defaultLimits
    /// Origins of pages that may write, as browsers send them.
    var allowedOrigins: [String] = []
    /// Further host names to answer for, in lower case.
    var extraHosts: [String] = []
    /// The key that writers must send; nil requires none.
    var writeKey: String?
    /// Writers may choose ids.
    var allowsOwnKeys = false

    /// Allowed values of `cache-ttl` and `cache-max-ttl`.
    private static let lives: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    private static var defaultLimits: StoreLimits {
        var limits = StoreLimits()
        limits.diskBytes = StoreLimits.defaultDiskBytes
        return limits
    }

    init() {}

    /// The settings for `adtop cache`; `flagNames` holds the flags of a verb whose names differ from their settings.
    init(_ texts: SettingTexts, flagNames: [Setting: String] = [:]) throws(CommandFailure) {
        try texts.read(Setting.ofCache, flagNames: flagNames) { setting, text throws(SettingProblem) in
            try set(setting, to: text)
        }
    }

    /// Sets a cache setting; other settings are ignored.
    mutating func set(_ setting: Setting, to text: String) throws(SettingProblem) {
        switch setting {
        case .cachePort: port = text == "auto" ? nil : try Settings.port(text)
        case .cacheTLS: tls = text == "auto" ? .automatic : try Settings.flag(text) ? .always : .never
        case .cacheIPv6: usesIPv6 = try Settings.flag(text)
        case .cacheMemory: limits.memoryBytes = Int(try Settings.mebibytes(text))
        case .cacheDisk: limits.diskBytes = text == "0" ? nil : Int(try Settings.mebibytes(text))
        case .cacheTTL: limits.defaultLife = try Settings.duration(text, in: Self.lives)
        case .cacheMaxTTL: limits.maximumLife = try Settings.duration(text, in: Self.lives)
        case .cacheOrigin: allowedOrigins = try Settings.list(text).map(Self.origin)
        case .cacheHost: extraHosts = try Settings.list(text).map(Self.host)
        case .cacheWriteKey: writeKey = try Settings.fieldValue(text)
        case .cacheAllowKeys: allowsOwnKeys = try Settings.flag(text)
        default: break
        }
    }

    /// The rules of the server: whom it answers and which writes it accepts.
    var rules: LoopbackRules {
        var rules = LoopbackRules(port: port ?? LoopbackRules.defaultPort)
        rules.writeKey = writeKey
        rules.allowsOwnKeys = allowsOwnKeys
        rules.allowedOrigins = Set(allowedOrigins)
        rules.extraHosts = Set(extraHosts)
        return rules
    }

    /// An origin as browsers write it: scheme, host and port in lower case, without a path. An origin of any other form
    /// would never match.
    private static func origin(_ text: String) throws(SettingProblem) -> String {
        let origin = (text.hasSuffix("/") ? String(text.dropLast()) : text).lowercased()
        let isWeb = (try? WebURL(origin)) != nil
        guard isWeb, !origin.dropFirst("https://".count).contains(where: { "/?#@".contains($0) }) else {
            throw SettingProblem("is not scheme://host or scheme://host:port")
        }
        return origin
    }

    /// A host name without a port; the port of the server is compared separately.
    private static func host(_ text: String) throws(SettingProblem) -> String {
        let host = text.lowercased()
        let hasPort = host.contains(":") && !host.hasSuffix("]")
        guard !hasPort, !host.contains(where: { "/?#@".contains($0) }), (try? WebURL("http://\(host)/")) != nil else {
            throw SettingProblem("is not a host name without a port")
        }
        return host
    }
}
