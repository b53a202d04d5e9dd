import AdTracking
import Ports

/// The pings of a session (PRV-43). A ledger of their own sends them by the rules of all beacons: claimed, written to the journal,
/// then sent, so that each is sent at most once, also across crashes (TRK-13).
///
/// A ping is one request of one session at one URL. It is never repeated: the server may have counted it.
struct PingBook: Sendable {
    /// Maximum number of pings kept so that they are not sent again; the oldest are dropped first.
    static let kept = 1_000
    /// Maximum number of URLs whose pings are counted; beyond it all counts start again at zero.
    private static let remembered = 20_000
    /// More are never on their way to the journal: a viewer jumps by hand.
    private static let underWay = 64

    /// A ping that was due.
    struct Entry: Sendable {
        var ping: PlayerPing
        var session: String
        /// Number of the session in this process.
        var round: Int
    }

    private var ledger: Ledger
    private var entries: [EventID: Entry] = [:]
    private var identities: [URLKey: EventID] = [:]
    /// Oldest first.
    private var order: [EventID] = []
    /// How often each URL was sent in this process: a viewer may jump from one place to another more than once.
    private var times: [String: Int] = [:]
    /// Pings that an earlier run sent and that were not due in this one.
    private var earlier: [URLKey: RestoredBeacon] = [:]
    private var lastEvent = 0
    private var round = 0

    init(mode: ReportingMode, gate: SendGate) {
        ledger = Ledger(mode: mode, gate: gate, retry: .never, owner: .ping)
    }

    /// Decides which URLs may be requested.
    var gate: SendGate {
        get { ledger.gate }
        set { ledger.gate = newValue }
    }

    /// The session is over: answers to its pings no longer count.
    mutating func left() { round += 1 }

    // MARK: Sending

    /// Claims a ping that is due.
    /// - Returns: its state afterwards.
    mutating func claim(_ ping: PlayerPing, of session: String, at now: Moment) -> DeliveryState {
        let key = PingIdentity.key(ping, of: session, time: times[ping.url.text, default: 0])
        let event = event(of: key)
        entries[event] = Entry(ping: ping, session: session, round: round)
        _ = ledger.claim(event, late: nil, adEndsIn: .zero, at: now)
        forget()
        let state = state(of: event)
        // What is not sent is the same ping when it may be, also to the next process.
        if state != .observed, state != .skipped { times[ping.url.text, default: 0] += 1 }
        return state
    }

    /// The event of a ping, as the newest one: known where it was not sent before, or where an earlier run sent it.
    private mutating func event(of key: URLKey) -> EventID {
        if let known = identities[key], state(of: known) != .skipped {
            ledger.reconsider(known)
            order.removeAll { $0 == known }
            order.append(known)
            return known
        }
        lastEvent += 1
        let event = EventID(lastEvent)
        ledger.register(event, key: key.event, type: EventType(name: "impression"), urls: [key.url], at: nil)
        identities[key] = event
        order.append(event)
        if let beacon = earlier.removeValue(forKey: key) { ledger.restored(beacon, of: event) }
        return event
    }

    private func state(of event: EventID) -> DeliveryState { ledger[event]?.urls.first?.state ?? .planned }

    private mutating func forget() {
        if times.count > Self.remembered { times.removeAll() }
        while order.count > Self.kept, let event = order.first, ledger[event]?.state != .connecting {
            order.removeFirst()
            entries[event] = nil
            identities = identities.filter { $0.value != event }
            ledger.remove([event])
        }
    }

    /// The next claims to write to the journal.
    mutating func takeEffects(at now: Moment) -> [LedgerEffect] { ledger.takeEffects(at: now) }

    /// The claims are on disk.
    /// - Returns: the work for the edge, and the pings that may no longer be sent.
    mutating func claimsWritten(
        _ ids: [ClaimID], mayLeave: Bool, at now: Moment
    ) -> (effects: [LedgerEffect], withdrawn: [Entry]) {
        let claimed = order.suffix(Self.underWay).filter { state(of: $0) == .claimed }
        let effects = ledger.claimsWritten(ids, mayLeave: mayLeave, at: now)
        let withdrawn = claimed.filter { state(of: $0) == .observed }.compactMap { entries[$0] }
        for entry in withdrawn { times[entry.ping.url.text, default: 1] -= 1 }
        return (effects, withdrawn)
    }

