import Ports

/// The adapters of an auction: which are eligible, and which one is added to the ad call (BID-17).
extension AuctionCourse {
    /// An adapter that is complete and in time.
    private struct Offer {
        var index: Int
        var candidate: Int
        /// The value in the currency of the auction; nil for a keyword of unknown price.
        var value: ExactDecimal?
        /// The keyword for the ad call.
        var keyword: String?
    }

    mutating func takeAdapters() {
        var offers: [Offer] = []
        for (index, adapter) in auction.adapters.enumerated() {
            guard adapter.latency <= auction.rules.deadline else {
                let deadline = auction.rules.deadline.inMilliseconds
                result.nonBids.append(
                    NonBid(
                        seat: adapter.name, status: NonBid.Status.timeout, reason: "timeout",
                        detail: "\(adapter.latency.inMillisecondsRoundedUp) ms > \(deadline)"))
                continue
            }
            if let offer = offer(adapter, index) { offers.append(offer) }
        }
        let best = offers.enumerated().min { left, right in isBetter(left.element, right.element) }
        guard let best else { return }
        for (place, offer) in offers.enumerated() where place != best.offset {
            result.candidates[offer.candidate].state = .lost(.notForwarded)
            result.candidates[offer.candidate].notes.append(
                .betterForwarded(result.candidates[best.element.candidate].name))
        }
        forward(best.element)
    }

    private mutating func offer(_ adapter: BidderAdapter, _ index: Int) -> Offer? {
        var candidate = Candidate(source: .bidder, id: adapter.winningCreativeID, who: adapter.name, state: .won)
        candidate.price = changed(adapter.price) ?? adapter.price
        candidate.currency = adapter.currency
        candidate.latency = adapter.latency
        candidate.deal = adapter.dealID
        candidate.requestID = adapter.requestID
        candidate.adapter = index
        var offer = Offer(index: index, candidate: result.candidates.count)
        if let reason = value(of: adapter, &candidate, &offer) { candidate.state = .lost(reason) }
        result.candidates.append(candidate)
        return candidate.lostReason == nil ? offer : nil
    }

    private func value(of adapter: BidderAdapter, _ candidate: inout Candidate, _ offer: inout Offer) -> LostReason? {
        if adapter.isConsumed { return .adapterConsumed }
        switch adapter.competition {
        case .price:
            if let reason = convert(adapter, &candidate) { return reason }
            offer.value = candidate.cpm
        case .keyword:
            if let bucket = adapter.keywordFromBucket {
                if let reason = convert(adapter, &candidate) { return reason }
                let value = candidate.cpm.flatMap { PriceBucket.value($0, bucket.granularity) }
                guard let value else { return .incompleteAdapter }
                offer.value = value
                offer.keyword = "\(bucket.key)=\(value.text(decimals: bucket.granularity.precision))"
                // It competes with the CPM of a line item, not with its own price.
                candidate.cpm = nil
            } else {
                guard let keyword = adapter.keyword else { return .incompleteAdapter }
                offer.keyword = keyword
                offer.value = worth(of: keyword, adapter)
            }
        }
        return nil
    }

    private func convert(_ adapter: BidderAdapter, _ candidate: inout Candidate) -> LostReason? {
        guard let price = candidate.price, let currency = adapter.currency else { return .incompleteAdapter }
        guard price.isPositive else { return .nonPositivePrice }
        let target = auction.rules.currency
        guard let cpm = auction.rates.convert(price, from: currency, to: target) else { return .currencyUnconvertible }
        candidate.cpm = cpm
        if currency != target { candidate.notes.append(.converted(price, currency, to: cpm, target)) }
        return nil
    }

    private func worth(of keyword: String, _ adapter: BidderAdapter) -> ExactDecimal? {
        let points = adapter.pricePoints
        let value = points[keyword] ?? KeywordClause.split(keyword).value.flatMap { points[$0] }
        let target = auction.rules.currency
        return value.flatMap { auction.rates.convert($0, from: adapter.currency ?? target, to: target) }
    }

    /// Known values come before unknown ones, then the higher, then the faster, then the order of the input.
    private func isBetter(_ left: Offer, _ right: Offer) -> Bool {
        if left.value != right.value {
            guard let leftValue = left.value else { return false }
            guard let rightValue = right.value else { return true }
            return leftValue > rightValue
        }
        let (leftLatency, rightLatency) = (auction.adapters[left.index].latency, auction.adapters[right.index].latency)
        return leftLatency == rightLatency ? left.index < right.index : leftLatency < rightLatency
    }

    private mutating func forward(_ offer: Offer) {
        let adapter = auction.adapters[offer.index]
        forwardedCandidate = offer.candidate
        result.candidates[offer.candidate].notes.append(.forwarded)
        var parameters = [TargetingPair("hb_bid", adapter.winningSSPName)]
        if adapter.competition == .price, let price = result.candidates[offer.candidate].price,
            let currency = adapter.currency
        {
            parameters += [TargetingPair("hb_cpm", price.text), TargetingPair("hb_ccy", currency)]
        }
        if let deal = adapter.dealID { parameters.append(TargetingPair("hb_dealid", deal)) }
        result.forwarded = ForwardedAdapter(
            index: offer.index, adapter: adapter.name, parameters: parameters,
            keywords: offer.keyword.map(BidderAdapter.keywords) ?? [])
    }
}
