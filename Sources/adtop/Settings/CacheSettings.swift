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
