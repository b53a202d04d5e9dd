package import AdTracking
package import Bidding
package import Ports

/// The notices of a session's auctions and their delivery: claimed, written to the journal, then sent, so that each is
/// sent at most once, also across crashes (BID-20, TRK-13).
///
/// A notice is sent for one auction to one bidder at one URL. Only billing notices are retried (``NoticeRetry``), each
/// attempt under a claim of its own.
package struct NoticeBook {
    /// Claim numbers from here on belong to notices, not to beacons.
    static let firstClaim = 1 << 50
    /// Maximum number of notices kept so that they are not sent again; those that ended first are dropped first.
    static let kept = 10_000

    package struct Entry {
        let kind: Notice.Kind
        /// Number of the auction with the candidate.
        let round: Int
        let candidate: Int
        var view: NoticeView
        /// The beacon in progress, from the journal write to the answer.
        var claim: ClaimID?
        /// Whether the claim is on disk and the request was sent.
        var isSent = false
        /// Result of the newest attempt, as the journal has it.
        var outcome: DeliveryState?
        /// Whether a person requested it: it is then sent in any mode.
        var isAsked = false
    }

    /// A notice that may be sent now.
    package struct Order {
        package var claim: ClaimID
        package var url: WebURL
    }

    private var entries: [NoticeIdentity: Entry] = [:]
    /// Notices, oldest first.
    private var order: [NoticeIdentity] = []
    /// Notices of the newest decided auction; two equal ones count as one.
    private var shown: [NoticeIdentity] = []
    private var claims: [ClaimID: NoticeIdentity] = [:]
    /// Uptime of the next attempt of the notices that are retried: a small subset, read after every input.
    private var retries: [NoticeIdentity: Duration] = [:]
    /// Notices that an earlier run sent and that have not occurred in this one; as many as the journal keeps.
    private var earlier: [NoticeIdentity: RestoredBeacon] = [:]
    private var lastClaim = Self.firstClaim - 1
    private let retry: RetrySetting

    package init(retry: RetrySetting) {
        self.retry = retry
    }

    /// Whether a claim belongs to a notice.
    static func owns(_ claim: ClaimID) -> Bool { claim.number >= firstClaim }

    /// Views of the newest decided auction's notices, in the order in which they would be sent.
    package var views: [NoticeView] { shown.compactMap { entries[$0]?.view } }

    /// Uptime of the first retry.
    package var nextRetry: Duration? { retries.values.min() }

    // MARK: Learning

    /// Restores the notices of a journal. A notice without an outcome may have arrived: it becomes `unknown` and is
    /// never sent again.
    package mutating func restored(_ beacons: [RestoredBeacon]) {
        for beacon in beacons where beacon.outcome != .skipped {
            guard let identity = NoticeIdentity(beacon.key) else { continue }
            if entries[identity] == nil {
                earlier[identity] = beacon
            } else if entries[identity]?.view.state == .observed {
                entries[identity]?.take(beacon)
            }
        }
    }

    /// Starts the notices of a new auction. Notices that were sent before keep their state; those of the previous
    /// auction still receive their answers and retries.
    mutating func begin(round: Int, _ notices: [(identity: NoticeIdentity, notice: Notice, who: String)]) {
        shown = []
        for (identity, notice, who) in notices where !shown.contains(identity) {
            shown.append(identity)
            guard entries[identity] == nil else { continue }
            var entry = Entry(
                kind: notice.kind, round: round, candidate: notice.candidate,
                view: NoticeView(kind: notice.kind, url: identity.url, who: who, state: .observed, tries: 0))
            if let beacon = earlier.removeValue(forKey: identity) { entry.take(beacon) }
            entries[identity] = entry
            order.append(identity)
        }
        forget()
    }

    private mutating func forget() {
        guard order.count > Self.kept else { return }
        let current = Set(shown)
        var surplus = order.count - Self.kept
        order.removeAll { identity in
            // A notice that waits for an answer or a retry is not finished.
            guard surplus > 0, !current.contains(identity), let entry = entries[identity], entry.claim == nil,
                retries[identity] == nil
            else { return false }
            surplus -= 1
            entries[identity] = nil
            return true
        }
    }

    // MARK: Sending

    /// Claims each unsent notice of the newest decided auction; they are sent once the journal has them.
    /// - Parameter isAsked: whether a person requested them, in contrast to fire mode.
    package mutating func claim(through gate: SendGate, isAsked: Bool, at now: Moment) -> [ClaimRecord] {
        shown.compactMap { identity in
            guard entries[identity]?.view.state == .observed else { return nil }
            entries[identity]?.isAsked = isAsked
            return claim(identity, through: gate, at: now)
        }
    }

    /// Claims the notices whose retry is due.
    package mutating func claimRetries(through gate: SendGate, at now: Moment) -> [ClaimRecord] {
        order.compactMap { identity in
            guard let due = retries[identity], due <= now.uptime else { return nil }
            retries[identity] = nil
            return claim(identity, through: gate, at: now)
        }
    }

    private mutating func claim(
        _ identity: NoticeIdentity, through gate: SendGate, at now: Moment
    ) -> ClaimRecord? {
        guard var entry = entries[identity] else { return nil }
        defer { entries[identity] = entry }
        if case .failure(let refusal) = gate.judge(notice: identity.url) {
            entry.view.state = .skipped
            entry.view.problem = refusal.reason.rawValue
            return nil
        }
        lastClaim += 1
        let claim = ClaimID(lastClaim)
        claims[claim] = identity
        entry.claim = claim
        entry.isSent = false
        entry.view.state = .sending
        return ClaimRecord(id: claim, key: identity.key, round: 0, attempt: entry.view.tries + 1, at: now)
    }

    /// Stops sending, except for notices that a person requested; pending retries are cancelled.
    mutating func disarm() {
        for identity in retries.keys where entries[identity]?.isAsked == false {
            retries[identity] = nil
            entries[identity]?.view.state = .failed
        }
    }

    /// The claims are on disk. Those that may no longer be sent return to their earlier state.
    /// - Parameters:
    ///   - isFiring: whether the session sends automatically.
    ///   - mayLeave: whether anything may be sent at all.
    package mutating func claimsWritten(
        _ ids: [ClaimID], through gate: SendGate, isFiring: Bool, mayLeave: Bool, at now: Moment
    ) -> (orders: [Order], outcomes: [OutcomeRecord]) {
        var orders: [Order] = []
        var outcomes: [OutcomeRecord] = []
        for id in ids {
            guard let identity = claims[id], var entry = entries[identity], !entry.isSent else { continue }
            if mayLeave, isFiring || entry.isAsked, case .success(let url) = gate.judge(notice: identity.url) {
                entry.isSent = true
                entry.view.tries += 1
                orders.append(Order(claim: id, url: url))
            } else {
                claims[id] = nil
                entry.claim = nil
                entry.view.state = entry.outcome == nil ? .observed : .failed
                outcomes.append(Self.outcome(id, identity, attempt: entry.view.tries + 1, .skipped, nil, at: now))
            }
            entries[identity] = entry
        }
        return (orders, outcomes)
    }

    /// Records the end of one request; nil for an unknown claim.
    package mutating func answered(_ id: ClaimID, _ exchange: HTTPExchange, at now: Moment) -> (Entry, OutcomeRecord)? {
        guard let identity = claims.removeValue(forKey: id), var entry = entries[identity] else { return nil }
        entry.claim = nil
        entry.isSent = false
        entry.view.status = exchange.status
        entry.view.problem = exchange.failure?.message
        let isUnsent = (exchange.failure?.kind.isBeforeSending ?? false) && exchange.hops.isEmpty
        let wait = NoticeRetry.wait(
            after: entry.view.tries, of: entry.kind, status: exchange.status,
            isRepeated: retry == .standard || retry == .safe && isUnsent)
        let state: DeliveryState
        if exchange.failure?.kind == .addressNotAllowed, exchange.hops.isEmpty {
            // The name resolved to a forbidden address and nothing was sent.
            (state, entry.view.state) = (.skipped, .skipped)
        } else if let wait {
            state = exchange.status == nil ? .failed : .rejected
            entry.view.state = .waiting
            retries[identity] = now.uptime + wait
        } else if exchange.isSuccess {
            (state, entry.view.state) = (.acknowledged, .done)
        } else if exchange.status == nil, exchange.failure?.kind.mayHaveArrived ?? true, exchange.hops.isEmpty {
            (state, entry.view.state) = (.unknown, .unknown)
        } else {
            state = exchange.status == nil ? .failed : .rejected
            entry.view.state = .failed
        }
        entry.outcome = state
        entries[identity] = entry
        return (
            entry, Self.outcome(id, identity, attempt: entry.view.tries, state, exchange.status, at: now)
        )
    }

    private static func outcome(
        _ id: ClaimID, _ identity: NoticeIdentity, attempt: Int, _ state: DeliveryState, _ status: Int?, at now: Moment
    ) -> OutcomeRecord {
        OutcomeRecord(
            id: id, key: identity.key, round: 0, attempt: attempt, state: state, status: status, at: now)
    }

    // MARK: For a journal that was lost

    /// All notices that were sent, in this run or earlier.
    var held: [JournalHolding] {
        let unmet = earlier.sorted { $0.key.url < $1.key.url }.map { identity, beacon in
            Self.holding(identity, attempt: beacon.attempt, outcome: beacon.outcome)
        }
        return unmet
            + order.compactMap { identity in
                guard let entry = entries[identity], entry.view.tries > 0, entry.outcome != .skipped else { return nil }
                return Self.holding(
                    identity, attempt: entry.view.tries, outcome: entry.isSent ? nil : entry.outcome,
                    claim: entry.isSent ? entry.claim : nil)
            }
    }

    private static func holding(
        _ identity: NoticeIdentity, attempt: Int, outcome: DeliveryState?, claim: ClaimID? = nil
    ) -> JournalHolding {
        JournalHolding(
            entry: JournalEntry(
                beacon: JournalBeacon(identity.key), round: 0, attempt: attempt, outcome: outcome?.rawValue),
            claim: claim?.number)
    }

    /// Claims that the journal has not confirmed.
    func unwritten(at now: Moment) -> [ClaimRecord] {
        order.compactMap { identity in
            guard let entry = entries[identity], let claim = entry.claim, !entry.isSent else { return nil }
            return ClaimRecord(id: claim, key: identity.key, round: 0, attempt: entry.view.tries + 1, at: now)
        }
    }
}

