import AdTracking
import Bidding
import Ports

/// The notices of a session's auctions and what became of each: claimed, written to the journal, then sent, so that each
/// leaves at most once, also across crashes (BID-20, TRK-13).
///
/// A notice is what one auction tells one bidder at one URL. Only billing notices are tried again (``NoticeRetry``), each
/// try under a claim of its own.
struct NoticeBook {
    /// Claims are told apart from those of beacons by their numbers.
    static let firstClaim = 1 << 50
    /// Notices remembered so that they are not sent again; those that ended first are forgotten first.
    static let kept = 10_000

    struct Entry {
        let kind: Notice.Kind
        /// Of the auction that holds the candidate it is about.
        let round: Int
        let candidate: Int
        var view: NoticeView
        /// The request under way, from the journal write to the answer.
        var claim: ClaimID?
        /// It is on disk, the request has left.
        var isSent = false
        /// How the newest try ended, as the journal has it.
        var outcome: DeliveryState?
        /// A person asked for it: it leaves whether the session fires or not.
        var isAsked = false
    }

    /// A notice that may leave now.
    struct Order {
        var claim: ClaimID
        var url: WebURL
    }

    private var entries: [NoticeIdentity: Entry] = [:]
    /// Oldest first.
    private var order: [NoticeIdentity] = []
    /// Of the newest decided auction. Two that are the same are one.
    private var shown: [NoticeIdentity] = []
    private var claims: [ClaimID: NoticeIdentity] = [:]
    /// Uptime of the next try of those that are tried again: few of many, and asked for after every input.
    private var retries: [NoticeIdentity: Duration] = [:]
    /// What an earlier run sent and this one has not met yet; as many as the journal keeps.
    private var earlier: [NoticeIdentity: RestoredBeacon] = [:]
    private var lastClaim = Self.firstClaim - 1

    /// Whether a claim is of a notice.
    static func owns(_ claim: ClaimID) -> Bool { claim.number >= firstClaim }

    /// Of the newest decided auction, in the order in which they would leave.
    var views: [NoticeView] { shown.compactMap { entries[$0]?.view } }

    /// The first uptime at which one is tried again.
    var nextRetry: Duration? { retries.values.min() }

    // MARK: Learning

    /// What a journal knew of notices. One without an end may have arrived: it is `unknown` and never sent again.
    mutating func restored(_ beacons: [RestoredBeacon]) {
        for beacon in beacons where beacon.outcome != .skipped {
            guard let identity = NoticeIdentity(beacon.key) else { continue }
            if entries[identity] == nil {
                earlier[identity] = beacon
            } else if entries[identity]?.view.state == .observed {
                entries[identity]?.take(beacon)
            }
        }
    }

    /// The notices of a new auction; those that were sent before keep what became of them, and those of the last one still
    /// get their answers and tries.
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
            // One that waits for an answer or for its next try is not over.
            guard surplus > 0, !current.contains(identity), let entry = entries[identity], entry.claim == nil,
                retries[identity] == nil
            else { return false }
            surplus -= 1
            entries[identity] = nil
            return true
        }
    }

    // MARK: Sending

    /// Claims each notice of the newest decided auction that was not sent yet; they leave once the journal has them.
    /// - Parameter isAsked: by a person, and not because the session fires.
    mutating func claim(through gate: SendGate, isAsked: Bool, at now: Moment) -> [ClaimRecord] {
        shown.compactMap { identity in
            guard entries[identity]?.view.state == .observed else { return nil }
            entries[identity]?.isAsked = isAsked
            return claim(identity, through: gate, at: now)
        }
    }

    /// Claims what is to be tried again by now.
    mutating func claimRetries(through gate: SendGate, at now: Moment) -> [ClaimRecord] {
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

    /// Sending ends, but for what a person asked for: what waits for another try gets none.
    mutating func disarm() {
        for identity in retries.keys where entries[identity]?.isAsked == false {
            retries[identity] = nil
            entries[identity]?.view.state = .failed
        }
    }

    /// Claims are on disk. Those that may not leave any more become what they were before.
    /// - Parameters:
    ///   - isFiring: the session sends by itself.
    ///   - mayLeave: anything may be sent at all.
    mutating func claimsWritten(
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

    /// What became of one request; nil for a claim that nobody waits for.
    mutating func answered(_ id: ClaimID, _ exchange: HTTPExchange, at now: Moment) -> (Entry, OutcomeRecord)? {
        guard let identity = claims.removeValue(forKey: id), var entry = entries[identity] else { return nil }
        entry.claim = nil
        entry.isSent = false
        entry.view.status = exchange.status
        entry.view.problem = exchange.failure?.message
        let wait = NoticeRetry.wait(after: entry.view.tries, of: entry.kind, status: exchange.status)
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

    /// Of everything that was sent, in this run or earlier.
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

    /// Claims that a journal has not confirmed.
    func unwritten(at now: Moment) -> [ClaimRecord] {
        order.compactMap { identity in
            guard let entry = entries[identity], let claim = entry.claim, !entry.isSent else { return nil }
            return ClaimRecord(id: claim, key: identity.key, round: 0, attempt: entry.view.tries + 1, at: now)
        }
    }
}

extension NoticeBook.Entry {
    /// What an earlier run knew of it.
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
    /// A notice passes where beacons pass: a public session reaches no private addresses.
    func judge(notice url: String) -> Result<WebURL, Refusal> {
        judge(url, of: EventType(name: "impression"), isFilled: true)
    }
}
