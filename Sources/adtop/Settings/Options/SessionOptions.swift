import ArgumentParser

/// The flags that watch, demo and monitor share. Each is a setting; without a flag, the environment, the config file or
/// the default applies. The groups are in the order of the help. None of them contains another group: a debug build's parser
/// validates a group once for itself and several times for the group around it.
struct SessionOptions: ParsableArguments {
    @OptionGroup var stream: StreamOptions
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Requests") var identity: IdentityOptions
    @OptionGroup var way: WayOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var clientSide: ClientSideOptions
    @OptionGroup var adSpaces: AdSpaceOptions
    @OptionGroup var adCall: AdCallOptions
    @OptionGroup var journal: JournalOptions

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

    @OptionGroup var files: SessionFileOptions

    mutating func validate() throws {
        if stream.observe, stream.fire { throw ValidationError("--observe and --fire exclude each other; give one") }
        if readonly, stream.fire { throw ValidationError("--readonly and --fire exclude each other; give one") }
        if journal.journal != nil, journal.noJournal {
            throw ValidationError("--journal and --no-journal exclude each other; give one")
        }
        if adSpaces.zones != nil, adSpaces.noZones {
            throw ValidationError("--zones and --no-zones exclude each other; give one")
        }
        if clientSide.vast != nil, clientSide.vmap != nil {
            throw ValidationError("--vast and --vmap exclude each other; give one")
        }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.metricsPort] = metricsPort
        settings[.cache] = cache ? "yes" : nil
        settings[.cachePort] = cachePort
        settings[.seed] = seed
        settings[.readonly] = readonly ? "yes" : nil
        let groups = [
            settings, stream.settings, requests.settings, identity.settings, way.settings, connection.settings,
            clientSide.settings, adSpaces.settings, adCall.settings, journal.settings, files.settings,
        ]
        return .joining(groups)
    }
}

extension [Setting: String] {
    /// The settings of several groups of flags; the first group that gives a setting wins.
    static func joining(_ groups: [Self]) -> Self {
        groups.reduce(into: [:]) { all, group in all.merge(group) { given, _ in given } }
    }

    /// Gives a list; without values the setting is not given.
    mutating func give(_ setting: Setting, _ values: [String]) {
        guard !values.isEmpty else { return }
        self[setting] = values.joined(separator: setting.spec.list?.separator ?? "")
    }
}
