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
/// Most URLs of a session are planned or were sent once: what hardly any has is kept apart, so that the others take no room for it.
package struct URLDelivery: Sendable, Hashable {
    /// The URL as written; with its event it is the identity of the beacon.
    package private(set) var url: String
    package internal(set) var state = DeliveryState.planned
    /// Reason of the state `skipped`, and of `observed` where it is not the mode.
    package internal(set) var reason: SkipReason?
    /// Whether metadata still lists the URL; an unlisted one is kept for the record of what was sent.
    package internal(set) var isListed = true
    /// Its place among the ledger's insertions.
    var insertion = Insertion.none
    /// Its attempts, how many there were, and how late it was.
    package private(set) var tries = BeaconTries()
    /// Empty for a URL that has none of it.
    private var rest: [Rest] = []

    init(url: String) {
        self.url = url
    }

    private struct Rest: Sendable, Hashable {
        var filled: String?
        var round = 0
        var retryAt: Duration?
        var replacement: String?
        var judged: SkipReason?
    }

    private mutating func change(_ body: (inout Rest) -> Void) {
        var new = rest.first ?? Rest()
        body(&new)
        guard new != rest.first ?? Rest() else { return }
        rest = new == Rest() ? [] : [new]
    }

    /// The tries name the address that was requested only where it is another one, so they follow it.
    private mutating func changeAddress(_ body: (inout Self) -> Void) {
        let (count, late, attempts) = (attemptCount, late, attempts)
        body(&self)
        tries = BeaconTries(count: count, late: late, attempts, of: requested)
    }
}

extension URLDelivery {
    /// The address that is requested, or was.
    package var requested: String { filled ?? url }
    /// The URL with its macros filled and with escapes, once it is claimed; nil when it is requested as written.
    package internal(set) var filled: String? {
        get { rest.first?.filled }
        set { if newValue != filled { changeAddress { $0.change { $0.filled = newValue } } } }
    }
    /// Number of the user action for a user event; 0 for other events.
    package internal(set) var round: Int {
        get { rest.first?.round ?? 0 }
        set { change { $0.round = newValue } }
    }
    /// Attempts, newest last, at most ``Ledger/attemptsKept``.
    package internal(set) var attempts: [BeaconAttempt] {
        get { tries.attempts(of: requested) }
        set { tries = BeaconTries(count: attemptCount, late: late, newValue, of: requested) }
    }
    /// Number of attempts in the current round, including those no longer kept.
    package internal(set) var attemptCount: Int {
        get { tries.count }
        set { tries = BeaconTries(count: newValue, late: late, attempts, of: requested) }
    }
    /// Uptime of the next attempt, in state `waiting`.
    package internal(set) var retryAt: Duration? {
        get { rest.first?.retryAt }
        set { change { $0.retryAt = newValue } }
    }
    /// Media time between the due time and the claim, with the time until the request was written once that is known; nil before the claim.
    package internal(set) var late: Duration? {
        get { tries.late }
        set { tries = BeaconTries(count: attemptCount, late: newValue, attempts, of: requested) }
    }
    /// What metadata lists in its place since it was claimed: mostly the same with another value of a cache buster.
    var replacement: String? {
        get { rest.first?.replacement }
        set { change { $0.replacement = newValue } }
    }
    /// Why it was skipped before its URL was replaced: for the same reason it is not counted a second time.
    var judged: SkipReason? {
        get { rest.first?.judged }
        set { change { $0.judged = newValue } }
    }

    /// The newest document lists the beacon under another URL.
    mutating func become(_ url: String) { changeAddress { $0.url = url } }
}

/// As a row of an event that is past.
extension URLDelivery {
    /// - Parameter other: a URL of the same ad.
    func write(to writer: inout PackedWriter, like other: String) {
        writer.write(url, like: other)
        writer.write(case: state)
        writer.write(reason) { $0.write(case: $1) }
        writer.write(isListed)
        writer.write(Int(insertion))
        writer.write(bytes: tries.bytes)
        writer.write(rest.first) { writer, rest in
            writer.write(rest.filled, usual: nil)
            writer.write(rest.round)
            writer.write(rest.retryAt) { $0.write($1) }
            writer.write(rest.replacement, usual: nil)
            writer.write(rest.judged) { $0.write(case: $1) }
        }
    }

    /// - Parameter other: the URL that it was written with.
    init(_ reader: inout PackedReader, like other: String) {
        self.init(url: reader.text(like: other))
        state = reader.value()
        reason = reader.optional { $0.value() }
        isListed = reader.flag()
        insertion = Int32(clamping: reader.int())
        tries = BeaconTries(bytes: Array(reader.nextBytes()))
        let rest = reader.optional { reader in
            Rest(
                filled: reader.text(usual: nil), round: reader.int(), retryAt: reader.optional { $0.duration() },
                replacement: reader.text(usual: nil), judged: reader.optional { $0.value() })
        }
        if let rest { self.rest = [rest] }
    }
}

/// One attempt at one URL.
package struct BeaconAttempt: Sendable, Hashable {
    let claim: ClaimID
    /// When its request was written; while that is not known, when it was ordered.
    package internal(set) var at: Moment
    /// Nil while in flight.
    package internal(set) var answer: BeaconAnswer?

    /// Whether nothing was sent: the attempt then proves nothing about the beacon.
    var didNotLeave: Bool { answer?.didNotLeave ?? false }
}

extension BeaconAttempt {
    /// An attempt as it is shown: its claim is not known.
    package init(at moment: Moment, answer: BeaconAnswer?) {
        self.init(claim: ClaimID(0), at: moment, answer: answer)
    }
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
