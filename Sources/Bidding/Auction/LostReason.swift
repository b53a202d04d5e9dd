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
