package import AdTracking
package import Bidding
package import Ports

/// The notices of a session's auctions. A ledger of their own sends them, by the rules of all beacons: claimed, written to
/// the journal, then sent, so that each is sent at most once, also across crashes (BID-20, TRK-13).
///
/// A notice is sent for one auction to one bidder at one URL; equal URLs of two auctions are two notices. Only billing
/// notices are retried.
package struct NoticeBook: Sendable {
    /// Maximum number of notices kept so that they are not sent again; those that ended first are dropped first.
    static let kept = 10_000

    package struct Entry: Sendable {
        let event: EventID
        let kind: Notice.Kind
        /// Number of the auction with the candidate.
        let round: Int
        let candidate: Int
        /// The recipient, unredacted.
        let who: String
        /// Whether its delivery is known from an earlier run of the session.
        var isEarlier = false
        /// Of a win notice: what its answer must be, for a bid without markup.
        var awaited: AwaitedMarkup?
        /// Its answer as markup.
        var markup: MarkupAnswer?
        /// Of a billing notice: the win notice whose answer brings the markup of its ad. An ad without markup is not shown (BID-20).
        var win: NoticeIdentity?
        /// Whether a person requested it while it waited for the markup.
        var isAsked = false
    }

    private var ledger: Ledger
    private var entries: [NoticeIdentity: Entry] = [:]
    private var identities: [EventID: NoticeIdentity] = [:]
    /// Notices, oldest first.
    private var order: [NoticeIdentity] = []
    /// Notices of the newest decided auction; two equal ones count as one.
    private var shown: [NoticeIdentity] = []
    /// Notices that an earlier run sent and that have not occurred in this one; as many as the journal keeps.
    private var earlier: [NoticeIdentity: RestoredBeacon] = [:]
    /// Billing notices that are to be sent once the markup of their ad has come, in order.
    private var waiting: [NoticeIdentity] = []
    private var lastEvent = 0
    private let retry: RetrySetting

    package init(mode: ReportingMode, gate: SendGate, retry: RetrySetting) {
        self.retry = retry
        ledger = Ledger(mode: mode, retry: .never, owner: .notice)
        self.gate = gate
    }

    /// Decides which URLs may be requested.
    package var gate: SendGate {
        get { ledger.gate }
        set {
            ledger.gate = newValue
            ledger.gate.urlsAreFilled = true
        }
    }

    /// Views of the newest decided auction's notices, in the order in which they would be sent.
    package var views: [NoticeView] {
        shown.compactMap { identity in entries[identity].map { view($0, of: identity) } }
    }

    /// Uptime of the first retry.
    package var nextRetry: Duration? { ledger.nextRetry }

    // MARK: Learning

    /// Restores the notices of a journal. A notice without an outcome may have arrived: it becomes `unknown` and is
    /// never sent again.
    package mutating func restored(_ beacons: [RestoredBeacon]) {
        for beacon in beacons where beacon.outcome != .skipped {
            guard let identity = NoticeIdentity(beacon.key) else { continue }
            guard entries[identity] != nil else {
                earlier[identity] = beacon
                continue
            }
            take(beacon, of: identity)
        }
    }

    private mutating func take(_ beacon: RestoredBeacon, of identity: NoticeIdentity) {
        guard let entry = entries[identity], isOpen(entry) else { return }
        ledger.restored(beacon, of: entry.event)
        entries[identity]?.isEarlier = true
    }

    /// Starts the notices of a new auction. Notices that were sent before keep their state; those of the previous
    /// auction still receive their answers and retries.
    private mutating func begin(
        round: Int, _ notices: [(identity: NoticeIdentity, notice: Notice, who: String)], awaited: AwaitedMarkup?
    ) {
        shown = []
        let win = awaited.flatMap { _ in notices.first { $0.notice.kind == .win }?.identity }
        for (identity, notice, who) in notices where !shown.contains(identity) {
            shown.append(identity)
            guard entries[identity] == nil else { continue }
            lastEvent += 1
            let event = EventID(lastEvent)
            ledger.register(
                event, key: identity.key.event, type: EventType(name: "impression"), urls: [identity.url],
                retry: RetryPolicy(of: notice.kind, retry), at: nil)
            var entry = Entry(
                event: event, kind: notice.kind, round: round, candidate: notice.candidate, who: who)
            if notice.kind == .win { entry.awaited = awaited }
            if notice.kind == .billing { entry.win = win }
            entries[identity] = entry
            identities[event] = identity
            order.append(identity)
            if let beacon = earlier.removeValue(forKey: identity) { take(beacon, of: identity) }
        }
        forget()
    }

    private mutating func forget() {
        guard order.count > Self.kept else { return }
        let current = Set(shown)
        var surplus = order.count - Self.kept
        order.removeAll { identity in
            // A notice that waits for an answer, a retry or its markup is not finished.
            guard surplus > 0, !current.contains(identity), !waiting.contains(identity), let entry = entries[identity],
                ledger[entry.event]?.state != .connecting
            else { return false }
            surplus -= 1
            ledger.remove([entry.event])
            identities[entry.event] = nil
            entries[identity] = nil
            return true
        }
    }

    // MARK: Sending

    /// Claims each unsent notice of the newest decided auction; ``takeEffects(at:)`` has what follows. A billing notice
    /// of a bid without markup is claimed when the markup has come.
    /// - Parameter isAsked: a person requested them: they are sent in any mode.
    package mutating func claim(isAsked: Bool, at now: Moment) {
        for identity in shown {
            guard let entry = entries[identity], isOpen(entry) else { continue }
            guard entry.win != nil else {
                claim(entry, isAsked: isAsked, at: now)
                continue
            }
            entries[identity]?.isAsked = isAsked || entry.isAsked
            if !waiting.contains(identity) { waiting.append(identity) }
        }
        settleWaiting(at: now)
    }

    private mutating func claim(_ entry: Entry, isAsked: Bool, at now: Moment) {
        ledger.reconsider(entry.event)
        _ = ledger.claim(entry.event, late: nil, adEndsIn: .zero, isAsked: isAsked, at: now)
    }

    /// Claims the billing notices whose markup has come. Those whose win notice ended without usable markup are not sent.
    private mutating func settleWaiting(at now: Moment) {
        var rest: [NoticeIdentity] = []
        for identity in waiting {
            guard let entry = entries[identity], let win = entry.win else { continue }
            switch markup(of: win) {
            case .usable: claim(entry, isAsked: entry.isAsked, at: now)
            case .unusable: break
            case nil: rest.append(identity)
            }
        }
        waiting = rest
    }

    /// What a win notice brought for a bid without markup; nil while it may still bring it.
    private func markup(of win: NoticeIdentity) -> MarkupAnswer? {
        guard let entry = entries[win] else { return nil }
        if let markup = entry.markup { return markup }
        switch ledger[entry.event]?.urls.first?.state {
        case .planned, .observed, .claimed, .sent, .waiting, nil: return nil
        case .skipped: return .unusable(.missingMarkup, found: "the win notice was not sent")
        case .acknowledged, .rejected, .failed, .unknown:
            return .unusable(.missingMarkup, found: "the win notice was sent earlier")
        }
    }

    /// What the win notice of a result brought for a bid without markup; nil while it may still bring it.
    package func markup(of result: AuctionResult) -> MarkupAnswer? {
        guard result.awaited != nil, let notice = result.notices.first(where: { $0.kind == .win }) else { return nil }
        return markup(of: NoticeIdentity(notice, of: result.candidates[notice.candidate], in: result.id))
    }

    /// Whether nothing is known of its delivery, and it may be sent.
    private func isOpen(_ entry: Entry) -> Bool {
        [.idle, .observed].contains(ledger[entry.event]?.state)
    }

    /// Claims the notices whose retry is due, and gives up those whose deadline has passed.
    package mutating func claimRetries(at now: Moment) {
        _ = ledger.retriesDue(at: now)
    }

    /// The next claims to write to the journal.
    package mutating func takeEffects(at now: Moment) -> [LedgerEffect] {
        ledger.takeEffects(at: now)
    }

    /// In observe mode only those notices are sent that a person requested, and pending retries of others are cancelled.
    mutating func modeChanged(to mode: ReportingMode) {
        ledger.modeChanged(to: mode)
        if mode == .observe { waiting.removeAll { entries[$0]?.isAsked != true } }
    }

    /// The claims are on disk. Those that may no longer be sent return to their earlier state.
    /// - Parameter mayLeave: whether anything may be sent at all.
    package mutating func claimsWritten(
        _ ids: [ClaimID], mayLeave: Bool = true, at now: Moment
    ) -> [LedgerEffect] {
        ledger.claimsWritten(ids, mayLeave: mayLeave, at: now)
    }

    /// Claims that were not granted, or whose requests did not leave.
    package mutating func claimsRefused(_ refused: [RefusedClaim], at now: Moment) -> [LedgerEffect] {
        let effects = ledger.claimsRefused(refused, at: now).effects
        settleWaiting(at: now)
        return effects
    }

    /// Records the end of one request.
    /// - Returns: the notice, nil for an unknown claim, and the work for the edge.
    package mutating func answered(
        _ id: ClaimID, _ exchange: HTTPExchange, at now: Moment
    ) -> (entry: Entry?, change: DeliveryChange?, effects: [LedgerEffect]) {
        let answer = ledger.answered(id, exchange, at: now)
        let identity = (answer.change?.event).flatMap { identities[$0] }
        if let identity, let awaited = entries[identity]?.awaited {
            entries[identity]?.markup = awaited.judge(exchange)
        }
        settleWaiting(at: now)
        return (identity.flatMap { entries[$0] }, answer.change, answer.effects)
    }

    // MARK: For a journal that was lost

    /// All notices that were sent, in this run or earlier.
    var held: [HeldBeacon] {
        earlier.sorted { $0.key.url < $1.key.url }.map { HeldBeacon($0.value) } + ledger.held()
    }

    /// Claims that the journal has not confirmed.
    func unwritten(at now: Moment) -> [ClaimRecord] { ledger.unwritten(at: now) }
}

