import ArgumentParser

/// The flags that watch, demo and monitor share; the first two have those of ``SessionCacheOptions``, too. Each is a setting;
/// without a flag, the environment, the config file or the default applies. The groups are in the order of the help. None of them
/// contains another group: a debug build's parser validates a group once for itself and several times for the group around it.
struct SessionOptions: ParsableArguments {
    @OptionGroup var sending: SendingOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var playlist: PlaylistOptions
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Requests") var identity: IdentityOptions
    @OptionGroup var way: WayOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var clientSide: ClientSideOptions
    @OptionGroup var auction: AuctionOptions
    @OptionGroup var adSpaces: AdSpaceOptions
    @OptionGroup var adCall: AdCallOptions
    @OptionGroup var journal: JournalOptions
    @OptionGroup var delivery: DeliveryOptions
    @OptionGroup var beside: BesideOptions
    @OptionGroup var files: SessionFileOptions

    mutating func validate() throws {
        if delivery.readonly, sending.fire {
            throw ValidationError("--readonly and --fire exclude each other; give one")
        }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        let groups = [
            sending.settings, stream.settings, playlist.settings, requests.settings, identity.settings, way.settings,
            connection.settings, clientSide.settings, auction.settings, adSpaces.settings, adCall.settings,
            journal.settings, delivery.settings, beside.settings, files.settings,
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
