/// Why a candidate did not win, in one word; the raw value is what JSON and the screen say.
package enum LostReason: String, Sendable, Hashable, CaseIterable {
    // Of the competition.
    case lostToHigherBid, lostToDeal, preempted
    // Of a bid by itself, in the order of the checks (BID-16).
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
    // Of an adapter.
    case adapterConsumed, incompleteAdapter, notForwarded, noMatchingLineItem

    /// The number for `${AUCTION_LOSS}`.
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

    /// Whether the bid was good and only another was better: such a bid may learn what would have won.
    package var isByPrice: Bool { self == .lostToHigherBid }
}
