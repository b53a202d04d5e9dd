import Ports

/// The steps after the decision: rendering, notices, timing (BID-14, BID-20).
extension AuctionCourse {
    /// Determines the slot's final state and the adapter's callbacks.
    mutating func playOut() {
        guard let winner = result.winner else { return }
        result.finalState = .loaded
        if result.candidates[winner].source == .bidder, let forwarded = result.forwarded {
            playAdapter(auction.adapters[forwarded.index])
            return
        }
        if let bid = result.candidates[winner].bid {
            result.markup = bid.markup.map { winnerMacros.fill($0) }
            if bid.markup == nil {
                result.awaited = AwaitedMarkup(
                    check: MarkupCheck(bid, in: auction.placement), macros: winnerMacros)
            }
        } else if case .html(let html)? = lineItem(result.candidates[winner].id)?.creative {
            result.markup = html
        }
        for event in auction.events {
            switch event {
            case .display: result.finalState = .impressed
            case .click: if result.finalState == .impressed { result.finalState = .clicked }
            }
        }
    }

    private func lineItem(_ id: String) -> LineItem? { auction.lineItems.first { $0.id == id } }

    private mutating func playAdapter(_ adapter: BidderAdapter) {
        let isInterstitial = auction.placement.format == .interstitial || auction.placement.format == .rewarded
        var course = AdapterCourse(rendering: adapter.rendering, isInterstitial: isInterstitial)
        note(course.primaryLost(markup: adapter.markup), adapter)
        // A recorded partner loads and shows immediately.
        course.banner(.didLoad)
        course.interstitial(.didLoad)
        for event in auction.events {
            switch event {
            case .display:
                note(course.shown(), adapter)
                course.interstitial(.didShow)
            case .click:
                note(course.clicked(), adapter)
            }
        }
        result.finalState = course.state
        if course.state == .failed { result.failure = .internalError }
        if adapter.rendering == .primarySDK, let markup = adapter.markup, !markup.isEmpty { result.markup = markup }
    }

    private mutating func note(_ calls: [AdapterCall], _ adapter: BidderAdapter) {
        result.callbacks += calls.map { AdapterCallback(adapter: adapter.name, call: $0) }
    }

    // MARK: Notices

    /// Adds the winner's win notice, loss notices in the order of the input, then the billing notice if the ad was
    /// displayed.
    mutating func planNotices() {
        let rtbWinner = result.winner.flatMap { result.candidates[$0].source == .rtb ? $0 : nil }
        if let rtbWinner, let url = result.candidates[rtbWinner].bid?.winURL {
            add(.win, rtbWinner, url, winnerMacros)
        }
        // The macros in the URLs of an adapter are already expanded.
        let adapter =
            result.winningCandidate?.source == .bidder ? result.forwarded.map { auction.adapters[$0.index] } : nil
        if let winner = result.winner, let adapter {
            for url in adapter.winURLs { add(.win, winner, url, AuctionMacros()) }
        }
        for (index, candidate) in result.candidates.enumerated() {
            guard candidate.source == .rtb, let reason = candidate.lostReason, let url = candidate.bid?.lossURL else {
                continue
            }
            add(.loss, index, url, loserMacros(candidate, reason))
        }
        if let rtbWinner, auction.events.contains(.display), let url = result.candidates[rtbWinner].bid?.billingURL {
            add(.billing, rtbWinner, url, winnerMacros)
        }
        if let winner = result.winner, let adapter, result.finalState == .impressed || result.finalState == .clicked {
            for url in adapter.displayURLs { add(.billing, winner, url, AuctionMacros()) }
        }
    }

    private mutating func add(_ kind: Notice.Kind, _ candidate: Int, _ template: String, _ macros: AuctionMacros) {
        result.notices.append(Notice(kind: kind, candidate: candidate, template: template, macros: macros))
    }

