package import Ports

/// A partner's bid as the primary ad server receives it: how it competes and who renders it if it wins (BID-13).
///
/// This is the published adapter protocol as a value: its properties are here, its callbacks in ``AdapterCall``, their
/// order in ``AdapterCourse``.
package struct BidderAdapter: Hashable, Sendable {
    package enum Competition: String, Sendable, CaseIterable {
        /// The bid states price and currency.
        case price
        /// The bid is a keyword that a line item targets.
        case keyword
    }

    package enum Rendering: String, Sendable, CaseIterable {
        /// The primary SDK renders the adapter's markup.
        case primarySDK
        /// A third party renders; the primary SDK only requests it.
        case thirdParty
        /// The partner's SDK renders and reports its events through a delegate.
        case mediation
    }

    /// Converts prices to a keyword, as header bidding does.
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
    /// `key=value`; several are joined with `;`.
    package var keyword: String?
    package var dealID: String?
    /// Markup that the primary SDK renders.
    package var markup: String?
    package var keywordFromBucket: BucketKeyword?
    /// The price of each keyword, in `currency` or the currency of the auction.
    package var pricePoints: [String: ExactDecimal] = [:]
    /// URLs to request when the bid won and when its ad was displayed, for servers that leave these requests to the
    /// client.
    package var winURLs: [String] = []
    package var displayURLs: [String] = []
    /// Whether it was already used in an ad call: an adapter can be used only once.
    package var isConsumed = false
    package var latency: Duration = .zero
    /// Id of the request that it answers, if that is not the auction's, as for a recording.
    package var requestID: String?

    /// An adapter that competes by price.
    package init(
        name: String, creativeID: String, price: ExactDecimal?, currency: String?, rendering: Rendering,
        dealID: String? = nil
    ) {
        self.init(name: name, creativeID: creativeID, competition: .price, rendering: rendering, dealID: dealID)
        self.price = price
        self.currency = currency
    }

    /// An adapter that competes by keyword.
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

    /// The keywords of the ad call, separately.
    package static func keywords(of text: String) -> [String] {
        text.split(separator: ";").map(String.init)
    }
}

extension BidderAdapter {
    /// Most adapters in one auction.
    package static let maximumAdapters = 1_000
    private static let maximumPricePoints = 10_000

    /// Parses an adapter in an auction document (docs/auction.md): a static or recorded bid.
    package init(_ json: JSONValue, path: String) throws(AuctionProblem) {
        guard let name = json["adapterName"]?.filledText else {
            throw AuctionProblem("\(path).adapterName", "expected a string")
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
        isConsumed = json["consumed"]?.flag ?? false
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
            throw AuctionProblem("\(path).\(name)", "\(written.text()) is not one of \(known)")
        }
        return value
    }
}
