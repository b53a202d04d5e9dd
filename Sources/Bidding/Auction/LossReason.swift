/// Why a bid lost, by the codes of OpenRTB 3.0 ("List: Loss Reason Codes") that bidders receive through
/// `${AUCTION_LOSS}`. Codes from 500 are exchange-specific.
package enum LossReason: Int, Sendable, Hashable, CaseIterable {
    case won = 0
    case internalError = 1
    case opportunityExpired = 2
    case invalidResponse = 3
    case invalidDeal = 4
    case invalidAuction = 5
    case invalidAdvertiserDomain = 6
    case missingMarkup = 7
    case missingCreative = 8
    case missingPrice = 9
    case missingApproval = 10
    case belowFloor = 100
    case belowDealFloor = 101
    case lostToHigherBid = 102
    case lostToDeal = 103
    case seatBlocked = 104
    case filtered = 200
    case pendingApproval = 201
    case disapproved = 202
    case sizeNotAllowed = 203
    case formatNotAllowed = 204
    case advertiserExcluded = 205
    case appExcluded = 206
    case notSecure = 207
    case languageExcluded = 208
    case categoryExcluded = 209
    case attributeExcluded = 210
    case adTypeExcluded = 211
    case animationTooLong = 212
    case notAllowedInDeal = 213
    case networkNotAllowed = 214
    case bundleExcluded = 215
}
