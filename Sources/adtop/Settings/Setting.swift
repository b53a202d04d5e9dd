import AdFormats

/// One thing that can be set by flag, environment, config file or default. Raw values are the names in the config file;
/// the flag is `--name`, the environment variable `ADTOP_NAME`.
enum Setting: String, CaseIterable, Sendable {
    case provider
    case mode
    case allowHost = "allow-host"
    case initRequest = "init-request"
    case poll
    case keep
    case rate
    case start
    case lowLatency = "low-latency"
    case interstitials
    case userAgent = "user-agent"
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

    /// What `adtop cache` reads.
    static let ofCache: [Setting] = [
        .cachePort, .cacheTLS, .cacheIPv6, .cacheMemory, .cacheDisk, .cacheTTL, .cacheMaxTTL, .cacheOrigin, .cacheHost,
        .cacheWriteKey, .cacheAllowKeys,
    ]

    /// Its text is shown to nobody.
    var isSecret: Bool { self == .cacheWriteKey }

    /// The text that counts when nothing else is given; nil means: not set.
    var defaultText: String? {
        switch self {
        case .provider: "auto"
        case .mode: "auto"
        case .allowHost: nil
        case .initRequest: "yes"
        case .poll: "4s"
        case .keep: "2h"
        case .rate: "1"
        case .start: "live"
        case .lowLatency: "yes"
        case .interstitials: "yes"
        case .userAgent: nil
        case .view: "breaks"
        case .theme: "default"
        case .color: "auto"
        case .ascii: "auto"
        case .mouse: "yes"
        case .readonly: "no"
        case .vast, .vmap, .auction, .macro, .adServer, .adServerDevelopment, .slot, .plugins, .pluginConfig,
            .adParameter, .refreshHeader, .openCommand, .cacheOrigin, .cacheHost, .cacheWriteKey:
            nil
        case .environment: "production"
        case .profile: DeviceProfile.Kind.phone.rawValue
        case .zones: "yes"
        case .zonesSize: "512"
        case .refreshClamp: ViewingRules().texts[0]
        case .impression: ViewingRules().texts[1]
        case .viewability: ViewingRules().texts[2]
        case .logFile: nil
        case .logLevel: "info"
        case .journal: "yes"
        case .journalAge: "720h"
        case .journalSize: "512"
        case .journalLoss: "stop"
        case .metricsPort: nil
        case .cache: "no"
        case .cachePort: "auto"
        case .cacheTLS: "auto"
        case .cacheIPv6: "no"
        case .cacheMemory: "16"
        case .cacheDisk: "64"
        case .cacheTTL: "5m"
        case .cacheMaxTTL: "1h"
        case .cacheAllowKeys: "no"
        case .seed: nil
        }
    }

    /// One line for `adtop config` and its documentation.
    var explanation: String {
        switch self {
        case .provider: "ad metadata dialect: auto, harmonic or none"
        case .mode: "observe, fire, or auto (fire on loopback, observe elsewhere)"
        case .allowHost: "comma-separated hosts that beacons may go to; empty means every public host"
        case .initRequest: "whether to ask for a session with initSession=true: yes or no"
        case .poll: "metadata poll interval"
        case .keep: "how long past breaks are kept, by media time"
        case .rate: "playback rate of the virtual viewer"
        case .start: "where to join: live, a duration like -30s, or an ISO 8601 date"
        case .lowLatency: "blocking reload, delta updates and parts where the server offers them: yes or no"
        case .interstitials: "whether interstitials are played, which asks for their assets: yes or no"
        case .userAgent: "User-Agent of all requests"
        case .view: "what the dashboard starts with: breaks, playlist, creative, auction, formats or cache"
        case .theme: "theme name or file"
        case .color: "auto, never, 16, 256 or truecolor"
        case .ascii: "plain ASCII glyphs: auto, yes or no"
        case .mouse: "whether the mouse is used: yes or no"
        case .readonly: "no key may arm or send: yes or no"
        case .vast: "VAST tag that is asked for ads when a marked break opens"
        case .vmap: "VMAP tag or file that says where a finished stream has breaks"
        case .auction: "file with the auction that is held beside the stream"
        case .macro: "values of macros in tags and beacons, NAME=VALUE, one a line"
        case .adServer: "address of an ad server with zones, for the ad spaces of the view formats"
        case .adServerDevelopment: "its address for development, which env chooses"
        case .environment: "which of the ad server's addresses is asked: production or development"
        case .zones: "whether rewarded zones are kept for their hour across restarts: yes, no, or the folder"
        case .zonesSize: "MiB of their videos beyond which those not used for the longest time go"
        case .slot: "ad spaces, NAME=TYPE:ZONE[:SIZE][@PLUGIN], one a line"
        case .plugins: "folder with the manifests of plugins that fill ad spaces; none is run without"
        case .profile: "device that ad calls name, with its screen and its banner: phone, tablet, tv or terminal"
        case .adParameter: "parameters of ad calls, KEY=VALUE, one a line: o=l, conn=wifi, geo=59.3,18.1, did=tablet, …"
        case .refreshHeader: "comma-separated header fields where a banner's refresh rate is looked for"
        case .openCommand: "program that opens where the click of an ad leads; nothing is opened without"
        case .refreshClamp: "seconds that a banner's refresh rate is held between, LEAST,MOST"
        case .impression: "share of an ad space from which on it makes an impression"
        case .viewability: "milliseconds between looks at an ad, and that make a display ad and a video viewable"
        case .pluginConfig: "configuration of plugins, PLUGIN=FILE, one a line"
        case .logFile: "file that gets the log as text lines"
        case .logLevel: "what goes to the log file at least: debug, info, warning or error"
        case .journal: "whether sessions are remembered across restarts: yes, no, or the journal's file"
        case .journalAge: "what of the journal is older goes"
        case .journalSize: "MiB beyond which the oldest of the journal goes"
        case .metricsPort: "port of 127.0.0.1 that serves metrics; 0 takes a free one"
        case .cache: "whether the session keeps its auctions' creatives near and serves them to pages: yes or no"
        case .cachePort:
            "port of 127.0.0.1 for that: a number, or auto (16257; a session takes a free one where it is taken)"
        case .cacheTLS: "whether it answers HTTPS: yes, no, or auto (a session makes no certificates, cache serve does)"
        case .cacheIPv6: "whether it listens on ::1, too: yes or no"
        case .cacheMemory: "MiB of its creatives in memory"
        case .cacheDisk: "MiB of creatives on disk, 0 for none; a session keeps them in memory only"
        case .cacheTTL: "life of creatives that come without one"
        case .cacheMaxTTL: "what longer lives of creatives are cut to"
        case .cacheOrigin: "comma-separated origins whose pages may write to the cache"
        case .cacheHost: "comma-separated hosts that the cache answers for beside localhost"
        case .cacheWriteKey: "x-pbc-api-key that writers to the cache must send"
        case .cacheAllowKeys: "whether writers to the cache choose ids: yes or no"
        case .journalLoss: "where the journal cannot be written: stop sending, or send without it"
        case .seed: "seed of all jitter, for runs that can be repeated"
        }
    }

    /// `ADTOP_POLL`
    var environmentName: String {
        "ADTOP_" + rawValue.uppercased().replacing("-", with: "_")
    }
}

/// Where the text of a setting came from, most specific first.
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

/// `path:line:column`, as editors read it.
struct FilePosition: Hashable, Sendable, CustomStringConvertible {
    var path: String
    var line: Int
    var column: Int

    var description: String { "\(path):\(line):\(column)" }
}