    private var winnerMacros: AuctionMacros {
        guard let winner = result.winner, let cpm = result.cpm else { return AuctionMacros() }
        let candidate = result.candidates[winner]
        var macros = commonMacros(candidate)
        let bid = candidate.cpm ?? cpm
        // A first-price winner gets its own price as written; a lower price is converted to the currency of the bid.
        let price = cpm == bid ? candidate.price : inCurrency(of: candidate, cpm)
        macros[.price] = price?.text ?? ""
        macros[.marketBidRatio] = cpm.divided(by: bid)?.money.text ?? ""
        macros[.loss] = String(LossReason.won.rawValue)
        macros[.minimumToWin] = minimumToWin.flatMap { inCurrency(of: candidate, $0) }?.text ?? ""
        return macros
    }

    /// The lowest price with which the winner would have won: the best of the others, and at least the floor.
    private var minimumToWin: ExactDecimal? {
        guard let winner = result.winner else { return nil }
        let others = result.candidates.indices.filter { index in
            index != winner && result.candidates[index].source != .rtb
                && result.candidates[index].lostReason?.isByPrice == true
        }
        // Where deals are preferred, one wins against every open bid, whatever it pays.
        let isPreferred = auction.rules.prefersDeals && result.candidates[winner].deal != nil
        let rival = rtbWinner.flatMap { highestPrice(below: $0, ofDeals: isPreferred) }
        let prices = others.map { result.candidates[$0].cpm } + [rival, result.candidates[winner].floor]
        return prices.compactMap(\.self).max()
    }

    private func loserMacros(_ candidate: Candidate, _ reason: LostReason) -> AuctionMacros {
        var macros = commonMacros(candidate)
        macros[.loss] = String(reason.code.rawValue)
        if reason.isByPrice, let cpm = result.cpm { macros[.minimumToWin] = inCurrency(of: candidate, cpm)?.text ?? "" }
        return macros
    }

    private func commonMacros(_ candidate: Candidate) -> AuctionMacros {
        var macros = AuctionMacros()
        macros[.id] = candidate.requestID ?? auction.id
        macros[.bidID] = candidate.responseBidID ?? ""
        macros[.impID] = candidate.bid?.impID ?? ""
        macros[.seatID] = candidate.seat ?? ""
        macros[.adID] = candidate.bid?.adID ?? ""
        macros[.currency] = candidate.currency ?? auction.rules.currency
        return macros
    }

    private func inCurrency(of candidate: Candidate, _ amount: ExactDecimal) -> ExactDecimal? {
        let target = auction.rules.currency
        return auction.rates.convert(amount, from: target, to: candidate.currency ?? target)
    }

    // MARK: Pod and steps

    mutating func packPod() {
        guard auction.placement.format == .video, let room = auction.placement.pod, room.duration != nil else { return }
        let bids = rtbRanking.sorted().compactMap { index -> PodBid? in
            let candidate = result.candidates[index]
            guard let bid = candidate.bid, let cpm = candidate.cpm, let duration = bid.duration else { return nil }
            return PodBid(id: bid.id, candidate: index, cpm: cpm, duration: duration, place: bid.podPlace)
        }
        result.pod = Pod.packed(bids, in: room)
    }

    /// Sets the time of each step, as far as the answers show it.
    mutating func noteSteps() {
        let deadline = auction.rules.deadline
        let answered = auction.answers.map { min($0.latency, deadline) }.max() ?? .zero
        let decided = max(answered, auction.adapters.map { min($0.latency, deadline) }.max() ?? .zero)
        let bids = result.candidates.count { $0.source == .rtb }
        let shown = result.finalState == .impressed || result.finalState == .clicked
        let winner = result.winningCandidate
        result.steps = [
            AuctionStep(.request, at: .zero, note: "\(auction.answers.count + auction.adapters.count) asked"),
            AuctionStep(.bids, at: answered, note: "\(bids) \(bids == 1 ? "bid" : "bids")"),
            AuctionStep(.adapter, at: decided, note: result.forwarded?.adapter ?? "none"),
            AuctionStep(.adCall, at: decided),
            AuctionStep(
                .lineItem, at: decided, note: winner?.via ?? (winner?.source == .direct ? winner?.id ?? "" : "none")),
            AuctionStep(.creative, at: result.winner == nil ? nil : decided),
            AuctionStep(.cache, at: nil, note: "none"),
            AuctionStep(.shown, at: shown ? decided : nil),
        ]
    }
}
