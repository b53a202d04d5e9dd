/// An agent of a fleet as a value: what happened goes in, with the time of the agent's own monotonic clock, and effects come out. It has one
/// connection for claims and one for all else, with at most one call under way on each.
package struct FleetAgent: Sendable {
    /// Whether a claim is of a beacon that is due: the judgement of the ledger, which knows moved starts, ids and cache busters.
    package typealias Likeness = @Sendable (ClaimRequest, DueBeacon) -> Bool

    /// A call whose answer is awaited.
    struct OpenCall: Hashable, Sendable {
        var call: StoreCall
        var number: Int
        var askedAt: Duration
        /// Numbers of the first rows of the spool when it was asked.
        var firstRows: SpoolCount
    }

    /// What is asked on one connection, and how it fares.
    struct CallLine: Hashable, Sendable {
        var call: OpenCall?
        var pause = CallPause()
        /// Whether the connection is new, so that a beat comes first.
        var needsBeat = false
        /// Since when claims are asked on it and none is answered.
        var silentSince: Duration?
    }

    package static let largestBatch = 64
    /// Viewers in one take, whatever the store orders: each comes with its saved session, which may have 128 KiB, and the connection takes 64 MiB.
    static let largestTake = 100
    /// How long requests under way are waited for before a viewer is given, and how long an ordered end may take.
    static let releaseLimit = Duration.milliseconds(1_500)
    package static let endLimit = Duration.seconds(2)
    /// From one beat to the next at least where hints ask for it: a drain that gives viewers one by one must not keep the store busy with beats.
    static let hintDistance = Duration.milliseconds(500)
    /// How often partitions are looked after.
    static let upkeepInterval = Duration.seconds(60)

    package let name: String
    package let place: String
    package internal(set) var timing: FleetTiming
    /// Whether the agent stops at the end of its lease (FLT-12). Tests switch this off: nothing may be sent twice without it.
    package var heedsLease = true
    /// Nil where the sessions judge.
    let isSame: Likeness?
    let removed: Set<FleetGuard>

    package internal(set) var incarnation: Int?
    var orders = AgentOrders()
    var viewers: [Int: FollowedViewer] = [:]
    /// When the lease ends by the own clock, counted from before the beat was asked for (FLT-12).
    var leaseEnd: Duration?
    var nextBeat = Duration.zero
    var mustBeat = true
    var mustAskOwned = false
    var nextUpkeep = Duration.zero
    var work = WorkTurns()
    var ending = AgentEnding()
    var claimLine = CallLine()
    var otherLine = CallLine()
    var nextCall = 1
    /// Claims that were asked and not answered; they come first, under their numbers (FLT-8).
    var unanswered: [ClaimRequest] = []
    var queue: [ClaimRequest] = []
    /// Requests that left and have no outcome yet. The agent keeps none, which is the guard of FLT-7: a claim that it does not know it cannot ask
    /// again. A test that removes this guard needs them, to show that it is found.
    var open: [ClaimRequest] = []
    package internal(set) var spool: FleetSpool

    /// - Parameters:
    ///   - removed: guards that are left out, by tests only.
    ///   - spoolLimit: bytes of outcomes and notes that may wait for the store.
    ///   - isSame: nil where the sessions judge what was claimed before.
    package init(
        name: String, place: String, timing: FleetTiming = FleetTiming(), without removed: Set<FleetGuard> = [],
        spoolLimit: Int = FleetSpool.largest, isSame: Likeness?
    ) {
        self.name = name
        self.place = place
        self.timing = timing
        self.removed = removed
        spool = FleetSpool(limit: spoolLimit)
        self.isSame = isSame
    }

    /// Viewers that the agent follows or is about to give, lowest first.
    package var holding: [ViewerEpoch] { viewers.values.map(\.taken.id).sorted { $0.viewer < $1.viewer } }

    package var isDraining: Bool { orders.isDraining }
    /// Whether the fleet sends.
    package var isFiring: Bool { orders.isFiring }
    /// Whether the end of the incarnation was asked for.
    package var isEnding: Bool { ending.by != nil }

    /// Until when claims and requests may leave by the own clock; nil without a lease.
    package var sendsUntil: Duration? {
        guard incarnation != nil, let leaseEnd else { return nil }
        return heedsLease ? leaseEnd - timing.margin : .seconds(Int64.max / 2)
    }

    /// Whether claims and requests may leave.
    package func maySend(at now: Duration) -> Bool { sendsUntil.map { now < $0 } ?? false }

    /// How long claims have been asked and none was answered, while beats are; nil where the last one was.
    package func claimSilence(at now: Duration) -> Duration? {
        maySend(at: now) && !viewers.isEmpty ? claimLine.silentSince.map { now - $0 } : nil
    }

    /// What the store shows of this agent.
    package var load: AgentLoad {
        AgentLoad(
            queue: queue.count + unanswered.count, spoolBytes: spool.bytes,
            failing: viewers.values.count { $0.health?.problem != nil })
    }

    /// Viewers by what the agent does with them: `reading`, `following`, `giving`.
    package var viewersByPhase: [String: Int] {
        var counts = ["reading": 0, "following": 0, "giving": 0]
        for viewer in viewers.values { counts[viewer.phase.rawValue, default: 0] += 1 }
        return counts
    }

    /// Time passed.
    package mutating func ticked(at now: Duration) -> [AgentEffect] {
        guard !ending.isOver else { return [] }
        var effects = dropLateCalls(at: now)
        if incarnation != nil { effects += maySend(at: now) ? withdrawOverdueClaims(at: now) : withdrawClaims() }
        if let end = ending.by, now >= end {
            ending.isOver = true
            return effects + [.ended]
        }
        if otherLine.call == nil, now >= otherLine.pause.until, let call = nextOtherCall(at: now) {
            effects.append(ask(call, at: now))
        }
        if claimLine.call == nil, now >= claimLine.pause.until, let call = nextClaim(at: now) {
            effects.append(ask(call, at: now))
        }
        return effects
    }

    /// The store hinted at a change: the next beat comes earlier (FLT-14).
    package mutating func hinted(at now: Duration) -> [AgentEffect] {
        orders.hasHint = true
        return ticked(at: now)
    }

    /// A session listed a beacon whose time has come.
    package mutating func becameDue(_ beacon: DueBeacon, at now: Duration) -> [AgentEffect] {
        becameDue([beacon], at: now)
    }

    /// A session listed beacons whose time has come; what can be asked goes in one batch.
    package mutating func becameDue(_ beacons: [DueBeacon], at now: Duration) -> [AgentEffect] {
        var effects: [AgentEffect] = []
        for var beacon in beacons {
            beacon.waitsSince = now
            guard let viewer = viewers[beacon.key.viewer], viewer.phase == .following else {
                effects.append(.unsent(beacon, .lost))
                continue
            }
            guard isFiring else {
                effects.append(.unsent(beacon, .observing))
                continue
            }
            guard maySend(at: now) else {
                effects.append(.unsent(beacon, .storeAway))
                continue
            }
            if let playhead = viewer.playheadBehindEpoch(beacon, at: now) {
                viewers[beacon.key.viewer]?.playhead = playhead
                effects += give([viewer.taken.id], at: now) + [.unsent(beacon, .lost)]
                continue
            }
            guard let request = viewers[beacon.key.viewer]?.claim(beacon, isSame: isSame) else {
                effects.append(.unsent(beacon, .duplicate))
                continue
            }
            queue.append(request)
        }
        return effects + ticked(at: now)
    }

    /// A request ended.
    package mutating func ended(
        _ request: ClaimRequest, _ outcome: ClaimOutcome, status: Int? = nil, took: Duration? = nil
    ) {
        open.removeAll { $0 == request }
        finish(request, outcome, status: status, took: took)
    }

    /// The session of a viewer that is about to be given has ended.
    package mutating func stopped(_ viewer: ViewerEpoch) {
        guard viewers[viewer.viewer]?.taken.id == viewer else { return }
        viewers[viewer.viewer]?.releasedAt = nil
        work.mayHaveCome()
    }

    /// The process is to end: it gives all viewers, with the outcomes and playheads that it has, and ends its incarnation.
    package mutating func endAsked(at now: Duration) -> [AgentEffect] {
        guard !isEnding else { return [] }
        ending.by = now + Self.endLimit
        guard incarnation != nil else {
            ending.isOver = true
            return [.ended]
        }
        return give(viewers.values.filter { $0.phase != .giving }.map(\.taken.id), at: now) + ticked(at: now)
    }

    mutating func finish(
        _ request: ClaimRequest, _ outcome: ClaimOutcome, status: Int? = nil, took: Duration? = nil
    ) {
        let claim = StoredClaim(request: request, outcome: outcome, status: status, took: took)
        if viewers[request.key.viewer]?.taken.id.epoch == request.epoch { viewers[request.key.viewer]?.record(claim) }
        spool.add(claim)
    }

    private mutating func ask(_ call: StoreCall, at now: Duration) -> AgentEffect {
        let open = OpenCall(call: call, number: nextCall, askedAt: now, firstRows: spool.starts)
        nextCall += 1
        if call.isClaim {
            claimLine.call = open
            claimLine.silentSince = claimLine.silentSince ?? now
        } else {
            otherLine.call = open
        }
        return .call(call, number: open.number)
    }
}

