package import Ports

/// A beacon that was due and not sent: only observed, or skipped for a reason.
package struct UnsentBeacon: Hashable, Sendable {
    package var key: URLKey
    /// The URL with its macros filled and with escapes; nil where it is requested as written.
    package var filled: String?
    /// Either `observed` or `skipped`.
    package var state: DeliveryState
    package var reason: SkipReason?
    /// Media time since the due time; nil for a viewer's action.
    package var late: Duration?
}

/// A beacon that was sent at least once, in the form a journal stores.
package struct HeldBeacon: Hashable, Sendable {
    package var key: URLKey
    package var round: Int
    package var attempt: Int
    /// The request under way; nil when there is none.
    package var claim: ClaimID?
    /// The final state; nil while the answer is awaited.
    package var outcome: DeliveryState?
    /// The status of the answer to the last try; nil where there was none, or an earlier process got it.
    package var status: Int?
}

extension HeldBeacon {
    /// A beacon that an earlier process sent.
    package init(_ restored: RestoredBeacon) {
        self.init(
            key: restored.key, round: restored.round, attempt: restored.attempt, claim: nil, outcome: restored.outcome)
    }
}

/// What a ledger reports for the history of a session.
extension Ledger {
    /// Returns what was due and not sent since the last call.
    package mutating func takeUnsent() -> [UnsentBeacon] {
        defer { unsent = [] }
        return unsent
    }

    /// Records an unsent beacon. Duplicates are omitted: another event reports their URL. So is what was skipped for the same reason
    /// under another URL: that may be replaced with every poll.
    mutating func noteUnsent(_ slot: URLDelivery, of entry: Entry) -> UnsentBeacon? {
        guard slot.state == .observed || slot.state == .skipped, slot.reason != .duplicate,
            slot.reason == nil || slot.reason != slot.judged
        else { return nil }
        let beacon = UnsentBeacon(
            key: URLKey(event: entry.key, url: slot.url), filled: slot.filled, state: slot.state, reason: slot.reason,
            late: slot.late)
        if keepsUnsent { unsent.append(beacon) }
        return beacon
    }

    /// Every beacon of which something was sent, restored ones first, then in order of their events: with it a lost
    /// journal is rebuilt, and the promise of at most once outlives this process again.
    package func held() -> [HeldBeacon] {
        restoredBeacons.sorted { $0.key < $1.key }.map { HeldBeacon($0.value) } + heldByEvents()
    }

    private func heldByEvents() -> [HeldBeacon] {
        var open: [URLKey: ClaimID] = [:]
        // What is known of beacons whose next try is claimed and not written yet.
        var former: [URLKey: DeliveryState] = [:]
        for (id, claim) in claims {
            guard let key = entries[claim.event]?.key else { continue }
            let urlKey = URLKey(event: key, url: claim.slotURL)
            if claim.isSent {
                open[urlKey] = max(open[urlKey] ?? id, id)
            } else if claim.attempt > 1 {
                former[urlKey] = stateWithout(claim)
            }
        }
        func state(_ slot: URLDelivery, of event: EventKey) -> DeliveryState {
            slot.state == .claimed ? former[URLKey(event: event, url: slot.url)] ?? .claimed : slot.state
        }
        let slots = entries.sorted { $0.key < $1.key }.flatMap { _, entry in
            entry.delivery.urls.filter { $0.reason != .duplicate && state($0, of: entry.key).isHeld }.map {
                (entry.key, $0)
            }
        }
        // A showing of an earlier process has its state under each name that it had since; it is one, and belongs to who sent it.
        var named = Set(slots.lazy.filter { $0.1.attemptCount > 0 }.map(\.1.insertion))
        return slots.compactMap { event, slot in
            let isOne = slot.insertion == Insertion.none || slot.attemptCount > 0
            guard isOne || named.insert(slot.insertion).inserted else { return nil }
            let key = URLKey(event: event, url: slot.url)
            return HeldBeacon(
                key: key, round: slot.round, attempt: max(1, slot.attemptCount), claim: open[key],
                outcome: state(slot, of: event).outcome, status: slot.attempts.last?.answer?.status)
        }
    }

    /// The start of the first event from that date on with a claim that the journal has not answered; nil if there is none.
    package func firstUndecided(from date: UnixTime) -> UnixTime? {
        claims.values.lazy.filter { !$0.isSent }.compactMap { entries[$0.event]?.key.start }.filter { $0 >= date }.min()
    }

    /// Claims passed to a journal that has not confirmed them.
    package func unwritten(at now: Moment) -> [ClaimRecord] {
        let queued = Set(queue)
        return claims.filter { !$0.value.isSent && !queued.contains($0.key) }.sorted { $0.key < $1.key }
            .map { id, claim in
                ClaimRecord(
                    id: id, key: claim.key, round: claim.round, attempt: claim.attempt, at: now,
                    late: slot(claim.event, claim.slotURL)?.late)
            }
    }
}

extension DeliveryState {
    /// Whether a request was sent, whatever is known of its end.
    fileprivate var isHeld: Bool {
        switch self {
        case .planned, .claimed, .skipped, .observed: false
        case .sent, .unknown, .waiting, .acknowledged, .rejected, .failed: true
        }
    }

    /// The state in the form a journal stores; nil while the end is unknown.
    fileprivate var outcome: DeliveryState? {
        switch self {
        case .acknowledged, .rejected, .failed: self
        case .waiting: .failed
        case .planned, .claimed, .skipped, .observed, .sent, .unknown: nil
        }
    }
}
