import Ports

/// The substitution macros of OpenRTB 2.6 (section 4.4; BID-2).
package enum AuctionMacro: Int, Sendable, CaseIterable {
    case id, bidID, impID, seatID, adID, price, currency, marketBidRatio, loss, minimumToWin, multiplier, impTimestamp
    case discountPercent, discountCPM

    private static let names = [
        "AUCTION_ID", "AUCTION_BID_ID", "AUCTION_IMP_ID", "AUCTION_SEAT_ID", "AUCTION_AD_ID", "AUCTION_PRICE",
        "AUCTION_CURRENCY", "AUCTION_MBR", "AUCTION_LOSS", "AUCTION_MIN_TO_WIN", "AUCTION_MULTIPLIER", "AUCTION_IMP_TS",
        "AUCTION_DISCOUNT_PCT", "AUCTION_DISCOUNT_CPM",
    ]

    /// The name between the braces; nil for an unknown name.
    package init?(name: some StringProtocol) {
        guard let index = Self.names.firstIndex(where: { $0 == name }) else { return nil }
        self.init(rawValue: index)
    }

    package var name: String { Self.names[rawValue] }
}

/// Macro values of one bid. Substitution is plain text replacement: a known macro without a value becomes empty, `:B64`
/// encodes, and unknown macros are unchanged.
package struct AuctionMacros: Hashable, Sendable {
    /// Replaces unknown values when markup is only inspected.
    private static let auditText = "AUDIT"

    /// Values by the macro's raw value; empty when there is none.
    private var values = [String](repeating: "", count: AuctionMacro.allCases.count)

    package init() {}

    /// The values of a bid that won at its own price.
    package init(of bid: Bid, seat: String, in response: BidResponse) {
        self[.id] = response.id
        self[.bidID] = response.bidID ?? ""
        self[.impID] = bid.impID
        self[.seatID] = seat
        self[.adID] = bid.adID ?? ""
        self[.price] = bid.price.amount?.text ?? ""
        self[.currency] = response.currency
        self[.loss] = "\(LossReason.won.rawValue)"
    }

    /// Empty when there is no value.
    package subscript(macro: AuctionMacro) -> String {
        get { values[macro.rawValue] }
        set { values[macro.rawValue] = newValue }
    }

    /// The template with every macro expanded; with `isAudit` a placeholder replaces missing values.
    package func fill(_ template: String, isAudit: Bool = false) -> String {
        let bytes = template.utf8
        guard bytes.contains(UInt8(ascii: "$")) else { return template }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var rest = Substring(template).utf8
        while let mark = rest.firstIndex(of: UInt8(ascii: "$")) {
            output.append(contentsOf: rest[..<mark])
            rest = rest[mark...]
            if let (value, end) = macro(at: rest, isAudit: isAudit) {
                output.append(contentsOf: value.utf8)
                rest = rest[end...]
            } else {
                output.append(UInt8(ascii: "$"))
                rest = rest.dropFirst()
            }
        }
        output.append(contentsOf: rest)
        return String(decoding: output, as: UTF8.self)
    }

    /// Longest text between the braces that can be a macro.
    private static let longestName = 64

    private func macro(at text: Substring.UTF8View, isAudit: Bool) -> (value: String, end: String.Index)? {
        let inner = text.dropFirst()
        guard inner.first == UInt8(ascii: "{"),
            let close = inner.prefix(Self.longestName).firstIndex(of: UInt8(ascii: "}")),
            let name = String(inner[inner.startIndex..<close].dropFirst())
        else { return nil }
        let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let macro = AuctionMacro(name: parts[0]) else { return nil }
        var value = self[macro]
        if value.isEmpty, isAudit { value = Self.auditText }
        if parts.count == 2 {
            guard parts[1] == "B64" else { return nil }
            value = Base64.encode(Array(value.utf8))
        }
        return (value, inner.index(after: close))
    }
}
