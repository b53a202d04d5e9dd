package import Ports

/// Markup served by the local cache instead of a remote one.
package struct WarmEntry: Hashable, Sendable {
    /// `hb_cache_id` or `hb_uuid`.
    package var id: String
    package var contentType: String
    /// Markup with macros expanded.
    package var body: String
    /// The whole bid as JSON, for readers that expect a cache of bids.
    package var bidJSON: JSONValue
    /// URL of the same content in the remote cache; nil when the answer has none.
    package var fallbackURL: String?
    /// Seconds for which the bid may be used (`exp`); nil when it does not state them.
    package var timeToLive: Int?

    /// The URL at a local server, e.g. `localhost:16257`.
    package func url(authority: String) -> String { "https://\(authority)/\(id)" }
}

/// A creative worth caching locally: that of the bid which a Prebid Server marks as its winner, whatever the ad server
/// selects afterwards (CACHE-3).
package struct WarmCandidate: Hashable, Sendable {
    /// Key in the cache.
    package var id: String
    /// Id of the bid.
    package var bidID: String
    /// Name of the seat.
    package var bidder: String
    /// Id of the request.
    package var auction: String
    /// Nil when the bid has no markup.
    package var entry: WarmEntry?
    /// URL in the remote cache.
    package var remote: String?
    /// Macro values for markup fetched from there.
    package var macros: AuctionMacros
    /// `banner`, `video`, `audio` or `native`; nil when the answer does not state it.
    package var type: String?
    /// Seconds for which the bid may be used: `exp` of the bid, at most that of the imp; nil when neither states them.
    package var timeToLive: Int?

    init(
        id: String, of bid: PrebidBid, auction: String, macros: AuctionMacros, entry: WarmEntry? = nil,
        remote: String? = nil
    ) {
        self.macros = macros
        self.id = id
        bidID = bid.bid.id
        bidder = bid.seat
        type = bid.type
        timeToLive = bid.bid.expiry
        self.auction = auction
        self.entry = entry
        self.remote = remote ?? entry?.fallbackURL
    }

    /// Shortens its life to the `exp` of the imp, which is the only bound where the bid has none (OpenRTB 2.6 section 3.2.4).
    mutating func limitLife(to seconds: Int) {
        timeToLive = min(timeToLive ?? seconds, seconds)
        entry?.timeToLive = timeToLive
    }
}
