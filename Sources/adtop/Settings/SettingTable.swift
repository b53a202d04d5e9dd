import AdFormats
import AdTracking
import CreativeCache
import Dashboard
import Monitoring
import Ports

/// A section of docs/settings.md with its settings, in the order of the page.
struct SettingSection: Sendable {
    let title: String
    let settings: [SettingSpec]

    static let all = [session, clientSide, auction, adSpaces, screen, files, cache]

    static let session = SettingSection(
        title: "Session",
        settings: [
            SettingSpec(
                .provider, "ad metadata provider: auto, harmonic or none", default: "auto", scope: .session, \.provider,
                .name()),
            SettingSpec(
                .mode, "reporting mode: observe, fire, or auto (fire on loopback, else observe)", default: "auto",
                scope: .session, \.mode,
                SettingType<ReportingMode>.name(also: ["auto"]).or("auto")),
            SettingSpec(
                .allowHost, "comma-separated hosts that beacons may be sent to (default every public host)",
                scope: .joined(","),
                \.allowHosts, .list),
            SettingSpec(
                .allowPrivate, "let a public stream name private and loopback addresses: yes or no", default: "no",
                scope: .session,
                \.allowsPrivate, .flag),
            SettingSpec(
                .initRequest, "request a session with initSession=true: yes or no", default: "yes", scope: .session,
                \.isInitRequest, .flag),
            SettingSpec(
                .renew, "request a new session when the server ends the session: yes or no", default: "yes",
                scope: .session, \.renews, .flag),
            SettingSpec(
                .poll, "metadata poll interval", default: "4s", scope: .session, \.poll,
                .duration(.milliseconds(500) ... .seconds(3_600))),
            SettingSpec(
                .keep, "how long past breaks are kept, in media time", default: "2h", scope: .session, \.keep,
                .duration(.zero ... .seconds(7 * 86_400))),
            SettingSpec(
                .rate, "playback rate of the virtual viewer, 0.1 to 16", default: "1", scope: .session, \.rate, .rate),
            SettingSpec(
                .start, "join point: live, a duration such as -30s, or an ISO 8601 date", default: "live",
                scope: .session, \.start,
                SettingType(read: StartText.read)),
            SettingSpec(
                .lowLatency, "use blocking reloads, delta updates and parts if the server offers them: yes or no",
                default: "yes",
                scope: .session, \.isLowLatency, .flag),
            SettingSpec(
                .interstitials, "play interstitials and request their assets: yes or no", default: "yes",
                scope: .session,
                \.playsInterstitials, .flag),
            SettingSpec(.userAgent, "User-Agent of all requests", scope: .session, \.userAgent, optional: .fieldValue),
            SettingSpec(
                .readonly, "disable the keys that arm the session or send beacons: yes or no", default: "no",
                scope: .session, \.isReadonly,
                .flag),
            SettingSpec(
                .retry,
                "beacons to repeat: safe (no byte was sent), standard (also after timeouts, resets, 5xx; may count twice) or never",
                default: "safe",
                scope: .session, \.retry, .name()),
            SettingSpec(
                .seed, "seed of all jitter, for repeatable runs (default random)", scope: .session, \.seed,
                optional: .seed),
        ])

    static let clientSide = SettingSection(
        title: "Ads that the client requests",
        settings: [
            SettingSpec(
                .vast, "VAST tag to request when a break that is marked in the playlist opens", scope: .session, \.vast,
                optional: .tag),
            SettingSpec(
                .vmap, "VMAP tag or file with the breaks of a finished stream", scope: .session, \.vmap,
                optional: .tagOrFile),
            SettingSpec(
                .macro, "values of macros in tags and beacons, one NAME=VALUE on each line", scope: .joined("\n"),
                \.macros, .pairs),
        ])

    static let auction = SettingSection(
        title: "Auction",
        settings: [
            SettingSpec(
                .auction, "file with the auction to run beside the stream", scope: .session, \.auction, optional: .text)
        ])

