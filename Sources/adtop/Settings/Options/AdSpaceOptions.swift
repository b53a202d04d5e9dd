import ArgumentParser

/// The ad spaces beside the stream, and the plugins that fill them.
struct AdSpaceOptions: ParsableArguments {
    @Option(help: .of(.adServer, "url"))
    var adServer: String?

    @Option(help: .of(.adServerDevelopment, "url"))
    var adServerDevelopment: String?

    @Option(
        help: ArgumentHelp(
            "Folder of rewarded zones (default $XDG_CACHE_HOME/adtop/zones, as for adtop zone).", valueName: "folder"),
        completion: .directory)
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

    @Option(help: .of(.plugins, "dir"), completion: .directory)
    var plugins: String?

    @Option(
        name: .customLong("plugin-config"),
        help: ArgumentHelp("JSON configuration of a plugin (repeatable).", valueName: "plugin=file"))
    var pluginConfigurations: [String] = []

    mutating func validate() throws {
        if zones != nil, noZones { throw ValidationError("--zones and --no-zones exclude each other; give one") }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.adServer] = adServer
        settings[.adServerDevelopment] = adServerDevelopment
        settings[.zones] = noZones ? "no" : zones
        settings.give(.slot, slots)
        settings[.plugins] = plugins
        settings.give(.pluginConfig, pluginConfigurations)
        return settings
    }
}
