import Ports

/// Checks whether a bid is eligible; the first rule that fails decides (BID-16).
struct BidCheck {
    private let auction: Auction
    private let allowedCurrencies: Set<String>
    private let placement: Placement

    /// The results of the checks of a bid, up to the first that failed.
    struct Finding {
        var reason: LostReason?
        var cpm: ExactDecimal?
        var floor: ExactDecimal?
        var deal: Deal?
        var notes: [CandidateNote] = []
    }

    init(_ auction: Auction) {
        self.auction = auction
        placement = auction.placement
        allowedCurrencies = Set(auction.rules.allowedCurrencies)
    }

    /// Checks a bid.
    ///
    /// - Parameter requestID: id of the request that the response answers; nil for the auction's own.
    func finding(_ bid: Bid, seat: String, of response: BidResponse, requestID: String?) -> Finding {
        var finding = Finding()
        finding.reason =
            identity(bid, of: response, requestID ?? auction.id)
            ?? price(bid, &finding)
            ?? currency(bid, of: response, &finding)
            ?? seats(seat)
            ?? deal(bid, seat: seat, &finding)
            ?? creative(bid)
            ?? safety(bid, &finding)
            ?? shape(bid, &finding)
            ?? floor(bid, &finding)
        if finding.reason == nil { finding.notes.append(.checksPassed) }
        return finding
    }

    private func identity(_ bid: Bid, of response: BidResponse, _ requestID: String) -> LostReason? {
        if response.id != requestID { return .auctionIdMismatch }
        if bid.id.isEmpty { return .missingBidId }
        return bid.impID == placement.impID ? nil : .unknownImp
    }

    private func price(_ bid: Bid, _ finding: inout Finding) -> LostReason? {
        switch bid.price {
        case .missing: return .missingPrice
        case .absurd: return .priceOutOfRange
        case .amount(let amount):
            let isFree = amount == .zero && bid.dealID != nil
            return amount.isPositive || isFree ? nil : .nonPositivePrice
        }
    }

    private func currency(_ bid: Bid, of response: BidResponse, _ finding: inout Finding) -> LostReason? {
        let target = auction.rules.currency
        guard allowedCurrencies.contains(response.currency) else {
            finding.notes.append(.found(response.currency))
            return .currencyNotAllowed
        }
        guard let amount = bid.price.amount,
            let cpm = auction.rates.convert(amount, from: response.currency, to: target)
        else { return .currencyUnconvertible }
        finding.cpm = cpm
        if response.currency != target {
            finding.notes.append(.converted(amount, response.currency, to: cpm, target))
        }
        return nil
    }

    private func seats(_ seat: String) -> LostReason? {
        let block = placement.block
        if block.blockedSeats.contains(seat) { return .seatBlocked }
        return block.allowedSeats.isEmpty || block.allowedSeats.contains(seat) ? nil : .seatBlocked
    }

    private func deal(_ bid: Bid, seat: String, _ finding: inout Finding) -> LostReason? {
        guard let id = bid.dealID else { return placement.isPrivate ? .dealRequired : nil }
        guard let deal = placement.deals.first(where: { $0.id == id }) else {
            finding.notes.append(.found(id))
            return .unknownDeal
        }
        finding.deal = deal
        finding.notes.append(.deal(id))
        guard deal.seats.isEmpty || deal.seats.contains(seat) else { return .dealSeatNotAllowed }
        let isAdvertiserAllowed =
            deal.advertiserDomains.isEmpty
            || BrandSafety.blockedAdvertiser(bid.advertiserDomains, by: deal.advertiserDomains) != nil
        return isAdvertiserAllowed ? nil : .dealSeatNotAllowed
    }

    private func creative(_ bid: Bid) -> LostReason? {
        if bid.creativeID == nil { return .missingCreativeId }
        return bid.markup == nil && bid.winURL == nil ? .missingMarkup : nil
    }

    private func safety(_ bid: Bid, _ finding: inout Finding) -> LostReason? {
        let block = placement.block
        if let domain = BrandSafety.blockedAdvertiser(bid.advertiserDomains, by: block.advertisers) {
            finding.notes.append(.found(domain))
            return .advertiserBlocked
        }
        if let category = BrandSafety.blockedCategory(bid.categories, by: block.categories) {
            finding.notes.append(.found(category))
            return .categoryBlocked
        }
        if let attribute = BrandSafety.blockedAttribute(bid.attributes, by: block.attributes) {
            finding.notes.append(.found("attribute \(attribute)"))
            return .attributeBlocked
        }
        if let bundle = bid.bundle, block.apps.contains(bundle) {
            finding.notes.append(.found(bundle))
            return .appBlocked
        }
        return BrandSafety.isAllowed(language: bid.language, among: block.languages) ? nil : .languageNotAllowed
    }

    private func shape(_ bid: Bid, _ finding: inout Finding) -> LostReason? {
        if let type = bid.markupType, !placement.format.markupTypes.contains(type) {
            finding.notes.append(.found("mtype \(type)"))
            return .formatMismatch
        }
        let check = MarkupCheck(bid, in: placement)
        if let form = bid.markup.flatMap(check.misfit) {
            finding.notes.append(.found("\(form.rawValue) markup"))
            return .formatMismatch
        }
        if let duration = bid.duration, placement.format.isVideo {
            let isAllowed =
                duration >= placement.minimumDuration ?? 0 && duration <= placement.maximumDuration ?? .max
            if !isAllowed {
                finding.notes.append(.found("\(duration) s"))
                return .durationNotAllowed
            }
        }
        if let size = bid.size, placement.format.isMeasured, !placement.sizes.isEmpty, !placement.sizes.contains(size) {
            finding.notes.append(.found(size.description))
            return .sizeNotAllowed
        }
        return bid.markup.map(check.isInsecure) ?? false ? .insecureMarkup : nil
    }

    private func floor(_ bid: Bid, _ finding: inout Finding) -> LostReason? {
        let ofDeal = finding.deal?.floor.floor(duration: bid.duration)
        let guide = ofDeal == nil ? placement.floor : finding.deal?.floor ?? placement.floor
        guard let floor = ofDeal ?? placement.floor.floor(duration: bid.duration), let cpm = finding.cpm else {
            return nil
        }
        guard let converted = auction.rates.convert(floor, from: guide.currency, to: auction.rules.currency) else {
            // An amount without an exchange rate is never compared as if the rate were 1, so this bid cannot be sold.
            finding.notes.append(.belowFloor(floor, guide.currency))
            return .floorUnconvertible
        }
        finding.floor = converted
        guard cpm >= converted else {
            finding.notes.append(.belowFloor(floor, guide.currency))
            return ofDeal == nil ? .belowFloor : .belowDealFloor
        }
        finding.notes.append(.floorMet(floor, guide.currency))
        return nil
    }
}

extension AdFormat {
    /// The `mtype` values of matching bids.
    package var markupTypes: Set<Int> {
        switch self {
        case .banner: [1]
        case .interstitial: [1, 2]
        // The imp offers video only, whose end card is a companion.
        case .rewarded: [2]
        case .video: [2]
        case .native: [4]
        }
    }

    fileprivate var isVideo: Bool { self == .video || self == .rewarded }
    /// Whether the sizes of bids must be among those of the placement.
    fileprivate var isMeasured: Bool { self == .banner || self == .interstitial }
}
