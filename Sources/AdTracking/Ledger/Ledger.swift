import Ports

/// The delivery state of every URL of a session, and the only place that decides to send.
///
/// Claiming is a synchronous compare-and-set: whoever finds a URL `planned` claims it, everybody after finds it
/// claimed. A claim is written to the journal before it is sent, so that it happens at most once across crashes
/// (TRK-13).
package struct Ledger: Sendable {
    /// Attempts remembered per URL, the newest.
    package static let attemptsKept = 8

    struct Entry: Sendable {
        var key: EventKey
        var type: EventType
        var delivery: EventDelivery
        /// Nil where URLs are ready as they are.
        var macros: BeaconMacros?

        /// URLs with macros are the same for every play of an ad, and interstitials of one date play one after another.
        var hasOwnPlace: Bool { macros == nil }
    }

    /// A claim that has no final answer yet.
    struct Claim: Sendable {
        var event: EventID
        /// The slot's URL text finds it again: slots move when metadata changes.
        var slotURL: String
        var url: WebURL
        var round: Int
        var attempt: Int
        var serverErrors: Int
        /// Uptime after which no try begins.
        var deadline: Duration
        /// The request is under way; before, the journal is.
        var isSent = false
    }

    package internal(set) var mode: ReportingMode
    /// Changes apply to what is claimed afterwards.
    package var gate: SendGate
    package var retry: RetryPolicy
    /// Requests under way, from the journal write to the answer.
    package internal(set) var inFlight = 0
    /// Events by aggregate state; what a playhead adds (`seeked-over` and the like) is not in here.
    package internal(set) var stateCounts: [ReportingState: Int] = [:]
    /// Beacons not taken because ``Limits/beaconQueue`` was reached.
    package internal(set) var refusedByQueue = 0
    /// Whether ``unsent`` is kept; somebody must then take it.
    package var keepsUnsent = false
    /// What was due and not sent since ``takeUnsent()``, in order.
    var unsent: [UnsentBeacon] = []

    var entries: [EventID: Entry] = [:]
    /// Who owns an identity: a second event with the same one is a duplicate.
    var owners: [URLKey: EventID] = [:]
    /// Who was claimed for a type, a start and a URL, whatever its break and ad are called: an id that was damaged on the
    /// way makes a second event of the first, and an ad may move into another break. A session has no two moments in one.
    var places: [Fingerprint: EventID] = [:]
    var archive = BeaconArchive()
    var claims: [ClaimID: Claim] = [:]
    var queue: [ClaimID] = []
    var retries: [Retry] = []
    var rounds = UserRounds()
    var random: SplitMix64
    /// For macros, apart from the jitter of retries.
    var macroRandom: SplitMix64
    private var lastClaim: Int

    /// - Parameters:
    ///   - seed: for the jitter of retries.
    ///   - firstClaim: from which number on claims count; ledgers that share a journal must not share numbers.
    package init(
        mode: ReportingMode, gate: SendGate = SendGate(), retry: RetryPolicy = .standard, seed: UInt64 = 0,
        firstClaim: Int = 1
    ) {
        lastClaim = firstClaim - 1
        self.mode = mode
        self.gate = gate
        self.retry = retry
        random = SplitMix64(seed: seed)
        macroRandom = SplitMix64(seed: seed &+ 1)
    }

    package subscript(event: EventID) -> EventDelivery? { entries[event]?.delivery }

    /// Whether an event has a URL nobody claimed yet.
    package func hasPlanned(_ event: EventID) -> Bool {
        entries[event]?.delivery.urls.contains { $0.state == .planned && $0.isListed } ?? false
    }

    /// Beacons claimed and waiting for a free connection.
    package var queued: Int { queue.count }
    /// Uptime of the next retry.
    package var nextRetry: Duration? { retries.first?.at }

    mutating func nextClaim() -> ClaimID {
        lastClaim += 1
        return ClaimID(lastClaim)
    }

    /// Changes an entry and keeps the counts right.
    mutating func change<Value>(_ event: EventID, _ body: (inout Entry) -> Value) -> Value? {
        guard var entry = entries.removeValue(forKey: event) else { return nil }
        let before = entry.delivery.state
        let value = body(&entry)
        let after = entry.delivery.state
        entries[event] = entry
        if before != after {
            count(before, by: -1)
            count(after, by: 1)
        }
        return value
    }

    func slot(_ event: EventID, _ url: String) -> URLDelivery? {
        entries[event]?.delivery.urls.first { $0.url == url }
    }

    mutating func count(_ state: ReportingState, by step: Int) {
        let count = (stateCounts[state] ?? 0) + step
        stateCounts[state] = count == 0 ? nil : count
    }
}
