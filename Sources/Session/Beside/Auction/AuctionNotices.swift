import AdTracking
import Bidding
import Ports

/// Win, loss and billing notices of a session's auctions. Like beacons they are sent in fire mode, through the gate,
/// and only after they are in the journal. A person may also send those of one auction.
extension MonitorState {
    /// Without a journal nothing is sent, as with beacons.
    private var mayNoticesLeave: Bool {
        !isStopped && !configuration.isReadonly && journalAllowsSending
    }

    /// Sends each unsent notice of the auction decided last.
    mutating func fireNotices(isAsked: Bool, at now: Moment) {
        guard !configuration.isReadonly else { return note(.warning, "notices are not sent: --readonly", at: now) }
        guard auction.changes.isEmpty else {
            return note(
                .warning, "notices of what-if prices are never sent; press n to hold the auction again", at: now)
        }
        guard journal.isSettled else {
            auction.firesWhenSettled = isAsked || auction.firesWhenSettled == true
            return
        }
        guard mayNoticesLeave else { return note(.warning, "notices are not sent: no journal is open", at: now) }
        tellBidders(at: now)
        writeClaims(auction.notices.claim(through: beaconGate, isAsked: isAsked, at: now), at: now)
    }

    /// The journal has reported its entries, or failed to open: sends the notices that waited for it.
    mutating func fireNoticesThatWaited(at now: Moment) {
        guard let isAsked = auction.firesWhenSettled, journal.isSettled else { return }
        auction.firesWhenSettled = nil
        if isAsked || mode == .fire { fireNotices(isAsked: isAsked, at: now) }
    }

    mutating func retryNotices(at now: Moment) {
        guard let due = auction.notices.nextRetry, due <= now.uptime else { return }
        writeClaims(auction.notices.claimRetries(through: beaconGate, at: now), at: now)
    }

    mutating func noticeClaimsWritten(_ claims: [ClaimID], at now: Moment) {
        let written = auction.notices.claimsWritten(
            claims.filter(NoticeBook.owns), through: beaconGate, isFiring: mode == .fire, mayLeave: mayNoticesLeave,
            at: now)
        for order in written.orders { send(order) }
        if !written.outcomes.isEmpty { take(.writeOutcomes(written.outcomes), at: now) }
    }

    private mutating func writeClaims(_ claims: [ClaimRecord], at now: Moment) {
        if !claims.isEmpty { take(.writeClaims(claims), at: now) }
    }

    private mutating func send(_ order: NoticeBook.Order) {
        beacons.inFlight[order.claim] = BeaconPart.InFlight(event: EventID(0), host: order.url.host)
        let request = HTTPRequest(
            notice: order.url, userAgent: configuration.userAgent, gate: beaconGate)
        effects.append(.send(order.claim, request))
    }

    mutating func noticeAnswered(_ claim: ClaimID, _ exchange: HTTPExchange, at now: Moment) {
        guard let (entry, outcome) = auction.notices.answered(claim, exchange, at: now) else { return }
        take(.writeOutcomes([outcome]), at: now)
        takeMarkup(from: exchange, of: entry)
        let result = exchange.status.map(String.init) ?? exchange.failure?.message ?? "no answer"
        note(
            exchange.isSuccess ? .info : .warning, "\(entry.kind.rawValue) of auction \(entry.round): \(result)",
            at: now)
    }

    /// A win notice's answer contains the markup of a bid without markup.
    private mutating func takeMarkup(from exchange: HTTPExchange, of entry: NoticeBook.Entry) {
        guard entry.kind == .win, entry.round == auction.decided.number, exchange.status == 200, !exchange.body.isEmpty,
            auction.result?.markup == nil, let candidates = auction.result?.candidates,
            candidates.indices.contains(entry.candidate), candidates[entry.candidate].bid?.markup == nil
        else { return }
        auction.result?.markup = String(decoding: exchange.body, as: UTF8.self)
    }
}