    static let adSpaces = SettingSection(
        title: "Ad spaces and plugins",
        settings: [
            SettingSpec(
                .adServer, "ad server with zones, for ad spaces (setting slot)", scope: .session,
                \.adServers[.production],
                optional: SettingType(read: SlotText.address)),
            SettingSpec(
                .adServerDevelopment, "development address of the ad server, used with env development",
                scope: .session,
                \.adServers[.development], optional: SettingType(read: SlotText.address)),
            SettingSpec(
                .environment, "address of the ad server to use: production or development", default: "production",
                scope: .session,
                \.environment, .name()),
            SettingSpec(
                .slot, "ad spaces, one NAME=TYPE:ZONE[:SIZE][@PLUGIN] on each line", scope: .joined("\n"), \.slots,
                SettingType(read: SlotText.slots)),
            SettingSpec(.plugins, "folder of plugin manifests", scope: .session, \.plugins, optional: .text),
            SettingSpec(
                .pluginConfig, "JSON configuration of plugins, one PLUGIN=FILE on each line", scope: .joined("\n"),
                \.pluginConfigurations, .pairs),
            SettingSpec(
                .profile,
                "device to send in ad calls (screen and banner size): phone, tablet, tv or terminal",
                default: DeviceProfile.Kind.phone.rawValue, scope: .session, \.device,
                .name()),
            SettingSpec(
                .adParameter, "parameters of ad calls, one KEY=VALUE on each line: o=l, conn=wifi, did=tablet, …",
                scope: .joined("\n"), \.adParameters, .adParameters),
            SettingSpec(
                .refreshHeader, "comma-separated header fields that hold a banner's refresh rate", scope: .joined(","),
                \.refreshHeaders, .list),
            SettingSpec(
                .refreshClamp, "limits of a banner's refresh rate in seconds, LEAST,MOST",
                default: ViewingRules().texts[0], scope: .session
            ) { settings, text throws(SettingProblem) in
                try settings.viewing.set(text) { rules, text throws(ViewingRules.Problem) in try rules.setRefresh(text)
                }
            },
            SettingSpec(
                .impression, "visible share that counts as an impression", default: ViewingRules().texts[1],
                scope: .session
            ) { settings, text throws(SettingProblem) in
                try settings.viewing.set(text) { rules, text throws(ViewingRules.Problem) in
                    try rules.setImpression(text)
                }
            },
            SettingSpec(
                .viewability,
                "milliseconds between visibility samples, and until a display ad and a video are viewable",
                default: ViewingRules().texts[2], scope: .session
            ) { settings, text throws(SettingProblem) in
                try settings.viewing.set(text) { rules, text throws(ViewingRules.Problem) in
                    try rules.setViewability(text)
                }
            },
            SettingSpec(
                .openCommand, "program that opens the click destination of an ad", scope: .session, \.openCommand,
                optional: .text),
            SettingSpec(
                .zones, "keep rewarded zones on disk for an hour: yes, no, or the folder", default: "yes", \.zones,
                .place("folder")),
            SettingSpec(
                .zonesSize, "largest size of the zones' videos in MiB; the least recently used are deleted first",
                default: "512",
                \.zoneBytes, .mebibytes),
        ])

    static let screen = SettingSection(
        title: "Screen",
        settings: [
            SettingSpec(
                .view,
                "first view of the dashboard: breaks, playlist, creative, auction, formats or cache", default: "breaks",
                \.view, .name()),
            SettingSpec(.theme, "theme name or file", default: "default", \.theme, .text),
            SettingSpec(.color, "colours: auto, never, 16, 256 or truecolor", default: "auto", \.color, .name()),
            SettingSpec(
                .ascii, "plain ASCII glyphs: auto, yes or no", default: "auto", \.isASCII,
                SettingType<Bool>.flag.or("auto")),
            SettingSpec(.mouse, "use the mouse: yes or no", default: "yes", \.usesMouse, .flag),
        ])

    static let files = SettingSection(
        title: "Journal, log, metrics",
        settings: [
            SettingSpec(
                .journal,
                "record sessions and beacons, so that a restart resumes them: yes, no, or the journal's file",
                default: "yes", \.journal,
                .place("file")),
            SettingSpec(
                .journalAge, "delete journal entries older than this", default: "720h", \.journalAge,
                .duration(.seconds(2 * 86_400) ... .seconds(3_650 * 86_400))),
            SettingSpec(
                .journalSize, "largest size of the journal in MiB; the oldest entries are deleted first",
                default: "512",
                \.journalSize, .mebibytes),
            SettingSpec(
                .journalLoss,
                "when the journal cannot be written: stop (send nothing more) or send (without a journal)",
                default: "stop", \.journalLoss,
                .name()),
            SettingSpec(.logFile, "file to append the log to", \.logFile, optional: .text),
            SettingSpec(
                .logLevel, "lowest level in the log file: debug, info, warning or error", default: "info", \.logLevel,
                .name()),
            SettingSpec(
                .metricsPort, "port on 127.0.0.1 that serves metrics; 0 selects a free port", \.metricsPort,
                optional: .port),
        ])

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
                .cacheOrigin, "comma-separated origins whose pages may write to the cache", \.cache.allowedOrigins,
                SettingType(read: CacheSettings.origins)),
            SettingSpec(
                .cacheHost, "comma-separated hosts that the cache answers for, in addition to localhost",
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

extension ViewingRules {
    /// Reads one of the rules.
    fileprivate mutating func set(
        _ text: String, _ read: (inout ViewingRules, String) throws(ViewingRules.Problem) -> Void
    ) throws(SettingProblem) {
        do throws(ViewingRules.Problem) {
            try read(&self, text)
        } catch {
            throw SettingProblem(error.explanation)
        }
    }
}
