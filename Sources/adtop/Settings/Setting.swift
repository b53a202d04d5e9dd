import AdFormats

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

    /// The settings that `adtop cache` reads.
    static let ofCache: [Setting] = [
        .cachePort, .cacheTLS, .cacheIPv6, .cacheMemory, .cacheDisk, .cacheTTL, .cacheMaxTTL, .cacheOrigin, .cacheHost,
        .cacheWriteKey, .cacheAllowKeys,
    ]

    /// Whether the text is masked in all output.
    var isSecret: Bool { self == .cacheWriteKey }

    /// The default text; nil when the setting is not set by default.
    var defaultText: String? {
        switch self {
        case .provider: "auto"
        case .mode: "auto"
        case .allowHost: nil
        case .allowPrivate: "no"
        case .initRequest: "yes"
        case .renew: "yes"
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
        case .retry: "safe"
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
        case .provider: "ad metadata provider: auto, harmonic or none"
        case .mode: "reporting mode: observe, fire, or auto (fire on loopback, else observe)"
        case .allowPrivate: "let a public stream name private and loopback addresses: yes or no"
        case .allowHost: "comma-separated hosts that beacons may be sent to (default every public host)"
        case .renew: "request a new session when the server ends the session: yes or no"
        case .initRequest: "request a session with initSession=true: yes or no"
        case .poll: "metadata poll interval"
        case .keep: "how long past breaks are kept, in media time"
        case .rate: "playback rate of the virtual viewer, 0.1 to 16"
        case .start: "join point: live, a duration such as -30s, or an ISO 8601 date"
        case .lowLatency: "use blocking reloads, delta updates and parts if the server offers them: yes or no"
        case .interstitials: "play interstitials and request their assets: yes or no"
        case .userAgent: "User-Agent of all requests"
        case .view: "first view of the dashboard: breaks, playlist, creative, auction, formats or cache"
        case .theme: "theme name or file"
        case .color: "colours: auto, never, 16, 256 or truecolor"
        case .ascii: "plain ASCII glyphs: auto, yes or no"
        case .mouse: "use the mouse: yes or no"
        case .readonly: "disable the keys that arm the session or send beacons: yes or no"
        case .vast: "VAST tag to request when a break that is marked in the playlist opens"
        case .vmap: "VMAP tag or file with the breaks of a finished stream"
        case .auction: "file with the auction to run beside the stream"
        case .macro: "values of macros in tags and beacons, one NAME=VALUE on each line"
        case .adServer: "ad server with zones, for ad spaces (setting slot)"
        case .adServerDevelopment: "development address of the ad server, used with env development"
        case .environment: "address of the ad server to use: production or development"
        case .zones: "keep rewarded zones on disk for an hour: yes, no, or the folder"
        case .zonesSize: "largest size of the zones' videos in MiB; the least recently used are deleted first"
        case .slot: "ad spaces, one NAME=TYPE:ZONE[:SIZE][@PLUGIN] on each line"
        case .plugins: "folder of plugin manifests"
        case .profile: "device to send in ad calls (screen and banner size): phone, tablet, tv or terminal"
        case .adParameter: "parameters of ad calls, one KEY=VALUE on each line: o=l, conn=wifi, did=tablet, …"
        case .refreshHeader: "comma-separated header fields that hold a banner's refresh rate"
        case .openCommand: "program that opens the click destination of an ad"
        case .refreshClamp: "limits of a banner's refresh rate in seconds, LEAST,MOST"
        case .impression: "visible share that counts as an impression"
        case .viewability: "milliseconds between visibility samples, and until a display ad and a video are viewable"
        case .pluginConfig: "JSON configuration of plugins, one PLUGIN=FILE on each line"
        case .logFile: "file to append the log to"
        case .logLevel: "lowest level in the log file: debug, info, warning or error"
        case .journal: "record sessions and beacons, so that a restart resumes them: yes, no, or the journal's file"
        case .journalAge: "delete journal entries older than this"
        case .journalSize: "largest size of the journal in MiB; the oldest entries are deleted first"
        case .metricsPort: "port on 127.0.0.1 that serves metrics; 0 selects a free port"
        case .cache: "cache the creatives of auctions and serve them to pages: yes or no"
        case .cachePort:
            "port of the cache on 127.0.0.1: a number, or auto (16257; in a session a free port if that is in use)"
        case .cacheTLS:
            "serve the cache over HTTPS: yes, no, or auto (cache serve creates certificates, a session does not)"
        case .cacheIPv6: "let the cache listen on ::1 too: yes or no"
        case .cacheMemory: "memory for cached creatives in MiB"
        case .cacheDisk: "disk space for cached creatives in MiB, 0 for none; a session uses memory only"
        case .cacheTTL: "default time to live of cached creatives"
        case .cacheMaxTTL: "longest time to live of cached creatives; longer ones are shortened"
        case .cacheOrigin: "comma-separated origins whose pages may write to the cache"
        case .cacheHost: "comma-separated hosts that the cache answers for, in addition to localhost"
        case .cacheWriteKey: "x-pbc-api-key that the cache requires from writers"
        case .cacheAllowKeys: "accept ids that writers to the cache choose: yes or no"
        case .journalLoss: "when the journal cannot be written: stop (send nothing more) or send (without a journal)"
        case .retry:
            "beacons to repeat: safe (no byte was sent), standard (also after timeouts, resets, 5xx; may count twice) or never"
        case .seed: "seed of all jitter, for repeatable runs (default random)"
        }
    }

    /// `ADTOP_POLL`
    var environmentName: String {
        "ADTOP_" + rawValue.uppercased().replacing("-", with: "_")
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
