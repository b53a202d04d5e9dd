import ArgumentParser

/// The flags of a session that is attached to its tracking data. Those of sending, of playlists and of ads for their breaks have no
/// effect there: they are read, so that a line for `adtop URL` is understood or rejected with the reason, and the help does not
/// list them.
struct AttachOptions: ParsableArguments {
    @OptionGroup var stream: StreamOptions
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Requests") var identity: IdentityOptions
    @OptionGroup var way: WayOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var auction: AuctionOptions
    @OptionGroup var adSpaces: AdSpaceOptions
    @OptionGroup var adCall: AdCallOptions
    @OptionGroup var journal: JournalOptions
    @OptionGroup var beside: BesideOptions
    @OptionGroup var cache: SessionCacheOptions
    @OptionGroup var files: SessionFileOptions
    @OptionGroup(visibility: .hidden) var sending: SendingOptions
    @OptionGroup(visibility: .hidden) var delivery: DeliveryOptions
    @OptionGroup(visibility: .hidden) var playlist: PlaylistOptions
    @OptionGroup(visibility: .hidden) var clientSide: ClientSideOptions

    /// The settings given as flags.
    var settings: [Setting: String] {
        let groups = [
            stream.settings, requests.settings, identity.settings, way.settings, connection.settings,
            auction.settings, adSpaces.settings, adCall.settings, journal.settings, beside.settings, cache.settings,
            files.settings, sending.settings, delivery.settings, playlist.settings, clientSide.settings,
        ]
        return .joining(groups)
    }
}
