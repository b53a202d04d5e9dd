package import Ports

/// Markup that can be had from a local cache instead of a remote one.
package struct WarmEntry: Hashable, Sendable {
    /// `hb_cache_id` or `hb_uuid`.
    package var id: String
    package var contentType: String
    /// Macros filled.
    package var body: String
    /// The whole bid as JSON, for readers that expect a cache of bids.
    package var bidJSON: JSONValue
    /// Where the same is in the remote cache; nil where the answer does not say.
    package var fallbackURL: String?
    /// Of the bid: smaller of what imp and bid allow; nil where neither says.
    package var timeToLive: Int?

    /// Under the root of a local server, e.g. `localhost:16257`.
    package func url(authority: String) -> String { "https://\(authority)/\(id)" }
}

/// A creative that is worth keeping near: of the bid that a Prebid Server marks as its winner, whatever the ad server chooses
/// then (CACHE-3).
package struct WarmCandidate: Hashable, Sendable {
    /// Under which it is kept.
    package var id: String
    /// Of the bid.
    package var bidID: String
    /// The seat.
    package var bidder: String
    /// Id of the request.
    package var auction: String
    /// Nil where the bid came without markup.
    package var entry: WarmEntry?
    /// Where it is in the remote cache.
    package var remote: String?
    /// For markup that is fetched from there.
    package var macros: AuctionMacros

    init(
        id: String, bidID: String, bidder: String, auction: String, macros: AuctionMacros, entry: WarmEntry? = nil,
        remote: String? = nil
    ) {
        self.macros = macros
        self.id = id
        self.bidID = bidID
        self.bidder = bidder
        self.auction = auction
        self.entry = entry
        self.remote = remote ?? entry?.fallbackURL
    }
}
