package import Ports

/// A partner's bid as the primary ad server gets it: how it competes and who renders it if it wins (BID-13).
///
/// The published adapter protocol as a value: properties here, callbacks in ``AdapterCall``, their order in
/// ``AdapterCourse``.
package struct BidderAdapter: Hashable, Sendable {
    package enum Competition: String, Sendable, CaseIterable {
        /// Price and currency in clear.
        case price
        /// A keyword that a line item targets.
        case keyword
    }

    package enum Rendering: String, Sendable, CaseIterable {
        /// The primary SDK shows the adapter's markup.
        case primarySDK
        /// Somebody else renders, the primary SDK only says when.
        case thirdParty
        /// The partner's SDK renders, its events come back through a delegate.
        case mediation
    }

    /// Prices made into a keyword, as header bidding does.
    package struct BucketKeyword: Hashable, Sendable {
        package var key: String
        package var granularity: PriceGranularity

        package init(key: String, granularity: PriceGranularity) {
            self.key = key
            self.granularity = granularity
        }
    }

    package var name: String
    package var winningSSPName: String
    package var winningCreativeID: String
    package var competition: Competition
    package var rendering: Rendering
    package var price: ExactDecimal?
    package var currency: String?
    /// `key=value`, several joined with `;`.
    package var keyword: String?
    package var dealID: String?
    /// For rendering by the primary SDK.
    package var markup: String?
    package var keywordFromBucket: BucketKeyword?
    /// What a keyword is worth, in `currency` or that of the auction.
    package var pricePoints: [String: ExactDecimal] = [:]
    /// Whom to call when it won, and when its ad was displayed: for bids of servers that leave that to the client.
    package var winURLs: [String] = []
    package var displayURLs: [String] = []
    /// Already used in an ad call: an adapter serves one only.
    package var isConsumed = false
    package var latency: Duration = .zero
    /// Id of the request it was made for, where that is another than the auction's: that of a recording.
    package var requestID: String?

    /// Competition by price.
    package init(
        name: String, creativeID: String, price: ExactDecimal?, currency: String?, rendering: Rendering,
        dealID: String? = nil
    ) {
        self.init(name: name, creativeID: creativeID, competition: .price, rendering: rendering, dealID: dealID)
        self.price = price
        self.currency = currency
    }

    /// Competition by keyword.
    package init(name: String, creativeID: String, keyword: String?, rendering: Rendering, dealID: String? = nil) {
        self.init(name: name, creativeID: creativeID, competition: .keyword, rendering: rendering, dealID: dealID)
        self.keyword = keyword
    }

    private init(name: String, creativeID: String, competition: Competition, rendering: Rendering, dealID: String?) {
        self.name = name
        winningSSPName = name
        winningCreativeID = creativeID
        self.competition = competition
        self.rendering = rendering
        self.dealID = dealID
    }

    /// The keywords of the ad call, one by one.
    package static func keywords(of text: String) -> [String] {
        text.split(separator: ";").map(String.init)
    }
}

extension BidderAdapter {
    /// Adapters of one auction that are read.
    package static let maximumAdapters = 1_000
    private static let maximumPricePoints = 10_000

    /// Reads an adapter of an auction document (docs/auction.md): a static or recorded bid.
    package init(_ json: JSONValue, path: String) throws(AuctionProblem) {
        guard let name = json["adapterName"]?.filledText else {
            throw AuctionProblem("\(path).adapterName", "a text is expected")
        }
        self.init(
            name: name, creativeID: json["winningCreativeID"]?.stringValue ?? "",
            competition: try Self.member(json, "competitionType", path, default: .price),
            rendering: try Self.member(json, "renderingType", path, default: .primarySDK),
            dealID: json["dealID"]?.filledText)
        winningSSPName = json["winningSSPName"]?.filledText ?? name
        price = json["price"]?.moneyValue
        currency = json["currency"]?.filledText
        keyword = json["keyword"]?.filledText
        markup = json["markup"]?.stringValue
        isConsumed = json["consumed"]?.boolValue ?? false
        latency = .milliseconds(json["latencyMs"]?.smallInteger ?? 0)
        for point in (json["pricePoints"]?.objectValue?.members ?? []).prefix(Self.maximumPricePoints) {
            pricePoints[point.name] = point.value.moneyValue
        }
        if let bucket = json["keywordFromBucket"], bucket != .null {
            do throws(GranularityProblem) {
                keywordFromBucket = BucketKeyword(
                    key: bucket["key"]?.filledText ?? "hb_pb",
                    granularity: try PriceGranularity(bucket["granularity"] ?? "medium"))
            } catch {
                throw AuctionProblem("\(path).keywordFromBucket.\(error.path)", error.message)
            }
        }
    }

    private static func member<Value: RawRepresentable & CaseIterable>(
        _ json: JSONValue, _ name: String, _ path: String, default standard: Value
    ) throws(AuctionProblem) -> Value where Value.RawValue == String {
        guard let written = json[name], written != .null else { return standard }
        guard let value = written.stringValue.flatMap(Value.init(rawValue:)) else {
            let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw AuctionProblem("\(path).\(name)", "\(written.text()) is none of \(known)")
        }
        return value
    }
}
