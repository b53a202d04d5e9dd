/// Why a candidate lost, in one word; the raw value is used in JSON and on screen.
package enum LostReason: String, Sendable, Hashable, CaseIterable {
    // Reasons from the competition.
    case lostToHigherBid, lostToDeal, preempted
    // Reasons from the bid itself, in the order of the checks (BID-16).
    case auctionIdMismatch
    case missingBidId, unknownImp
    case missingPrice, priceOutOfRange, nonPositivePrice
    case currencyNotAllowed, currencyUnconvertible
    case seatBlocked
    case unknownDeal, dealRequired, dealSeatNotAllowed
    case missingCreativeId, missingMarkup
    case advertiserBlocked, categoryBlocked, attributeBlocked, appBlocked, languageNotAllowed
    case formatMismatch, durationNotAllowed, sizeNotAllowed
    case insecureMarkup
    case belowDealFloor, belowFloor, floorUnconvertible
    // Reasons from an adapter.
    case adapterConsumed, incompleteAdapter, notForwarded, noMatchingLineItem

    /// The code for `${AUCTION_LOSS}`.
    package var code: LossReason {
        switch self {
        case .lostToHigherBid, .preempted, .notForwarded, .noMatchingLineItem: .lostToHigherBid
        case .lostToDeal: .lostToDeal
        case .auctionIdMismatch: .invalidAuction
        case .missingBidId, .unknownImp, .nonPositivePrice, .priceOutOfRange, .currencyNotAllowed,
            .currencyUnconvertible,
            .incompleteAdapter:
            .invalidResponse
        case .missingPrice: .missingPrice
        case .seatBlocked: .seatBlocked
        case .unknownDeal, .dealRequired, .dealSeatNotAllowed: .invalidDeal
        case .missingCreativeId: .missingCreative
        case .missingMarkup: .missingMarkup
        case .advertiserBlocked: .advertiserExcluded
        case .categoryBlocked: .categoryExcluded
        case .attributeBlocked: .attributeExcluded
        case .appBlocked: .bundleExcluded
        case .languageNotAllowed: .languageExcluded
        case .formatMismatch: .formatNotAllowed
        case .durationNotAllowed: .filtered
        case .sizeNotAllowed: .sizeNotAllowed
        case .insecureMarkup: .notSecure
        case .belowDealFloor: .belowDealFloor
        case .belowFloor: .belowFloor
        case .floorUnconvertible, .adapterConsumed: .internalError
        }
    }

    /// Whether the bid was valid and only outbid: such a bidder may learn the price to win.
    package var isByPrice: Bool { self == .lostToHigherBid }
}

extension LostReason {
    /// The reason in words. JSON has the raw value.
    package var words: String {
        switch self {
        case .lostToHigherBid: "lost to a higher bid"
        case .lostToDeal: "lost to a deal"
        case .preempted: "preempted"
        case .auctionIdMismatch: "another auction's id"
        case .missingBidId: "no bid id"
        case .unknownImp: "unknown impression"
        case .missingPrice: "no price"
        case .priceOutOfRange: "price out of range"
        case .nonPositivePrice: "price not above 0"
        case .currencyNotAllowed: "currency not allowed"
        case .currencyUnconvertible: "no rate for its currency"
        case .seatBlocked: "seat blocked"
        case .unknownDeal: "unknown deal"
        case .dealRequired: "no deal, one is required"
        case .dealSeatNotAllowed: "seat not in the deal"
        case .missingCreativeId: "no creative id"
        case .missingMarkup: "no markup"
        case .advertiserBlocked: "advertiser blocked"
        case .categoryBlocked: "category blocked"
        case .attributeBlocked: "attribute blocked"
        case .appBlocked: "app blocked"
        case .languageNotAllowed: "language not allowed"
        case .formatMismatch: "another format"
        case .durationNotAllowed: "duration not allowed"
        case .sizeNotAllowed: "size not allowed"
        case .insecureMarkup: "markup not secure"
        case .belowDealFloor: "below the deal's floor"
        case .belowFloor: "below the floor"
        case .floorUnconvertible: "no rate for the floor"
        case .adapterConsumed: "taken by an adapter"
        case .incompleteAdapter: "incomplete adapter"
        case .notForwarded: "not forwarded"
        case .noMatchingLineItem: "no matching line item"
        }
    }
}
