/// A setting, given by flag, environment, config file or default. Raw values are the names in the config file;
/// the flag is `--name`, the environment variable `ADTOP_NAME`.
enum Setting: String, CaseIterable, Sendable {
    case provider
    case mode
    case allowHost = "allow-host"
    case allowPrivate = "allow-private"
    case initRequest = "init-request"
    case poll
    case keep
    case rate
    case start
    case variant
    case lowLatency = "low-latency"
    case interstitials
    case userAgent = "user-agent"
    case header
    case headerFor = "header-for"
    case cookie
    case cookieJar = "cookie-jar"
    case bearerEnv = "bearer-env"
    case forwardedFor = "forwarded-for"
    case referer
    case origin
    case proxy
    case noProxy = "no-proxy"
    case resolve
    case connectTo = "connect-to"
    case ipVersion = "ip-version"
    case interface
    case trustedCertificates = "cacert"
    case certificate = "cert"
    case certificateKey = "key"
    case keyPassphrase = "key-passphrase-env"
    case insecure
    case fireAnyway = "fire-anyway"
    case timeout
    case maximumRate = "max-rate"
    case view
    case theme
    case color
    case ascii
    case mouse
    case readonly
    case vast
    case vmap
    case auction
    case macro
    case adServer = "ad-server"
    case adServerDevelopment = "ad-server-development"
    case environment = "env"
    case zones
    case zonesSize = "zones-size"
    case slot
    case plugins
    case pluginConfig = "plugin-config"
    case profile
    case adParameter = "ad-parameter"
    case refreshHeader = "refresh-header"
    case openCommand = "open-cmd"
    case refreshClamp = "refresh-clamp"
    case impression
    case viewability
    case logFile = "log-file"
    case logLevel = "log-level"
    case journal
    case journalAge = "journal-age"
    case journalSize = "journal-size"
    case journalLoss = "journal-loss"
    case retry
    case renew
    case metricsPort = "metrics-port"
    case cache
    case cachePort = "cache-port"
    case cacheTLS = "cache-tls"
    case cacheIPv6 = "cache-ipv6"
    case cacheMemory = "cache-memory"
    case cacheDisk = "cache-disk"
    case cacheTTL = "cache-ttl"
    case cacheMaxTTL = "cache-max-ttl"
    case cacheOrigin = "cache-origin"
    case cacheHost = "cache-host"
    case cacheWriteKey = "cache-write-key"
    case cacheAllowKeys = "cache-allow-keys"
    case seed

    /// `ADTOP_POLL`
    var environmentName: String {
        ProgramVariable.prefix + rawValue.uppercased().replacing("-", with: "_")
    }
}

/// The source of a setting's text, most specific first.
enum SettingSource: Hashable, Sendable {
    case flag
    case environment(String)
    case file(FilePosition)
    case defaultValue

    /// For `adtop config` and error lines.
    func description(of setting: Setting) -> String {
        switch self {
        case .flag: "--\(setting.rawValue)"
        case .environment(let name): name
        case .file(let position): position.description
        case .defaultValue: "default"
        }
    }
}

/// `path:line:column`, the form that editors read.
struct FilePosition: Hashable, Sendable, CustomStringConvertible {
    var path: String
    var line: Int
    var column: Int

    var description: String { "\(path):\(line):\(column)" }
}