/// What sessions report for the store.
extension FleetAgent {
    /// The playhead of a viewer moved.
    package mutating func moved(_ viewer: ViewerEpoch, to playhead: PlayheadReading) {
        guard viewers[viewer.viewer]?.taken.id == viewer else { return }
        viewers[viewer.viewer]?.playhead = playhead
        viewers[viewer.viewer]?.newestPlayhead = playhead
    }

    /// The media date at which a viewer is, for what has no date of its own; never before what may be claimed in its epoch (FLT-3). Nil where
    /// its playhead is not known yet: that epoch may have begun days away from it.
    package func mediaDate(of viewer: ViewerEpoch, at now: Duration) -> Duration? {
        guard let followed = viewers[viewer.viewer], followed.taken.id == viewer,
            let date = followed.newestPlayhead.map({ $0.date(at: now) }) ?? followed.taken.playhead
        else { return nil }
        return max(date, followed.taken.dueFrom ?? date)
    }

    /// How a viewer is.
    package mutating func noteHealth(_ health: ViewerHealth, isOnAir: Bool = false, of viewer: ViewerEpoch) {
        guard viewers[viewer.viewer]?.taken.id == viewer else { return }
        viewers[viewer.viewer]?.health = health
        viewers[viewer.viewer]?.isOnAir = isOnAir
    }

