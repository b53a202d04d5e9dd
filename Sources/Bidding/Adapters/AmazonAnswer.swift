package import Ports

/// Why an Amazon-style answer cannot be converted to an adapter.
package enum AmazonProblem: String, Error, Sendable, Hashable {
    case noAd, noPricePoint, unknownPricePoint, configInvalid
}

/// Opaque price points and their prices: `{pricePoints: "p1:0.10 p2:0.20", creativeTag, currencyCode}` (BID-11).
package struct AmazonPriceTable: Hashable, Sendable {
    package var prices: [String: ExactDecimal]
    package var creativeTag: String
    package var currency: String

    private static let maximumPoints = 10_000

    /// Points that are not `name:price` are dropped; an empty table is a configuration error.
    package init(_ json: JSONValue) throws(AmazonProblem) {
        prices = [:]
        let points = (json["pricePoints"]?.stringValue ?? "").split(separator: " ").prefix(Self.maximumPoints)
        for point in points {
            let parts = point.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, let price = ExactDecimal(parts[1]), price.isPositive else {
                continue
            }
            prices[String(parts[0])] = price
        }
        guard !prices.isEmpty, let currency = json["currencyCode"]?.filledText else { throw .configInvalid }
        self.currency = currency
        creativeTag = json["creativeTag"]?.stringValue ?? ""
    }
}

/// A recorded answer of an Amazon-style partner.
package enum AmazonAnswer {
    /// The placeholder size of an interstitial.
    private static let fullScreen = AdSize(9_999, 9_999)

    /// The adapter for the answer: by keyword, or by price when there is a table.
    package static func adapter(_ json: JSONValue, table: AmazonPriceTable?) throws(AmazonProblem) -> BidderAdapter {
        guard let size = json["adSizes"]?.arrayValue?.first, let bidID = json["bidId"]?.filledText else { throw .noAd }
        guard let point = json["customTargeting"]?["amznslots"]?.filledText else { throw .noPricePoint }
        guard let table else {
            var adapter = BidderAdapter(
                name: "Amazon", creativeID: bidID, keyword: "amznslots=\(point)", rendering: .mediation)
            adapter.winningSSPName = "Amazon"
            return adapter
        }
        guard let price = table.prices[point] else { throw .unknownPricePoint }
        var adapter = BidderAdapter(
            name: "SASAmazonBidderAdapter", creativeID: bidID, price: price, currency: table.currency,
            rendering: .primarySDK)
        adapter.winningSSPName = "Amazon"
        adapter.markup = markup(table.creativeTag, size: size, targeting: json["customTargeting"] ?? .null)
        return adapter
    }

    private static func markup(_ tag: String, size: JSONValue, targeting: JSONValue) -> String {
        let width = size["w"]?.smallInteger ?? 0
        let height = size["h"]?.smallInteger ?? 0
        let isFullScreen = AdSize(width, height) == fullScreen
        var values = [
            "adWidth": isFullScreen ? "100%" : "\(width)px", "adHeight": isFullScreen ? "auto" : "\(height)px",
        ]
        for key in ["amzn_b", "amzn_h", "amznslots"] { values[key] = targeting[key]?.stringValue ?? "" }
        return fill(tag, values)
    }

    /// Replaces `%%KEYWORD:name%%`; other text between percent signs is unchanged.
    private static func fill(_ tag: String, _ values: [String: String]) -> String {
        let mark = "%%KEYWORD:"
        var output = ""
        var rest = Substring(tag)
        while let percent = rest.firstIndex(of: "%") {
            output += rest[..<percent]
            rest = rest[percent...]
            if rest.hasPrefix(mark), let end = rest.dropFirst(mark.count).firstIndex(of: "%"),
                let value = values[String(rest.dropFirst(mark.count)[..<end])], rest[end...].hasPrefix("%%")
            {
                output += value
                rest = rest[end...].dropFirst(2)
            } else {
                output += "%"
                rest = rest.dropFirst()
            }
        }
        return output + rest
    }
}
