package import Bidding
package import CreativeCache
import Ports

/// A creative to put into the cache.
package struct CreativeOrder: Sendable, Hashable {
    package var creative: CachedCreative
    /// Time to live; nil for the cache's default.
    package var life: Duration?

    package init(_ creative: CachedCreative, life: Duration? = nil) {
        self.creative = creative
        self.life = life
    }

    /// The id under which it is cached.
    package var id: String { creative.id.text }
}

/// The result of a ``CreativeOrder``.
package struct KeptCreative: Sendable, Hashable {
    package var id: String
    /// Why it is not cached, as one clause; nil when it is.
    package var problem: String?
    /// Time to read it back from the cache.
    package var took: Duration

    package init(id: String, problem: String? = nil, took: Duration = .zero) {
        self.id = id
        self.problem = problem
        self.took = took
    }
}

extension CachedCreative {
    /// An auction's creative with its time to live: at most what imp and bid allow, and 300 s (CACHE-2). Nil for an id
    /// that cannot be part of a path.
    package static func warm(_ entry: WarmEntry, origin: Origin) -> CreativeOrder? {
        guard let id = CreativeID(entry.id) else { return nil }
        let creative = CachedCreative(
            id: id, kind: Kind(contentType: entry.contentType), contentType: entry.contentType,
            fallbackURL: entry.fallbackURL, origin: origin,
            content: Content(body: Array(entry.body.utf8), bidJSON: Array(entry.bidJSON.text().utf8)))
        return CreativeOrder(creative, life: CreativeOrder.life(entry.timeToLive))
    }
}

extension CreativeOrder {
    /// The time to live of an auction's creative whose bid may be used for that many seconds.
    fileprivate static func life(_ timeToLive: Int?) -> Duration {
        let limit = StoreLimits().defaultLife
        return timeToLive.map { min(.seconds(max(1, $0)), limit) } ?? limit
    }

    /// The remote cache's answer for a creative without markup, with macros filled; it lives as long as one with markup.
    package init(
        _ candidate: WarmCandidate, remote body: [UInt8], contentType: String?
    ) throws(RemoteCreative.Problem) {
        guard let id = CreativeID(candidate.id) else { throw .invalidID }
        let remote = RemoteCreative(
            id: id, url: candidate.remote ?? "", bidID: candidate.bidID, type: candidate.type, origin: .init(candidate))
        var creative = try CachedCreative(remote, body: body, contentType: contentType)
        let markup = String(decoding: creative.content.body, as: UTF8.self)
        creative.content.body = Array(candidate.macros.fill(markup).utf8)
        self.init(creative, life: Self.life(candidate.timeToLive))
    }
}

extension CachedCreative.Origin {
    /// The state of a creative that an auction wants to cache.
    package init(_ candidate: WarmCandidate) {
        self.init(auction: candidate.auction, bidder: candidate.bidder)
    }
}