    /// What the session of a viewer is, for its successor.
    package mutating func noteSession(_ state: [UInt8], of viewer: ViewerEpoch) {
        guard viewers[viewer.viewer]?.taken.id == viewer else { return }
        viewers[viewer.viewer]?.session = state
        work.mayHaveCome()
    }

    /// Whether the store has what the session of a viewer is.
    package func hasSavedSession(of viewer: ViewerEpoch) -> Bool {
        viewers[viewer.viewer].map { $0.taken.id != viewer || $0.session == nil } ?? true
    }

    /// Viewers of this agent whose pictures are wanted.
    package var watched: [ViewerEpoch] {
        orders.watched.compactMap { viewers[$0] }.filter { $0.phase == .following }.map(\.taken.id)
    }

    /// Takes the picture of a viewer, for the store.
    package mutating func notePicture(_ text: String, of viewer: ViewerEpoch) {
        guard viewers[viewer.viewer]?.taken.id == viewer else { return }
        orders.pictures[viewer.viewer] = text
    }

    /// What an earlier process of the place left, before anything else.
    package mutating func restore(_ rows: SpooledRows) { spool.restore(rows) }

    /// What the file of the spool should have and has not; nil for nothing.
    package mutating func nextSpoolChange(isLast: Bool = false) -> SpoolChange? { spool.nextChange(isLast: isLast) }

    /// The file does not have the last change.
    package mutating func spoolWasNotKept() { spool.wasNotKept() }

    /// What happened to sessions, for people.
    package mutating func note(_ rows: [NoteRow]) {
        for row in rows { spool.add(row) }
    }

    /// What was due and not sent.
    package mutating func noteUnsent(_ rows: [UnsentRow]) {
        for row in rows { spool.add(row) }
    }
}
