package import AdTracking
package import Ports

/// What a request is for.
package enum FetchPurpose: String, Sendable, Hashable {
    case sessionInit, multivariant, mediaPlaylist, steering, metadata
    /// Of an interstitial: its X-ASSET-LIST; the playlist of its one asset, for its length.
    case assetList, asset
    /// A VAST tag or a wrapper's; a VMAP document. A server may count the former.
    case adDecision, adSchedule
}

/// What `MonitorState` wants done at the edge, in the imperative. Each ends in one `Input`, except those that say
/// otherwise.
package enum Effect: Sendable, Hashable {
    /// Ends in `fetched`.
    case fetch(RequestID, FetchPurpose, HTTPRequest)
    /// Opens the session's journal; ends in `journalOpened` or `journalFailed`.
    case openJournal(SessionKey)
    /// Writes and flushes before any of them is sent; ends in `claimsWritten` or `journalFailed`.
    case writeClaims([JournalClaim])
    /// A claimed beacon; ends in `beaconAnswered`.
    case send(ClaimID, HTTPRequest)
    /// Notes outcomes without hurry; ends in nothing, or in `journalFailed`.
    case writeOutcomes([JournalOutcome])
    /// Replaces the one alarm; nil switches it off. Ends in `woke` unless replaced.
    case wake(atUptime: Duration?)
}
