import Ports

/// The delivery state of the URLs of one owner, and the only place that decides to send: the ads of the stream, ad spaces and
/// the notices of auctions have a ledger each, and these rules.
///
/// Claiming is a synchronous compare-and-set: the first caller that finds a URL `planned` claims it, and all later
/// callers find it claimed. A claim is written to the journal before the beacon is sent, so that it is sent at most
/// once across crashes (TRK-13).
package struct Ledger: Sendable {
    /// Number of newest attempts kept per URL.
    package static let attemptsKept = 8

    struct Entry: Sendable {
        var key: EventKey
        var delivery: EventDelivery
        /// Those of its URLs that two parties may report: they are not sent.
        var shared: [String]
        var placement: EventPlacement
        var type: EventType
        /// Whether its beacons may be those of other events.
        var isIdentified: Bool
        /// Values for macros in the URLs; nil when the URLs are ready.
        var macros: BeaconMacros?
    }

    /// A claim that has no final answer yet.
    struct Claim: Sendable {
        var event: EventID
        /// The identity under which it is in the journal: that of its first try, also of one that another process made.
        var key: URLKey
        /// Text of the slot's URL, to find the slot again: slots move when metadata changes.
        var slotURL: String
        var url: WebURL
        var round: Int
        var attempt: Int
        var serverErrors: Int
        /// Uptime after which no attempt starts.
        var deadline: Duration
        /// Uptime of its due time, counted back from the claim; nil for a beacon without one, and once a try was sent.
        var due: Duration?
        /// Whether a person requested it: it is then sent in any mode.
        var isAsked = false
        /// Whether the request is under way; before that, the claim is being written to the journal.
        var isSent = false
    }

    package internal(set) var mode: ReportingMode
    /// Decides which URLs may be requested; a change applies to later claims.
    package var gate: SendGate
    var retry: RetryPolicies
    /// Number of beacons between the journal write and the answer.
    package internal(set) var inFlight = 0
    /// Number of events by aggregate state, of those that are not idle: nearly all are, and the others are few.
    private var busyCounts: [ReportingState: Int] = [:]
    /// Number of beacons rejected because ``Limits/beaconQueue`` was reached.
    package internal(set) var refusedByQueue = 0
    /// Whether ``unsent`` is collected; the owner must then empty it with ``takeUnsent()``.
    package var keepsUnsent = false
    /// What was due and not sent since ``takeUnsent()``, in order.
    var unsent: [UnsentBeacon] = []

    var entries = EventRows<Entry>()
    /// What must be sent once, whatever the events are called that ask for it.
    var insertions = InsertionBook()
    var busters = CacheBusters()
    var changes = IdentityChanges()
    /// Number of documents that were taken in.
    var documents: UInt32 = 0
    /// Events that documents list no more, or with other URLs, the newest first.
    var missing: [EventID] = []
    /// What a journal restored and no event has asked for yet.
    var restoredBeacons: [Int32: RestoredBeacon] = [:]
    /// What another process of this viewer tried and surely did not send, by insertion: it may be tried again, under its own key.
    var failedEarlier: [Int32: RestoredBeacon] = [:]
    /// Where sent beacons are not remembered any more.
    var forgotten = ForgottenTimes()
    var claims: [ClaimID: Claim] = [:]
    var queue: [ClaimID] = []
    var retries: [Retry] = []
    var rounds = UserRounds()
    var random: SplitMix64
    /// Random numbers for macros, separate from the jitter of retries.
    var macroRandom: SplitMix64
    var lastClaim: Int

    /// - Parameters:
    ///   - seed: seed of the retry jitter.
    ///   - owner: whose beacons it sends; ledgers that share a journal must have different owners.
    package init(
        mode: ReportingMode, gate: SendGate = SendGate(), retry: RetryPolicy = .safe, seed: UInt64 = 0,
        owner: ClaimID.Owner = .stream
    ) {
        lastClaim = owner.firstNumber - 1
        self.mode = mode
        self.gate = gate
        self.retry = RetryPolicies(general: retry)
        random = SplitMix64(seed: seed)
        macroRandom = SplitMix64(seed: seed &+ 1)
    }

    package subscript(event: EventID) -> EventDelivery? { entries[event]?.delivery }

    /// Whether an event has a listed URL that was not claimed yet.
    package func hasPlanned(_ event: EventID) -> Bool {
        entries[event]?.delivery.urls.contains { $0.state == .planned && $0.isListed } ?? false
    }

    /// Whether two parties may report every listed URL of an event, so that nothing of it is sent.
    package func isShared(_ event: EventID) -> Bool {
        guard let entry = entries[event], !entry.shared.isEmpty else { return false }
        return entry.delivery.urls.allSatisfy { !$0.isListed || entry.shared.contains($0.url) }
    }

    /// Number of events by aggregate state, without the reasons that depend on the playhead (such as `seeked-over`).
    package var stateCounts: [ReportingState: Int] {
        let idle = entries.count - busyCounts.values.reduce(0, +)
        return idle > 0 ? busyCounts.merging([.idle: idle]) { $1 } : busyCounts
    }

    /// Number of distinct beacons, those of forgotten events included.
    package var knownBeacons: Int { insertions.count }
    /// Number of sent beacons that are remembered although their events are forgotten.
    package var rememberedBeacons: Int { insertions.rememberedCount }
    /// Number of claimed beacons that wait for a free connection.
    package var queued: Int { queue.count }
    /// Numbers of beacons of known events that an earlier process sent in vain, by what its journal has of them: those that failed,
    /// and those without an outcome. One that was sent again is in neither.
    package var earlierLost: (failed: Int, unknown: Int) {
        var sum = (failed: 0, unknown: 0)
        for index in insertions.lostEarlier {
            guard let state = earlierState(of: index) else { continue }
            if state == .unknown { sum.unknown += 1 } else { sum.failed += 1 }
        }
        return sum
    }
    /// Uptime of the next retry.
    package var nextRetry: Duration? { retries.first?.at }

    mutating func nextClaim() -> ClaimID {
        lastClaim += 1
        return ClaimID(lastClaim)
    }

    /// Changes an entry and updates the counts by state.
    mutating func change<Value>(_ event: EventID, _ body: (inout Entry) -> Value) -> Value? {
        let changed = entries.change(event) { entry in
            let before = entry.delivery.state
            let value = body(&entry)
            return (before: before, after: entry.delivery.state, value: value)
        }
        guard let changed else { return nil }
        if changed.before != changed.after {
            count(changed.before, by: -1)
            count(changed.after, by: 1)
        }
        return changed.value
    }

    /// The state of a lost beacon of known events that this process did not send; nil for others.
    private func earlierState(of index: Int32) -> DeliveryState? {
        insertions[index].members.lazy.compactMap { event in
            entries[event]?.delivery.urls
                .first { $0.insertion == index && $0.state.isLost && $0.attempts.isEmpty }?.state
        }.first
    }

    func slot(_ event: EventID, _ url: String) -> URLDelivery? {
        entries[event]?.delivery.urls.first { $0.url == url }
    }

    mutating func count(_ state: ReportingState, by step: Int) {
        guard state != .idle else { return }
        busyCounts[state, default: 0] += step
        if busyCounts[state] == 0 { busyCounts[state] = nil }
    }
}
