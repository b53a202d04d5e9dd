import Ports

/// The part of an answer for one imp: the winner, the keys for the ad call, creatives to cache and URLs to request.
package struct PrebidImp: Hashable, Sendable {
    package var id: String
    package var bids: [PrebidBid]
    /// Index among `bids`.
    package var winner: Int?
    /// Keys of all bids, the winner's last; a later value replaces an earlier one.
    package var targeting: [TargetingPair]
    package var markup: String?
    package var fallbackURL: String?
    package var entries: [WarmEntry]
    /// URLs to request when the bid won and when its ad was displayed.
    package var onWin: [String]
    package var onDisplay: [String]
    package var rewarded: RewardedSettings?
    /// Macro values of the winner.
    private var macros: AuctionMacros

    init(id: String, bids: [PrebidBid], response: BidResponse, requiresCacheID: Bool) {
        self.id = id
        self.bids = bids
        // The winner's keys have no bidder name: the server adds them to one bid of an imp.
        winner = bids.firstIndex { bid in
            bid["hb_pb"] != nil && bid["hb_bidder"] != nil && (!requiresCacheID || bid["hb_cache_id"] != nil)
        }
        targeting = Self.merged(bids, winner: winner)
        entries = []
        onWin = []
        onDisplay = []
        macros = AuctionMacros()
        guard let winner else { return }
        let bid = bids[winner]
        // The server has decided the auction, so the price is the bid's own.
        macros = AuctionMacros(of: bid.bid, seat: bid.seat, in: response)
        markup = bid.bid.markup.map { [macros] in macros.fill($0) }
        fallbackURL = bid.cacheIDs.lazy.compactMap(bid.remoteURL).first
        entries = Self.entries(bid, markup: markup, fallback: fallbackURL)
        onWin = [bid.eventWin, bid.bid.winURL.map { [macros] in macros.fill($0) }].compactMap { $0 }
        onDisplay = [bid.eventImp, bid.bid.billingURL.map { [macros] in macros.fill($0) }].compactMap { $0 }
        rewarded = RewardedSettings(passthrough: bid.bid.json["ext"]?["prebid"]?["passthrough"])
    }

    package var winningBid: PrebidBid? { winner.map { bids[$0] } }

    private static func merged(_ bids: [PrebidBid], winner: Int?) -> [TargetingPair] {
        let others = bids.indices.filter { $0 != winner }
        var merged: [TargetingPair] = []
        var places: [String: Int] = [:]
        for index in others + (winner.map { [$0] } ?? []) {
            for item in bids[index].targeting {
                if let place = places[item.name] {
                    merged[place].value = item.value
                } else {
                    places[item.name] = merged.count
                    merged.append(item)
                }
            }
        }
        return merged
    }

    /// The winner's creative for the local cache. One without markup must be fetched (`returnCreative: false`).
    package func warmCandidates(auction: String) -> [WarmCandidate] {
        guard let bid = winningBid else { return [] }
        if entries.isEmpty {
            // Each id is fetched from its own address: under one is the bid, under the other its VAST document.
            return bid.cacheIDs.compactMap { id in
                bid.remoteURL(of: id).map {
                    WarmCandidate(id: id, of: bid, auction: auction, macros: macros, remote: $0)
                }
            }
        }
        return entries.map { WarmCandidate(id: $0.id, of: bid, auction: auction, macros: macros, entry: $0) }
    }

    /// Why the winner has no creative for the local cache, as one clause; nil when it has one.
    package var warmProblem: String? {
        guard let bid = winningBid, warmCandidates(auction: "").isEmpty else { return nil }
        if markup != nil { return "the winner has no cache id" }
        return bid.cacheIDs.isEmpty
            ? "the winner has neither markup nor a cache id" : "the winner has neither markup nor a remote cache URL"
    }

    private static func entries(_ bid: PrebidBid, markup: String?, fallback: String?) -> [WarmEntry] {
        guard let markup else { return [] }
        let contentType =
            switch bid.type {
            case "video", "audio": "application/xml"
            case "native": "application/json"
            default: "text/html; charset=utf-8"
            }
        // The remote cache has the whole bid under one id and its VAST document under the other.
        return bid.cacheIDs.map { id in
            WarmEntry(
                id: id, contentType: contentType, body: markup, bidJSON: bid.bid.json,
                fallbackURL: bid.remoteURL(of: id) ?? fallback, timeToLive: bid.bid.expiry)
        }
    }
}