extension NoticeBook.Entry {
    /// Takes over the state from an earlier run.
    fileprivate mutating func take(_ beacon: RestoredBeacon) {
        outcome = beacon.outcome
        view.tries = beacon.attempt
        view.isEarlier = true
        switch beacon.outcome {
        case nil: view.state = .unknown
        case .acknowledged: view.state = .done
        default: view.state = .failed
        }
    }
}

extension SendGate {
    /// Notices pass the same gate as beacons: a public session reaches no private addresses.
    func judge(notice url: String) -> Result<WebURL, Refusal> {
        judge(url, of: EventType(name: "impression"), isFilled: true)
    }
}

extension NoticeBook {
    /// The notices of a result.
    package mutating func begin(round: Int, _ result: AuctionResult) {
        begin(
            round: round,
            result.notices.map { notice in
                let candidate = result.candidates[notice.candidate]
                return (NoticeIdentity(notice, of: candidate, in: result.id), notice, candidate.name)
            })
    }
}

extension HTTPRequest {
    /// The request of a notice.
    package init(notice url: WebURL, userAgent: String, gate: SendGate) {
        self.init(
            url: url, fields: [HTTPField("User-Agent", userAgent), HTTPField("Accept", "*/*")],
            totalTimeout: Limits.beaconTimeout, maximumBodyBytes: Limits.beaconAnswerBytes, cutsLongBody: true,
            addressRule: gate.addressRule)
        redirectRule = gate.redirectRule
    }
}
