package import AdTracking
import HLS
package import Ports

/// The purpose of a request.
package enum FetchPurpose: String, Sendable, Hashable {
    case sessionInit, multivariant, mediaPlaylist, steering, metadata
    /// The timed metadata in a media segment or its initialization section.
    case segment
    /// Interstitial: its X-ASSET-LIST; the playlist of its single asset, for its length.
    case assetList, asset
    /// A VAST tag or the tag of a wrapper; a VMAP document. A server may count the former.
    case adDecision, adSchedule
    /// Auction: a bid request; a creative from a remote cache.
    case bid, creative
    /// Ad space: its zone or a wrapper; its video.
    case adCall, adMedia

    /// What it requests, for messages.
    var name: String {
        switch self {
        case .sessionInit: "session"
        case .multivariant: "multivariant playlist"
        case .mediaPlaylist: "media playlist"
        case .steering: "steering manifest"
        case .metadata: "metadata"
        case .segment: "segment"
        case .assetList: "asset list"
        case .asset: "interstitial asset"
        case .adDecision: "ad decision"
        case .adSchedule: "ad schedule"
        case .bid: "bid"
        case .creative: "creative"
        case .adCall: "ad call"
        case .adMedia: "ad media"
        }
    }

    /// Where findings about it belong.
    var source: FindingSource {
        switch self {
        case .sessionInit, .multivariant, .mediaPlaylist, .steering, .segment, .assetList, .asset: .playlist
        case .metadata: .metadata
        case .adDecision, .adSchedule, .bid, .creative, .adCall, .adMedia: .decision
        }
    }
}

extension FetchPurpose {
    /// The answer as an input has it: of a segment only what is read of it, because recordings hold inputs.
    package func kept(_ exchange: HTTPExchange) -> HTTPExchange {
        guard self == .segment else { return exchange }
        var kept = exchange
        kept.body = SegmentMetadata.excerpt(exchange.body)
        return kept
    }
}

/// Work that `MonitorState` requests from the edge. Each effect ends in one `Input` unless its comment differs.
package enum Effect: Sendable, Hashable {
    /// Ends in `fetched`.
    case fetch(RequestID, FetchPurpose, HTTPRequest)
    /// Opens the session's journal, or opens it again with the beacons sent so far; ends in `journalOpened`,
    /// `journalLost` or `journalFailed`.
    case openJournal(SessionKey, holding: [JournalHolding])
    /// Writes and flushes the claims before any of them is sent; ends in `claimsWritten`, `claimsRefused` or both, `journalLost` or
    /// `journalFailed`.
    case writeClaims([JournalClaim])
    /// Sends a claimed beacon; ends in `beaconAnswered`, or in `claimsRefused` if the journal no longer allows it.
    case send(ClaimID, HTTPRequest)
    /// Writes outcomes with low priority; ends in no input, or as claims do.
    case writeOutcomes([JournalOutcome])
    /// Writes history notes if there is capacity; ends in no input, `journalFellBehind` or `journalLost`.
    case writeNotes([JournalNote])
    /// Work for what runs beside the stream.
    case beside(BesideEffect)
    /// Replaces the single alarm; nil disables it. Ends in `woke` unless it is replaced.
    case wake(atUptime: Duration?)
}