extension NoticeBook {
    private func view(_ entry: Entry, of identity: NoticeIdentity) -> NoticeView {
        let delivery = ledger[entry.event]?.urls.first
        var view = NoticeView(
            kind: entry.kind, url: identity.url, who: entry.who, state: NoticeView.State(delivery?.state),
            tries: delivery?.attemptCount ?? 0)
        let answer = delivery?.attempts.last { $0.answer != nil }?.answer
        view.status = answer?.status
        view.problem = answer?.failure?.message ?? delivery?.reason?.rawValue
        view.isEarlier = entry.isEarlier
        if let win = entry.win, isOpen(entry) { note(markup(of: win), in: &view, of: identity) }
        return view
    }

    /// What a billing notice that is not sent yet waits for, or why it is not sent.
    private func note(_ markup: MarkupAnswer?, in view: inout NoticeView, of identity: NoticeIdentity) {
        if let problem = markup?.problem {
            (view.state, view.problem) = (.skipped, problem)
        } else if waiting.contains(identity) {
            (view.state, view.problem) = (.waiting, "the answer to the win notice has the markup")
        }
    }

    /// The notices of a result.
    package mutating func begin(round: Int, _ result: AuctionResult) {
        begin(
            round: round,
            result.notices.map { notice in
                let candidate = result.candidates[notice.candidate]
                return (NoticeIdentity(notice, of: candidate, in: result.id), notice, candidate.name)
            }, awaited: result.awaited)
    }
}

extension NoticeView.State {
    fileprivate init(_ state: DeliveryState?) {
        switch state {
        case .planned, .observed, nil: self = .observed
        case .claimed, .sent: self = .sending
        case .waiting: self = .waiting
        case .acknowledged: self = .done
        case .rejected, .failed: self = .failed
        case .unknown: self = .unknown
        case .skipped: self = .skipped
        }
    }
}
