package import AdTracking
package import Ports

/// What a request is for.
package enum FetchPurpose: String, Sendable, Hashable {
    case sessionInit, multivariant, mediaPlaylist, steering, metadata
    /// Of an interstitial: its X-ASSET-LIST; the playlist of its one asset, for its length.
    case assetList, asset
    /// A VAST tag or a wrapper's; a VMAP document. A server may count the former.
    case adDecision, adSchedule
    /// Of an auction: a bidder is asked; a creative is fetched from a remote cache.
    case bid, creative
    /// Of an ad space: its zone or a wrapper; its video.
    case adCall, adMedia
}

/// What `MonitorState` wants done at the edge, in the imperative. Each ends in one `Input`, except those that say
/// otherwise.
package enum Effect: Sendable, Hashable {
    /// Ends in `fetched`.
    case fetch(RequestID, FetchPurpose, HTTPRequest)
    /// Opens the session's journal, or opens it again with what was sent so far; ends in `journalOpened` or
    /// `journalFailed`.
    case openJournal(SessionKey, holding: [JournalHolding])
    /// Writes and flushes before any of them is sent; ends in `claimsWritten`, `journalLost` or `journalFailed`.
    case writeClaims([JournalClaim])
    /// A claimed beacon; ends in `beaconAnswered`.
    case send(ClaimID, HTTPRequest)
    /// Notes outcomes without hurry; ends in nothing, or as claims do.
    case writeOutcomes([JournalOutcome])
    /// Keeps history for people, where there is room; ends in nothing, `journalFellBehind` or `journalLost`.
    case writeNotes([JournalNote])
    /// Starts the process of a plugin; ends in many `pluginReported`, the last of them `exited` or `notStarted`.
    case startPlugin(PluginRun)
    /// A line for its standard input; ends in nothing, or in `pluginReported` where it is not read.
    case tellPlugin(PluginRun, String)
    /// Asks the process to end, and sees that it does; ends in nothing of its own.
    case terminatePlugin(PluginRun)
    /// Ends in nothing of its own.
    case killPlugin(PluginRun)
    /// Puts creatives of that auction into the cache; ends in `creativesKept`.
    case keepCreatives(round: Int, [CreativeOrder])
    /// Whether a rewarded zone is kept; ends in `zoneLookedUp`.
    case lookUpZone(String)
    /// Downloads a rewarded zone's video and keeps it with its answer; ends in `zoneLoaded`.
    case loadZone(ZoneOrder)
    /// Deletes what is kept for a rewarded zone; ends in `zoneRemoved`.
    case removeZone(String)
    /// A person clicked an ad that leads there; opened where somebody wants that. Ends in nothing.
    case openURL(String)
    /// Replaces the one alarm; nil switches it off. Ends in `woke` unless replaced.
    case wake(atUptime: Duration?)
}
