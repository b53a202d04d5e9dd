import AdFormats
import ArgumentParser
import Monitoring

/// The flags that watch, demo and monitor share. Each is a setting; without a flag, the environment, the config file or
/// the default applies.
struct SessionOptions: ParsableArguments {
    @Option(help: .of(.provider))
    var provider: String?

    @Flag(help: "Show the beacons that are due but send none (default for streams that are not on loopback).")
    var observe = false

    @Flag(help: "Send the beacons that are due (default for streams on loopback).")
    var fire = false

    @Option(help: ArgumentHelp("Send beacons only to this host (repeatable).", valueName: "host"))
    var allowHost: [String] = []

    @Flag(help: "Let a public stream name private and loopback addresses, for its playlists as well as its beacons.")
    var allowPrivate = false

    @Flag(help: "Do not request a session with initSession=true.")
    var noInitRequest = false

    @Flag(help: "Request no new session when the server ends the session; --dump then ends with exit code 4.")
    var noRenew = false

    @Option(help: .of(.poll, "duration"))
    var poll: String?

    @Option(help: .of(.keep, "duration"))
    var keep: String?

    @Option(help: .of(.rate, "number"))
    var rate: String?

    @Option(help: .of(.start, "point"))
    var start: String?

    @Flag(help: "Do not use blocking reloads, delta updates and parts, even if the server offers them.")
    var noLowLatency = false

    @Flag(help: "List interstitials without playing them and without requesting their assets.")
    var noInterstitials = false

    @Option(help: .of(.userAgent, "text"))
    var userAgent: String?

    @Option(help: .of(.vast, "tag"))
    var vast: String?

    @Option(help: .of(.vmap, "tag|file"))
    var vmap: String?

    @Option(help: .of(.auction, "file"))
    var auction: String?

    @Option(
        name: .customLong("macro"),
        help: ArgumentHelp(
            "Value of a macro in tags and beacons; commas separate list members (repeatable).", valueName: "name=value")
    )
    var macros: [String] = []

    @Option(help: .of(.adServer, "url"))
    var adServer: String?

    @Option(help: .of(.adServerDevelopment, "url"))
    var adServerDevelopment: String?

    @Option(
        help: ArgumentHelp(
            "Folder of rewarded zones (default $XDG_CACHE_HOME/adtop/zones, as for adtop zone).", valueName: "folder"))
    var zones: String?

    @Flag(help: "Neither use nor save rewarded zones on disk.")
    var noZones = false

    @Option(
        name: .customLong("slot"),
        help: ArgumentHelp(
            """
            Ad space (repeatable): name, type (banner, screenBanner, interstitial, rewarded or native), zone, and \
            optionally a size and the plugin that fills it.
            """,
            valueName: "name=type:zone[:size][@plugin]"))
    var slots: [String] = []

    @Option(help: .of(.plugins, "dir"))
    var plugins: String?

    @OptionGroup var adCall: AdCallOptions

    @Option(
        name: .customLong("plugin-config"),
        help: ArgumentHelp("JSON configuration of a plugin (repeatable).", valueName: "plugin=file"))
    var pluginConfigurations: [String] = []

    @Option(
        help: ArgumentHelp(
            "Journal of sessions and beacons (default $XDG_STATE_HOME/adtop/journal.sqlite).", valueName: "file"))
    var journal: String?

    @Flag(help: "Keep no journal: a restart does not resume sessions.")
    var noJournal = false

    @Option(help: .of(.journalLoss, "stop|send"))
    var journalLoss: String?

    @Option(help: .of(.retry, "safe|standard|never"))
    var retry: String?

    @Option(help: .of(.metricsPort, "port"))
    var metricsPort: String?

    @Flag(help: "Cache the creatives of auctions and serve them to pages on this computer.")
    var cache = false

    @Option(help: .of(.cachePort, "port"))
    var cachePort: String?

    @Option(help: .of(.seed, "number"))
    var seed: String?

    @Flag(help: "Disable the keys that arm the session or send beacons.")
    var readonly = false

    @Option(help: .of(.logFile, "file"))
    var logFile: String?

    @Option(help: .of(.logLevel, "level"))
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "Append one line of JSON for every event; - for stdout (needs --dump).", valueName: "file|-"))
    var events: String?

    @Option(help: ArgumentHelp("Record the session for adtop replay (a folder for adtop monitor).", valueName: "file"))
    var record: String?

    @Option(help: "What --record masks: standard (secrets in URLs, headers and bodies) or none.")
    var redact: RecordingRedaction.Setting = .standard

    mutating func validate() throws {
        if observe, fire { throw ValidationError("--observe and --fire exclude each other; give one") }
        if journal != nil, noJournal {
            throw ValidationError("--journal and --no-journal exclude each other; give one")
        }
        if zones != nil, noZones { throw ValidationError("--zones and --no-zones exclude each other; give one") }
        if vast != nil, vmap != nil { throw ValidationError("--vast and --vmap exclude each other; give one") }
    }

    /// The file and the redaction of the recording; nil without `--record`.
    var recording: RecordingOrder? { record.map { RecordingOrder(path: $0, redaction: redact) } }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.provider] = provider
        settings[.mode] = observe ? "observe" : fire ? "fire" : nil
        settings[.allowPrivate] = allowPrivate ? "yes" : nil
        settings[.allowHost] = allowHost.isEmpty ? nil : allowHost.joined(separator: ",")
        settings[.initRequest] = noInitRequest ? "no" : nil
        settings[.renew] = noRenew ? "no" : nil
        settings[.poll] = poll
        settings[.keep] = keep
        settings[.rate] = rate
        settings[.start] = start
        settings[.lowLatency] = noLowLatency ? "no" : nil
        settings[.interstitials] = noInterstitials ? "no" : nil
        settings[.userAgent] = userAgent
        settings[.vast] = vast
        settings[.vmap] = vmap
        settings[.auction] = auction
        settings[.macro] = macros.isEmpty ? nil : macros.joined(separator: "\n")
        settings[.adServer] = adServer
        settings[.adServerDevelopment] = adServerDevelopment
        settings[.environment] = adCall.environment?.rawValue
        settings[.openCommand] = adCall.openCommand
        settings[.refreshClamp] = adCall.refreshClamp
        settings[.impression] = adCall.impression
        settings[.viewability] = adCall.viewability
        settings[.zones] = noZones ? "no" : zones
        settings[.slot] = slots.isEmpty ? nil : slots.joined(separator: "\n")
        settings[.plugins] = plugins
        settings[.profile] = adCall.profile?.rawValue
        settings[.adParameter] = adCall.parameters.isEmpty ? nil : adCall.parameters.joined(separator: "\n")
        settings[.refreshHeader] = adCall.refreshHeaders.isEmpty ? nil : adCall.refreshHeaders.joined(separator: ",")
        settings[.pluginConfig] = pluginConfigurations.isEmpty ? nil : pluginConfigurations.joined(separator: "\n")
        settings[.journal] = noJournal ? "no" : journal
        settings[.journalLoss] = journalLoss
        settings[.retry] = retry
        settings[.metricsPort] = metricsPort
        settings[.cache] = cache ? "yes" : nil
        settings[.cachePort] = cachePort
        settings[.seed] = seed
        settings[.readonly] = readonly ? "yes" : nil
        settings[.logFile] = logFile
        settings[.logLevel] = logLevel
        return settings
    }
}

/// `--record` and `--redact`.
struct RecordingOrder {
    var path: String
    var redaction: RecordingRedaction.Setting
}

extension RecordingRedaction.Setting: ExpressibleByArgument {}
