import Ports

/// The line items of an auction: which take part themselves, and which only represent a keyword bidder (BID-18).
extension AuctionCourse {
    mutating func takeLineItems() {
        let own = AdCallKeywords(auction.placement.keywords)
        var all = own
        for keyword in result.forwarded?.keywords ?? [] { all.append(keyword) }
        var hasMatch = false
        for item in auction.lineItems {
            var candidate = Candidate(source: .direct, id: item.id, who: item.name, state: .notEligible)
            candidate.price = changed(item.cpm) ?? item.cpm
            candidate.currency = item.currency ?? auction.rules.currency
            if let note = obstacle(item, keywords: all) {
                candidate.notes.append(note)
                result.candidates.append(candidate)
                continue
            }
            guard let cpm = cpm(of: item, &candidate) else {
                result.candidates.append(candidate)
                continue
            }
            if item.clauses.hold(for: own) {
                candidate.state = .won
                programmed.append(
                    Programmed(candidate: result.candidates.count, priority: item.priority, cpm: cpm))
            } else {
                hasMatch = true
                candidate.state = .proxy
                if isUsable(asProxy: item) { proxies.append((result.candidates.count, cpm)) }
            }
            result.candidates.append(candidate)
        }
        if !hasMatch { noteMissingLineItem() }
        chooseProxy()
    }

    private func obstacle(_ item: LineItem, keywords: AdCallKeywords) -> CandidateNote? {
        if !item.runs(at: auction.now) { return .notRunning }
        if !item.fits(auction.placement) { return .sizeDoesNotFit }
        return item.clauses.first { !$0.holds(for: keywords) }.map { .clauseFails($0.text) }
    }

    private mutating func cpm(of item: LineItem, _ candidate: inout Candidate) -> ExactDecimal? {
        let target = auction.rules.currency
        let currency = item.currency ?? target
        guard let cpm = auction.rates.convert(candidate.price ?? .zero, from: currency, to: target) else {
            result.warnings.append("lineItemCurrencyUnconvertible:\(item.id)")
            candidate.notes.append(.found("\(currency) cannot be converted"))
            return nil
        }
        candidate.cpm = cpm
        if currency != target, let price = candidate.price {
            candidate.notes.append(.converted(price, currency, to: cpm, target))
        }
        return cpm
    }

    private mutating func isUsable(asProxy item: LineItem) -> Bool {
        guard item.priority == .ecpm else {
            result.warnings.append("keywordLineItemNotEcpm:\(item.id)")
            return false
        }
        guard item.cpm != nil else {
            result.warnings.append("keywordLineItemMissingCpm:\(item.id)")
            return false
        }
        return true
    }

    private mutating func noteMissingLineItem() {
        guard let forwarded = result.forwarded, !forwarded.keywords.isEmpty,
            auction.adapters[forwarded.index].competition == .keyword
        else { return }
        result.warnings.append("noLineItemForKeyword:\(forwarded.keywords.joined(separator: ";"))")
    }

    /// The bidder competes through the line item with the highest CPM that its keyword selects.
    private mutating func chooseProxy() {
        guard let forwarded = result.forwarded, let candidate = forwardedCandidate,
            auction.adapters[forwarded.index].competition == .keyword
        else { return }
        let best = proxies.enumerated().max { left, right in
            left.element.cpm == right.element.cpm ? left.offset > right.offset : left.element.cpm < right.element.cpm
        }
        guard let best = best?.element else {
            result.candidates[candidate].state = .lost(.noMatchingLineItem)
            return
        }
        let item = result.candidates[best.candidate].id
        result.candidates[candidate].via = item
        result.candidates[candidate].cpm = best.cpm
        result.candidates[candidate].notes.append(.through(item, best.cpm))
    }
}
