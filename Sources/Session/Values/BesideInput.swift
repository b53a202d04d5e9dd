package import CreativeCache

/// What can happen beside the stream, in the past tense: to the auction, ad spaces, their plugins and zones, and the
/// creative cache.
package enum BesideInput: Sendable, Hashable {
    case auctionCommanded(AuctionCommand)
    /// A person acted on an ad space.
    case formatActed(slot: String, FormatAction)
    /// A report about the process of `BesideEffect.startPlugin`, including its output until it ends.
    case pluginReported(PluginRun, PluginNews)
    /// The answer to `BesideEffect.keepCreatives`.
    case creativesKept(round: Int, [KeptCreative])
    /// The answer to `BesideEffect.lookUpZone`.
    case zoneLookedUp(String, ZoneLookup)
    /// The answer to `BesideEffect.loadZone`, by the order's number.
    case zoneLoaded(Int, ZoneDelivery)
    /// A person removed a kept zone.
    case zoneDiscarded(String)
    /// The answer to `BesideEffect.removeZone`.
    case zoneRemoved(String, ZoneRemoval)
    /// The creative cache changed; many changes are combined.
    case cacheReported(CacheReport)
}

/// Work beside the stream. Each effect ends in one `BesideInput` unless its comment differs.
package enum BesideEffect: Sendable, Hashable {
    /// Starts the process of a plugin; ends in many `pluginReported`, the last with `exited` or `notStarted`.
    case startPlugin(PluginRun)
    /// Writes a line to its standard input; ends in no input, or in `pluginReported` if the plugin does not read it.
    case writeToPlugin(PluginRun, String)
    /// Requests the process to end and enforces it; ends in no input of its own.
    case terminatePlugin(PluginRun)
    /// Ends in no input of its own.
    case killPlugin(PluginRun)
    /// Puts creatives of an auction into the cache; ends in `creativesKept`.
    case keepCreatives(round: Int, [CreativeOrder])
    /// Checks whether a rewarded zone is kept; ends in `zoneLookedUp`.
    case lookUpZone(String)
    /// Downloads a rewarded zone's video and keeps it with its answer; ends in `zoneLoaded`.
    case loadZone(ZoneOrder)
    /// Deletes a kept rewarded zone; ends in `zoneRemoved`.
    case removeZone(String)
    /// Opens the target of an ad that a person clicked, if that is configured. Ends in no input.
    case openURL(String)
}
