import CreativeCache
import Ports

/// The settings of a creative cache: that of `adtop cache` and that of a session (docs/cache.md).
struct CacheSettings: Equatable, Sendable {
    /// Nil selects the default port, or in a session a free port when the default is in use.
    var port: Int?
    /// Whether the server answers HTTPS; nil lets `cache serve` create certificates and a session use existing ones.
    var usesTLS: Bool?
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
    static let lives: ClosedRange<Duration> = .seconds(1) ... .seconds(86_400)

    private static var defaultLimits: StoreLimits {
        var limits = StoreLimits()
        limits.diskBytes = StoreLimits.defaultDiskBytes
        return limits
    }

    init() {}

    /// The rules of the server: whom it answers and which writes it accepts.
    var rules: LoopbackRules {
        var rules = LoopbackRules(port: port ?? LoopbackRules.defaultPort)
        rules.writeKey = writeKey
        rules.allowsOwnKeys = allowsOwnKeys
        rules.allowedOrigins = Set(allowedOrigins)
        rules.extraHosts = Set(extraHosts)
        return rules
    }

    /// The comma-separated origins of a text.
    @Sendable static func origins(_ text: String) throws(SettingProblem) -> [String] {
        try Settings.list(text).map(origin)
    }

    /// The comma-separated hosts of a text.
    @Sendable static func hosts(_ text: String) throws(SettingProblem) -> [String] {
        try Settings.list(text).map(host)
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

extension SettingSection {
    static let cache = SettingSection(
        title: "Creative cache",
        settings: [
            SettingSpec(
                .cache, "cache the creatives of auctions and serve them to pages: yes or no", default: "no",
                \.servesCache, .flag),
            SettingSpec(
                .cachePort,
                "port of the cache on 127.0.0.1: a number, or auto (16257; in a session a free port if that is in use)",
                default: "auto",
                \.cache.port, SettingType<Int>.port.or("auto")),
            SettingSpec(
                .cacheTLS,
                "serve the cache over HTTPS: yes, no, or auto (cache serve creates certificates, a session does not)",
                default: "auto",
                \.cache.usesTLS, SettingType<Bool>.flag.or("auto")),
            SettingSpec(
                .cacheIPv6, "let the cache listen on ::1 too: yes or no", default: "no", \.cache.usesIPv6, .flag),
            SettingSpec(
                .cacheMemory, "memory for cached creatives in MiB", default: "16", \.cache.limits.memoryBytes,
                .mebibytes),
            SettingSpec(
                .cacheDisk, "disk space for cached creatives in MiB, 0 for none; a session uses memory only",
                default: "64",
                \.cache.limits.diskBytes, SettingType<Int>.mebibytes.or("0")),
            SettingSpec(
                .cacheTTL, "default time to live of cached creatives", default: "5m", \.cache.limits.defaultLife,
                .duration(CacheSettings.lives)),
            SettingSpec(
                .cacheMaxTTL, "longest time to live of cached creatives; longer ones are shortened", default: "1h",
                \.cache.limits.maximumLife, .duration(CacheSettings.lives)),
            SettingSpec(
                .cacheOrigin, "comma-separated origins whose pages may write to the cache", list: .commas("an origin"),
                \.cache.allowedOrigins,
                SettingType(read: CacheSettings.origins)),
            SettingSpec(
                .cacheHost, "comma-separated hosts that the cache answers for, in addition to localhost",
                list: .commas("a host name"),
                \.cache.extraHosts, SettingType(read: CacheSettings.hosts)),
            SettingSpec(
                .cacheWriteKey, "x-pbc-api-key that the cache requires from writers", \.cache.writeKey,
                optional: .fieldValue),
            SettingSpec(
                .cacheAllowKeys, "accept ids that writers to the cache choose: yes or no", default: "no",
                \.cache.allowsOwnKeys,
                .flag),
        ])
}
