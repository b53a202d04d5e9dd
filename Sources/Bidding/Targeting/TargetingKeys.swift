package import Ports

/// The options for targeting keys.
package struct TargetingOptions: Hashable, Sendable {
    /// The prefix of a server without a setting for it.
    package static let standardPrefix = "hb"
    /// Longest prefix in characters, so that the names of keys remain distinct when they are cut to 20.
    package static let longestPrefix = 10

    package var granularity: PriceGranularity = NamedGranularity.medium.granularity
    package var includesWinners = true
    package var includesBidderKeys = true
    package var includesFormat = false
    /// Whether bids with a deal always get keys with the bidder's name, regardless of other options.
    package var alwaysIncludesDeals = false
    /// Longest key in characters; 0 means no limit.
    package var longestKey = 20
    package var prefix = standardPrefix
    package var cacheHost: String?
    package var cachePath: String?
    /// `mobile-app` or `amp`; nil outside apps.
    package var environment: String?

    package init() {}

    /// Whether a text may be the prefix of keys: 1 to 10 letters, digits, `-` and `_`.
    package static func isPrefix(_ text: String) -> Bool {
        (1...longestPrefix).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
                    || byte == UInt8(ascii: "-")
            }
    }
}

/// A bid for which keys are created.
package struct TargetedBid: Hashable, Sendable {
    package var id: String
    package var bidder: String
    package var price: ExactDecimal
    package var size: AdSize?
    /// `banner`, `video`, `audio` or `native`.
    package var type: String?
    package var cacheID: String?
    package var vastCacheID: String?
    package var dealID: String?

    package init(id: String, bidder: String, price: ExactDecimal) {
        self.id = id
        self.bidder = bidder
        self.price = price
    }
}

/// One key of an ad call and its value.
package struct TargetingPair: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The `hb_*` keys of Prebid Server (BID-7).
package enum TargetingKeys {
    /// The keys of one bid in the order in which the server writes them: with the bidder's name and, for the winner,
    /// without.
    package static func keys(of bid: TargetedBid, isWinner: Bool, _ options: TargetingOptions) -> [TargetingPair] {
        let hasBidderKeys = options.includesBidderKeys || (options.alwaysIncludesDeals && bid.dealID != nil)
        let hasWinnerKeys = isWinner && options.includesWinners
        return values(of: bid, options).flatMap { item -> [TargetingPair] in
            let name = "\(options.prefix)_\(item.name)"
            let own = hasBidderKeys ? [TargetingPair(cut("\(name)_\(bid.bidder)", options), item.value)] : []
            return own + (hasWinnerKeys ? [TargetingPair(cut(name, options), item.value)] : [])
        }
    }

    private static func values(of bid: TargetedBid, _ options: TargetingOptions) -> [TargetingPair] {
        let all: [(String, String?)] = [
            ("pb", PriceBucket.text(bid.price, options.granularity)), ("bidder", bid.bidder),
            ("size", bid.size?.description), ("cache_id", bid.cacheID), ("uuid", bid.vastCacheID),
            ("deal", bid.dealID), ("format", options.includesFormat ? bid.type : nil),
            ("cache_host", options.cacheHost), ("cache_path", options.cachePath), ("env", options.environment),
        ]
        return all.compactMap { item in item.1.map { TargetingPair(item.0, $0) } }
    }

    private static func cut(_ key: String, _ options: TargetingOptions) -> String {
        options.longestKey > 0 ? String(key.prefix(options.longestKey)) : key
    }
}
