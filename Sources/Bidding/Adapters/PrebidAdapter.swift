package import Ports

/// A Prebid Server as a bidder: the request for it, and the adapter for its answer (BID-22).
package struct PrebidSource: Hashable, Sendable {
    package var name: String
    package var storedRequest: String?
    /// Whether it competes by the keywords as sent, or by the price of the winning bid.
    package var competition: BidderAdapter.Competition = .keyword
    /// Whether a bid without `hb_cache_id` cannot win.
    package var requiresCacheID = false
    /// Prefix of the targeting keys, in the request and in the answer.
    package var prefix = TargetingOptions.standardPrefix
    /// Price granularity of the request.
    package var granularity: JSONValue = "medium"

    /// Keys that line items target; the other keys only locate the creative.
    private static let keywordKeys = ["hb_pb", "hb_bidder", "hb_size", "hb_format", "hb_deal"]

    package init(name: String, storedRequest: String? = nil) {
        self.name = name
        self.storedRequest = storedRequest
    }

    /// The adapter for the winning bid of an imp; nil when there is none.
    package func adapter(of answer: PrebidAnswer, impID: String, latency: Duration) -> BidderAdapter? {
        guard let imp = answer.imps.first(where: { $0.id == impID }), let won = imp.winningBid else { return nil }
        var adapter: BidderAdapter
        switch competition {
        case .keyword:
            let pairs = Self.keywordKeys.compactMap { key in won.pair(key).map { "\($0.name)=\($0.value)" } }
            let keyword = pairs.joined(separator: ";")
            adapter = BidderAdapter(
                name: name, creativeID: won.bid.id, keyword: keyword, rendering: .primarySDK, dealID: won.bid.dealID)
            adapter.pricePoints[keyword] = won["hb_pb"].flatMap { ExactDecimal($0) }
            adapter.currency = answer.response.currency
        case .price:
            adapter = BidderAdapter(
                name: name, creativeID: won.bid.id, price: won.bid.price.amount, currency: answer.response.currency,
                rendering: .primarySDK, dealID: won.bid.dealID)
        }
        adapter.winningSSPName = won.seat.isEmpty ? name : won.seat
        adapter.markup = imp.markup
        adapter.winURLs = imp.onWin
        adapter.displayURLs = imp.onDisplay
        adapter.latency = latency
        return adapter
    }
}