    /// Claims that were not granted, or whose requests did not leave.
    /// - Returns: the work for the edge, and the pings that were not sent.
    mutating func claimsRefused(
        _ refused: [RefusedClaim], at now: Moment
    ) -> (effects: [LedgerEffect], withdrawn: [Entry]) {
        let claimed = order.suffix(Self.underWay).filter { state(of: $0) == .claimed || state(of: $0) == .sent }
        let effects = ledger.claimsRefused(refused, at: now).effects
        let withdrawn = claimed.filter { [.observed, .skipped].contains(state(of: $0)) }.compactMap { entries[$0] }
        return (effects, withdrawn)
    }

    /// In observe mode nothing that is claimed leaves.
    mutating func modeChanged(to mode: ReportingMode) { ledger.modeChanged(to: mode) }

    /// Records the end of one request.
    /// - Returns: the ping, nil for an unknown claim, what became of it, and the work for the edge.
    mutating func answered(
        _ id: ClaimID, _ exchange: HTTPExchange, at now: Moment
    ) -> (entry: Entry?, change: DeliveryChange?, effects: [LedgerEffect]) {
        let answer = ledger.answered(id, exchange, at: now)
        return (answer.change.flatMap { entries[$0.event] }, answer.change, answer.effects)
    }

    /// The ping that the session of this moment waits for, and what became of it; nil before the first one.
    var newest: (entry: Entry, state: DeliveryState, reason: SkipReason?, status: Int?)? {
        guard let event = order.last, let entry = entries[event], entry.round == round else { return nil }
        let delivery = ledger[event]?.urls.first
        return (entry, delivery?.state ?? .planned, delivery?.reason, delivery?.attempts.last?.answer?.status)
    }

    /// Whether an answer to that ping still counts.
    func isCurrent(_ entry: Entry) -> Bool { entry.round == round }

    // MARK: The journal

    /// What earlier runs sent: a ping without an outcome may have arrived, and is not sent again.
    mutating func restored(_ beacons: [RestoredBeacon]) {
        for beacon in beacons where beacon.outcome != .skipped {
            guard let key = PingIdentity.key(stored: beacon.key) else { continue }
            guard let event = identities[key] else {
                earlier[key] = beacon
                continue
            }
            ledger.restored(beacon, of: event)
        }
    }

    /// The URLs of pings that earlier runs sent in a session.
    func earlierURLs(of session: String) -> [String] {
        earlier.keys.filter { PingIdentity.isOf(session, $0) }.map(\.url).sorted()
    }

    /// Everything that was sent, in this run or earlier.
    var held: [HeldBeacon] {
        earlier.sorted { $0.key.url < $1.key.url }.map { HeldBeacon($0.value) } + ledger.held()
    }

    /// Claims that the journal has not confirmed.
    func unwritten(at now: Moment) -> [ClaimRecord] { ledger.unwritten(at: now) }
}

/// The name under which a journal keeps the pings of a session, as if they were of a break: this and the session's identifier.
package enum PingGroup {
    static let prefix = "ping/"

    /// The name of a break; of one of pings without the identifier.
    package static func redacted(_ name: String) -> String { name.hasPrefix(prefix) ? prefix + Redaction.mask : name }
}

/// The identity of a ping: session, URL, and how often that URL was due before. A journal stores it as the beacon of an "ad"
/// without dates in a "break" named after the session.
private enum PingIdentity {
    private static let session = "ping"
    private static let prefix = PingGroup.prefix
    private static let noDate = UnixTime(microseconds: 0)

    static func key(_ ping: PlayerPing, of session: String, time: Int) -> URLKey {
        URLKey(
            event: EventKey(
                session: Self.session, breakName: .given(prefix + session), adName: .given("\(ping.cause) \(time)"),
                adStart: noDate, type: "ping", start: noDate),
            url: ping.url.text)
    }

    static func isOf(_ session: String, _ key: URLKey) -> Bool { key.event.breakName == .given(prefix + session) }

    /// The key of a ping in a journal, which gives all beacons the session of the stream; nil for another beacon.
    static func key(stored key: URLKey) -> URLKey? {
        guard case .given(let name) = key.event.breakName, name.hasPrefix(prefix), key.event.type == "ping",
            key.event.adStart == noDate
        else { return nil }
        let event = EventKey(
            session: session, breakName: key.event.breakName, adName: key.event.adName, adStart: noDate, type: "ping",
            start: noDate)
        return URLKey(event: event, url: key.url)
    }
}
