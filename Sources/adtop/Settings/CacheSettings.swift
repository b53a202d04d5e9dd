import CreativeCache
import Ports

/// What can be set of the creative cache: of `adtop cache` and of the one beside a session (docs/cache.md).
struct CacheSettings: Equatable, Sendable {
    /// Whether the server answers HTTPS.
    enum TLSChoice: Sendable {
        /// `cache serve` makes certificates, a session uses those there are.
        case automatic
        case always
        case never
    }

    /// Nil: the usual one, or in a session a free one where that is taken.
    var port: Int?
    var tls = TLSChoice.automatic
    /// Also on ::1.
    var usesIPv6 = false
    /// Sizes and lives; a session has no disk.
    var limits = CacheSettings.defaultLimits
    /// Of pages that may write, as browsers send them.
    var allowedOrigins: [String] = []
    /// In lower case.
    var extraHosts: [String] = []
    /// What writers must send; nil asks for none.
    var writeKey: String?
    /// Writers may choose ids.
    var allowsOwnKeys = false

    /// Of `cache-ttl` and `cache-max-ttl`.
    private static let lives: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    private static var defaultLimits: StoreLimits {
        var limits = StoreLimits()
        limits.diskBytes = StoreLimits.defaultDiskBytes
        return limits
    }

    init() {}

    /// Those of the verbs of `adtop cache`; `flagNames` are the flags of a verb that are not called as their settings are.
    init(_ texts: SettingTexts, flagNames: [Setting: String] = [:]) throws(CommandFailure) {
        try texts.read(Setting.ofCache, flagNames: flagNames) { setting, text throws(SettingProblem) in
            try set(setting, to: text)
        }
    }

    /// Settings that are not of the cache change nothing.
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

    /// Whom the server answers, and what it takes.
    var rules: LoopbackRules {
        var rules = LoopbackRules(port: port ?? LoopbackRules.defaultPort)
        rules.writeKey = writeKey
        rules.allowsOwnKeys = allowsOwnKeys
        rules.allowedOrigins = Set(allowedOrigins)
        rules.extraHosts = Set(extraHosts)
        return rules
    }

    /// As a browser writes it: scheme, host and port in lower case, nothing behind them. An origin of any other form would
    /// never match.
    private static func origin(_ text: String) throws(SettingProblem) -> String {
        let origin = (text.hasSuffix("/") ? String(text.dropLast()) : text).lowercased()
        let isWeb = (try? WebURL(origin)) != nil
        guard isWeb, !origin.dropFirst("https://".count).contains(where: { "/?#@".contains($0) }) else {
            throw SettingProblem("is not scheme://host or scheme://host:port")
        }
        return origin
    }

    /// A name without a port: the server's own is compared apart.
    private static func host(_ text: String) throws(SettingProblem) -> String {
        let host = text.lowercased()
        let hasPort = host.contains(":") && !host.hasSuffix("]")
        guard !hasPort, !host.contains(where: { "/?#@".contains($0) }), (try? WebURL("http://\(host)/")) != nil else {
            throw SettingProblem("is not a host name without a port")
        }
        return host
    }
}
