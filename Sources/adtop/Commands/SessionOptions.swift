import AdFormats
import ArgumentParser
import Monitoring

/// The flags that watch and demo share. Each is a setting; what is not given comes from environment, config file or default.
struct SessionOptions: ParsableArguments {
    @Option(help: "Ad metadata dialect: auto, harmonic or none.")
    var provider: String?

    @Flag(help: "Compute and show beacons, send nothing (the default away from loopback).")
    var observe = false

    @Flag(help: "Send the beacons that are due.")
    var fire = false

    @Option(help: ArgumentHelp("Let beacons go to this host only (repeatable).", valueName: "host"))
    var allowHost: [String] = []

    @Flag(help: "Do not ask for a session with initSession=true.")
    var noInitRequest = false

    @Option(help: ArgumentHelp("Metadata poll interval, e.g. 4s.", valueName: "duration"))
    var poll: String?

    @Option(help: ArgumentHelp("How long past breaks are kept, e.g. 2h.", valueName: "duration"))
    var keep: String?

    @Option(help: "Playback rate of the virtual viewer, 0.1 to 16.")
    var rate: String?

    @Option(help: ArgumentHelp("Where to join: live, a duration like -30s, or an ISO 8601 date.", valueName: "point"))
    var start: String?

    @Flag(help: "Poll plainly, whatever the server offers: no blocking reload, delta updates or parts.")
    var noLowLatency = false

    @Flag(help: "List interstitials without playing them: nothing of them is requested.")
    var noInterstitials = false

    @Option(help: ArgumentHelp("User-Agent of all requests.", valueName: "text"))
    var userAgent: String?

    @Option(
        help: ArgumentHelp("Ask this VAST tag for ads when a break opens that the playlist marks.", valueName: "tag"))
    var vast: String?

    @Option(
        help: ArgumentHelp("Fill the breaks of this VMAP document, in a finished stream.", valueName: "tag|file"))
    var vmap: String?

    @Option(help: ArgumentHelp("Hold the auction of this document beside the stream.", valueName: "file"))
    var auction: String?

    @Option(
        name: .customLong("macro"),
        help: ArgumentHelp(
            "Value of a macro in tags and beacons (repeatable); lists with commas.", valueName: "name=value"))
    var macros: [String] = []

    @Option(help: ArgumentHelp("Ad server with zones, for the ad spaces of the view formats.", valueName: "url"))
    var adServer: String?

    @Option(help: ArgumentHelp("Its address for development, which --env chooses.", valueName: "url"))
    var adServerDevelopment: String?

    @Option(
        help: ArgumentHelp(
            "Folder of rewarded zones; default that of adtop zone, $XDG_CACHE_HOME/adtop/zones.", valueName: "folder"))
    var zones: String?

    @Flag(help: "Rewarded zones: neither use nor keep what adtop zone keeps for an hour.")
    var noZones = false

    @Option(
        name: .customLong("slot"),
        help: ArgumentHelp(
            """
            Ad space (repeatable): a name, banner, screenBanner, interstitial, rewarded or native, a zone, maybe a size \
            and the plugin that fills it.
            """,
            valueName: "name=type:zone[:size][@plugin]"))
    var slots: [String] = []

    @Option(help: ArgumentHelp("Folder with the manifests of plugins; none is run without.", valueName: "dir"))
    var plugins: String?

    @OptionGroup var adCall: AdCallOptions

    @Option(
        name: .customLong("plugin-config"),
        help: ArgumentHelp("Configuration of a plugin, a JSON file (repeatable).", valueName: "plugin=file"))
    var pluginConfigurations: [String] = []

    @Option(
        help: ArgumentHelp(
            "Journal of sessions and beacons instead of the one in the XDG state folder.", valueName: "file"))
    var journal: String?

    @Flag(help: "Keep no journal: nothing is remembered across restarts.")
    var noJournal = false

    @Option(
        help: ArgumentHelp(
            "Where the journal cannot be written: stop sending, or send without it.", valueName: "stop|send"))
    var journalLoss: String?

    @Option(help: ArgumentHelp("Serve metrics for Prometheus on this port of 127.0.0.1.", valueName: "port"))
    var metricsPort: String?

    @Flag(help: "Keep the creatives of the auctions near and serve them to pages on this computer.")
    var cache = false

    @Option(help: ArgumentHelp("Port of 127.0.0.1 for that; 16257, or a free one without.", valueName: "port"))
    var cachePort: String?

    @Option(help: ArgumentHelp("Seed of all jitter.", valueName: "number"))
    var seed: String?

    @Flag(help: "No key may arm or send.")
    var readonly = false

    @Option(help: ArgumentHelp("Append the log to this file.", valueName: "file"))
    var logFile: String?

    @Option(help: ArgumentHelp("The least level of the log file: debug, info, warning or error.", valueName: "level"))
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "Append a line of JSON for everything that happens; - is standard output.", valueName: "file|-"))
    var events: String?

    @Option(help: ArgumentHelp("Record the session for adtop replay.", valueName: "file"))
    var record: String?

    @Option(help: "What --record replaces: standard (secrets in URLs, headers and bodies) or none.")
    var redact: RecordingRedaction.Setting = .standard

    mutating func validate() throws {
        if observe, fire { throw ValidationError("--observe and --fire exclude each other") }
        if journal != nil, noJournal { throw ValidationError("--journal and --no-journal exclude each other") }
        if zones != nil, noZones { throw ValidationError("--zones and --no-zones exclude each other") }
        if vast != nil, vmap != nil { throw ValidationError("--vast and --vmap exclude each other") }
    }

    /// Where and how the session is recorded; nil without `--record`.
    var recording: RecordingOrder? { record.map { RecordingOrder(path: $0, redaction: redact) } }

    /// The settings that were given.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.provider] = provider
        settings[.mode] = observe ? "observe" : fire ? "fire" : nil
        settings[.allowHost] = allowHost.isEmpty ? nil : allowHost.joined(separator: ",")
        settings[.initRequest] = noInitRequest ? "no" : nil
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

/// How things look, shared by every verb that draws.
struct ScreenOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to start with: breaks, playlist, creative, auction, formats or cache.", valueName: "name"))
    var view: String?

    @Option(help: "Theme: a name of adtop theme list, or a file.")
    var theme: String?

    @Option(help: "Colours: auto, never, 16, 256 or truecolor.")
    var color: String?

    @Flag(help: "Plain ASCII glyphs.")
    var ascii = false

    @Flag(help: "Leave the mouse to the terminal.")
    var noMouse = false

    @Option(help: ArgumentHelp("Config file instead of the one in the XDG folder.", valueName: "file"))
    var config: String?

    /// The settings that were given.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.view] = view
        settings[.theme] = theme
        settings[.color] = color
        settings[.ascii] = ascii ? "yes" : nil
        settings[.mouse] = noMouse ? "no" : nil
        return settings
    }
}

extension RecordingRedaction.Setting: ExpressibleByArgument {}
