/// What goes over the connection for all but claims when its turn comes, in the order in which it goes.
enum StoreWork: CaseIterable {
    case reading, sessions, outcomes, playheads, unsent, pictures, health, notes, orders
}

extension StoreWork {
    /// Whether all viewers are looked at to find it.
    fileprivate var looksAtViewers: Bool {
        switch self {
        case .reading, .sessions, .playheads, .health, .orders: true
        case .outcomes, .unsent, .pictures, .notes: false
        }
    }
}

extension StoreCall {
    /// Whether its answer may bring work.
    var bringsWork: Bool {
        switch self {
        case .claim, .outcomes, .unsent, .health, .picture, .notes, .keepUp: false
        case .start, .beat, .take, .claims, .owned, .give, .playheads, .sessions, .channels, .end: true
        }
    }
}

/// How far that work is.
struct WorkTurns: Hashable, Sendable {
    /// How long work that was not there is not looked for again, unless something has come that may bring it. Between two ticks hundreds of
    /// claims and outcomes may come, and none of them is worth a look at all viewers.
    static let pause = Duration.milliseconds(200)

    /// What had its turn while other work waits.
    var had: Set<StoreWork> = []
    var reading = ClaimReading()
    /// What was not there, and until when it is not looked for.
    private(set) var missing: Set<StoreWork> = []
    private var missingUntil = Duration.zero

    mutating func began(at now: Duration) {
        guard now >= missingUntil else { return }
        missing = []
        missingUntil = now + Self.pause
    }

    mutating func isMissing(_ kind: StoreWork) {
        if kind.looksAtViewers { missing.insert(kind) }
    }

    /// Something has come that may bring work.
    mutating func mayHaveCome() { missing = [] }
}

/// What the agent reads of its viewers, and what the store does not have yet.
extension FleetAgent {
    /// Rows, or viewers, in one call.
    static let largestDelivery = 500
    /// Bytes of sessions in one call, unless a single one has more: the store flushes them before it answers, and a beat waits behind it.
    static let largestSessions = 1 << 20

    /// Sessions and outcomes before all that is for people. But each kind has its turn before one has another: what comes in faster than calls
    /// carry it holds nothing else up.
    mutating func nextWork(_ incarnation: Int, at now: Duration) -> StoreCall? {
        work.began(at: now)
        for _ in 0..<2 {
            for kind in StoreWork.allCases where !work.had.contains(kind) && !work.missing.contains(kind) {
                guard let call = next(kind, incarnation, at: now) else {
                    work.isMissing(kind)
                    continue
                }
                work.had.insert(kind)
                return call
            }
            guard !work.had.isEmpty else { return nil }
            work.had = []
        }
        return nil
    }

    private mutating func next(_ kind: StoreWork, _ incarnation: Int, at now: Duration) -> StoreCall? {
        switch kind {
        case .reading: return nextReading(incarnation, at: now)
        case .sessions: return nextSessions(incarnation)
        case .outcomes:
            return spool.outcomes.count > 0 ? .outcomes(spool.outcomes.prefix(Self.largestDelivery)) : nil
        case .playheads: return nextPlayheads(incarnation, at: now)
        case .unsent:
            guard spool.unsent.count > 0 else { return nil }
            return .unsent(agent: incarnation, beacons: spool.unsent.prefix(Self.largestDelivery))
        case .pictures:
            guard let (viewer, text) = orders.pictures.first else { return nil }
            orders.pictures[viewer] = nil
            return .picture(agent: incarnation, viewer: viewer, text: text)
        case .health: return nextHealth(incarnation, at: now)
        case .notes:
            guard spool.notes.count > 0 else { return nil }
            return .notes(agent: incarnation, rows: spool.notes.prefix(Self.largestDelivery))
        // An ordered end comes after everything.
        case .orders: return isEnding ? nil : nextOrder(incarnation, at: now)
        }
    }

    /// Those that were sent longest ago come first: a session that changes all the time holds no other up.
    private mutating func nextSessions(_ incarnation: Int) -> StoreCall? {
        let waiting = viewers.values.filter { $0.session != nil && $0.phase != .reading }
            .sorted { ($0.lastSession, $0.taken.id.viewer) < ($1.lastSession, $1.taken.id.viewer) }
        var states: [ViewerEpoch: [UInt8]] = [:]
        var bytes = 0
        for viewer in waiting.prefix(Self.largestDelivery) {
            let state = viewer.session ?? []
            bytes += state.count
            guard states.isEmpty || bytes <= Self.largestSessions else { break }
            states[viewer.taken.id] = state
            viewers[viewer.taken.id.viewer]?.lastSession = nextCall
        }
        return states.isEmpty ? nil : .sessions(agent: incarnation, states: states, number: nextCall)
    }

    /// Only of viewers whose sessions the store has as they are: a successor begins at the playhead, with what the session listed before it.
    private mutating func nextPlayheads(_ incarnation: Int, at now: Duration) -> StoreCall? {
        let moved = viewers.values.filter { $0.session == nil && $0.owesPlayhead(at: now) }
            .sorted { Self.waitsLonger($0, $1, since: \.savedPlayhead?.readAt) }
        return moved.isEmpty ? nil : playheads(of: moved.prefix(Self.largestDelivery).map(\.taken.id), incarnation)
    }

    private mutating func nextHealth(_ incarnation: Int, at now: Duration) -> StoreCall? {
        let owed = viewers.values.filter { $0.owesHealth(at: now) }
            .sorted { Self.waitsLonger($0, $1, since: \.healthSavedAt) }.prefix(Self.largestDelivery)
        guard !owed.isEmpty else { return nil }
        for viewer in owed {
            viewers[viewer.taken.id.viewer]?.savedHealth = viewer.health
            viewers[viewer.taken.id.viewer]?.healthSavedAt = now
        }
        return .health(agent: incarnation, rows: owed.compactMap(\.health).sorted { $0.viewer < $1.viewer })
    }

    /// What was never saved has waited longest.
    private static func waitsLonger(
        _ one: FollowedViewer, _ other: FollowedViewer, since savedAt: (FollowedViewer) -> Duration?
    ) -> Bool {
        switch (savedAt(one), savedAt(other)) {
        case (let first?, let second?) where first != second: first < second
        case (nil, .some): true
        case (.some, nil): false
        default: one.taken.id.viewer < other.taken.id.viewer
        }
    }

    /// Playheads up to which all that was due has been decided: after a kill the successor claims what is due later (FLT-15).
    mutating func playheads(of ids: [ViewerEpoch], _ incarnation: Int) -> StoreCall {
        var heads: [ViewerEpoch: PlayheadReading] = [:]
        let undecided = firstUndecided
        for id in ids {
            guard let head = viewers[id.viewer]?.playhead else { continue }
            heads[id] = undecided[id.viewer].map { head.held(to: $0 - .microseconds(1)) } ?? head
            viewers[id.viewer]?.savedPlayhead = head
            viewers[id.viewer]?.playhead = nil
        }
        return .playheads(agent: incarnation, heads: heads, number: nextCall)
    }

    /// The media date of the first beacon whose claim the store has not answered, by viewer.
    private var firstUndecided: [Int: Duration] {
        var first: [Int: Duration] = [:]
        for requests in [claimRequests, unanswered, queue] {
            for key in requests.lazy.map(\.key) { first[key.viewer] = min(first[key.viewer] ?? key.due, key.due) }
        }
        return first
    }
}
