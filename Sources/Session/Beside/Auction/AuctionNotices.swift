import AdTracking
import Bidding
import Ports

/// Win, loss and billing notices of a session's auctions. Like beacons they are sent in fire mode, through the gate,
/// and only after they are in the journal. A person may also send those of one auction.
extension Beside {
    /// Sends each unsent notice of the auction decided last.
    mutating func fireNotices(isAsked: Bool, _ desk: inout Desk, at now: Moment) {
        guard !desk.configuration.sending.isReadonly else {
            return desk.note(.warning, "notices are not sent: --readonly", from: .auction, at: now)
        }
        guard auction.changes.isEmpty else {
            return desk.note(
                .warning, "notices of what-if prices are never sent; press n to hold the auction again", from: .auction,
                at: now)
        }
        guard desk.journal.isSettled else {
            auction.firesWhenSettled = isAsked || auction.firesWhenSettled == true
            return
        }
        guard desk.mayNoticesLeave else {
            return desk.note(.warning, "notices are not sent: no journal is open", from: .auction, at: now)
        }
        tellBidders(&desk, at: now)
        auction.notices.claim(isAsked: isAsked, at: now)
        sendNotices(&desk, at: now)
    }

    /// The journal has reported its entries, or failed to open: sends the notices that waited for it.
    mutating func fireNoticesThatWaited(_ desk: inout Desk, at now: Moment) {
        guard let isAsked = auction.firesWhenSettled, desk.journal.isSettled else { return }
        auction.firesWhenSettled = nil
        if isAsked || desk.mode == .fire { fireNotices(isAsked: isAsked, &desk, at: now) }
    }

    mutating func retryNotices(_ desk: inout Desk, at now: Moment) {
        guard let due = auction.notices.nextRetry, due <= now.uptime else { return }
        auction.notices.claimRetries(at: now)
        sendNotices(&desk, at: now)
    }

    private mutating func sendNotices(_ desk: inout Desk, at now: Moment) {
        for effect in auction.notices.takeEffects(at: now) { take(effect, &desk, at: now) }
        takeMarkup(&desk, at: now)
    }

    mutating func noticeClaimsWritten(_ claims: [ClaimID], _ desk: inout Desk, at now: Moment) {
        for effect in auction.notices.claimsWritten(claims, mayLeave: desk.mayNoticesLeave, at: now) {
            take(effect, &desk, at: now)
        }
    }

    mutating func noticeClaimsRefused(_ refused: [RefusedClaim], _ desk: inout Desk, at now: Moment) {
        for effect in auction.notices.claimsRefused(refused, at: now) { take(effect, &desk, at: now) }
        sendNotices(&desk, at: now)
    }

    mutating func noticeAnswered(_ claim: ClaimID, _ exchange: HTTPExchange, _ desk: inout Desk, at now: Moment) {
        let answer = auction.notices.answered(claim, exchange, at: now)
        for effect in answer.effects { take(effect, &desk, at: now) }
        if let entry = answer.entry, let change = answer.change { note(exchange, entry, change, &desk, at: now) }
        sendNotices(&desk, at: now)
    }

    private func note(
        _ exchange: HTTPExchange, _ entry: NoticeBook.Entry, _ change: DeliveryChange, _ desk: inout Desk,
        at now: Moment
    ) {
        let result = exchange.status.map(String.init) ?? exchange.failure?.message ?? "no answer"
        let subject = "auction \(entry.round): \(entry.kind.noun) notice to \(entry.who)"
        desk.note(
            exchange.isSuccess ? .info : .warning, BeaconWords.line(subject, result, change, at: now), from: .auction,
            at: now)
    }

    /// The answer to a win notice contains the markup of a bid without markup (OpenRTB 2.6 section 4.3.1). Without it the ad is not
    /// shown, and nothing is billed.
    private mutating func takeMarkup(_ desk: inout Desk, at now: Moment) {
        guard let answer = auction.result.flatMap(auction.notices.markup) else { return }
        auction.result?.take(answer)
        guard let problem = answer.problem, let winner = auction.result?.winningCandidate else { return }
        desk.note(
            .warning, "auction \(auction.decided.number): the ad of \(winner.name) cannot be shown: \(problem)",
            from: .auction,
            at: now)
    }
}

extension Notice.Kind {
    /// What the notice reports.
    fileprivate var noun: String {
        switch self {
        case .win: "win"
        case .loss: "loss"
        case .billing: "billing"
        }
    }
}
