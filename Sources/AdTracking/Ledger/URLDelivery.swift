package import Ports

/// Delivery of one event: its URLs and their aggregate state.
package struct EventDelivery: Sendable, Hashable {
    /// URLs in the order of metadata, later additions last.
    package internal(set) var urls: [URLDelivery]

    /// The state of the event (TRK-13): the common state of its URLs, skipped ones excluded.
    package var state: ReportingState {
        // Nearly all events, because their time has not come.
        if urls.allSatisfy({ $0.state == .planned }) { return .idle }
        let all = urls.map(\.state)
        func has(_ states: DeliveryState...) -> Bool { all.contains { states.contains($0) } }
        if has(.claimed, .sent, .waiting) { return .connecting }
        if has(.acknowledged), has(.rejected, .failed) { return .partial }
        // Those that are acknowledged do not tell what became of the others, and nothing has failed.
        if has(.unknown) { return .unknown }
        if has(.acknowledged) { return .done }
        if has(.rejected, .failed) { return .failed }
        if has(.observed) { return .observed }
        return has(.skipped) && !has(.planned) ? .skipped : .idle
    }

    /// Reason of the first URL that was skipped.
    package var skipReason: SkipReason? { urls.lazy.compactMap(\.reason).first }

    /// Why the first URL that was observed was not sent.
    package var observedReason: SkipReason { urls.first { $0.state == .observed }?.reason ?? .observeMode }
}

/// Delivery of one URL of an event.
///
/// Most URLs of a session are planned: what only a claim brings is kept apart, so that they take no room for it.
package struct URLDelivery: Sendable, Hashable {
    /// The URL as written; with its event it is the identity of the beacon.
    package internal(set) var url: String
    package internal(set) var state = DeliveryState.planned
    /// Reason of the state `skipped`, and of `observed` where it is not the mode.
    package internal(set) var reason: SkipReason?
    /// Whether metadata still lists the URL; an unlisted one is kept for the record of what was sent.
    package internal(set) var isListed = true
    /// Its place among the ledger's insertions.
    var insertion = Insertion.none
    /// Empty until something differs from an untouched one.
    private var progress: [Progress] = []

    init(url: String) {
        self.url = url
    }

    private struct Progress: Sendable, Hashable {
        var filled: String?
        var round = 0
        var attempts: [BeaconAttempt] = []
        var attemptCount = 0
        var retryAt: Duration?
        var late: Duration?
        var replacement: String?
        var judged: SkipReason?
    }

    private mutating func change(_ body: (inout Progress) -> Void) {
        if progress.isEmpty { progress = [Progress()] }
        body(&progress[0])
        if progress[0] == Progress() { progress = [] }
    }
}

extension URLDelivery {
    /// The URL with its macros filled and with escapes, once it is claimed; nil when it is requested as written.
    package internal(set) var filled: String? {
        get { progress.first?.filled }
        set { change { $0.filled = newValue } }
    }
    /// Number of the user action for a user event; 0 for other events.
    package internal(set) var round: Int {
        get { progress.first?.round ?? 0 }
        set { change { $0.round = newValue } }
    }
    /// Attempts, newest last, at most ``Ledger/attemptsKept``.
    package internal(set) var attempts: [BeaconAttempt] {
        get { progress.first?.attempts ?? [] }
        set { change { $0.attempts = newValue } }
    }
    /// Number of attempts in the current round, including those no longer kept.
    package internal(set) var attemptCount: Int {
        get { progress.first?.attemptCount ?? 0 }
        set { change { $0.attemptCount = newValue } }
    }
    /// Uptime of the next attempt, in state `waiting`.
    package internal(set) var retryAt: Duration? {
        get { progress.first?.retryAt }
        set { change { $0.retryAt = newValue } }
    }
    /// Media time between the due time and the claim; nil before the claim.
    package internal(set) var late: Duration? {
        get { progress.first?.late }
        set { change { $0.late = newValue } }
    }
    /// What metadata lists in its place since it was claimed: mostly the same with another value of a cache buster.
    var replacement: String? {
        get { progress.first?.replacement }
        set { change { $0.replacement = newValue } }
    }
    /// Why it was skipped before its URL was replaced: for the same reason it is not counted a second time.
    var judged: SkipReason? {
        get { progress.first?.judged }
        set { if newValue != judged { change { $0.judged = newValue } } }
    }
}

/// One attempt at one URL.
package struct BeaconAttempt: Sendable, Hashable {
    let claim: ClaimID
    package let at: Moment
    /// Nil while in flight.
    package internal(set) var answer: BeaconAnswer?

    /// Whether nothing was sent: the attempt then proves nothing about the beacon.
    var didNotLeave: Bool { answer?.didNotLeave ?? false }
}

/// The parts of a beacon's answer that are kept.
package struct BeaconAnswer: Sendable, Hashable {
    package var status: Int?
    /// Kind and message when no answer arrived.
    package var failure: HTTPFailure?
    /// All hops but the last are redirects; header fields are reduced to ``keptFields``.
    package var hops: [HTTPExchange.Hop]
    package var timings: HTTPExchange.Timings
    package var contentType: String?
    package var bytes: Int

    /// Header fields kept of every hop (lower case).
    package static let keptFields: Set<String> = ["location", "content-type", "retry-after", "server"]
}

extension BeaconAnswer {
    /// Whether the name of the host led to a forbidden address, so that nothing was sent.
    package var didNotLeave: Bool { failure?.kind == .addressNotAllowed && hops.isEmpty }

    package init(_ exchange: HTTPExchange) {
        status = exchange.status
        failure = exchange.failure
        hops = exchange.hops.map { hop in
            HTTPExchange.Hop(
                url: hop.url, status: hop.status,
                fields: hop.fields.filter { Self.keptFields.contains($0.name.lowercased()) })
        }
        timings = exchange.timings
        contentType = exchange.contentType
        bytes = exchange.bodyBytes
    }
}
