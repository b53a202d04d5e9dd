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
    }

    package static let largestBatch = 64
    /// Outcomes that wait for the store; what exceeds them is dropped and stays unknown.
    package static let largestSpool = 10_000

    package let name: String
    package let place: String
    package let timing: FleetTiming
    /// Whether the agent stops at the end of its lease (FLT-12). Tests switch this off: nothing may be sent twice without it.
    package var heedsLease = true
    let isSame: Likeness
    let removed: Set<FleetGuard>

    package internal(set) var incarnation: Int?
    package internal(set) var isDraining = false
    var viewers: [Int: FollowedViewer] = [:]
    /// When the lease ends by the own clock, counted from before the beat was asked for (FLT-12).
    var leaseEnd: Duration?
    var nextBeat = Duration.zero
    var mustBeat = true
    var mustAskOwned = false
    var want = 0
    var claimCall: OpenCall?
    var otherCall: OpenCall?
    var nextCall = 1
    /// Claims that were asked and not answered; they come first, under their numbers (FLT-8).
    var unanswered: [ClaimRequest] = []
    var queue: [ClaimRequest] = []
    /// Requests that left and have no outcome yet.
    var open: [ClaimRequest] = []
    package internal(set) var spool: [StoredClaim] = []

    /// - Parameter removed: guards that are left out, by tests only.
    package init(
        name: String, place: String, timing: FleetTiming = FleetTiming(), without removed: Set<FleetGuard> = [],
        isSame: @escaping Likeness
    ) {
        self.name = name
        self.place = place
        self.timing = timing
        self.removed = removed
        self.isSame = isSame
    }

    /// Viewers that the agent follows or is about to give, lowest first.
    package var holding: [ViewerEpoch] { viewers.values.map(\.taken.id).sorted { $0.viewer < $1.viewer } }

    /// Whether claims and requests may leave.
    package func maySend(at now: Duration) -> Bool {
        guard incarnation != nil, let leaseEnd else { return false }
        return !heedsLease || now < leaseEnd - timing.margin
    }

    /// Time passed.
    package mutating func ticked(at now: Duration) -> [AgentEffect] {
        var effects = dropLateCalls(at: now)
        if otherCall == nil, let call = nextOtherCall(at: now) { effects.append(ask(call, at: now)) }
        if claimCall == nil, let call = nextClaim(at: now) { effects.append(ask(call, at: now)) }
        return effects
    }

    /// A session listed a beacon whose time has come.
    package mutating func becameDue(_ beacon: DueBeacon, at now: Duration) -> [AgentEffect] {
        guard var viewer = viewers[beacon.key.viewer], viewer.phase == .following else {
            return [.unsent(beacon, .lost)]
        }
        guard maySend(at: now) else { return [.unsent(beacon, .storeAway)] }
        guard let request = viewer.claim(beacon, isSame: isSame) else { return [.unsent(beacon, .duplicate)] }
        viewers[beacon.key.viewer] = viewer
        queue.append(request)
        return ticked(at: now)
    }

    /// A request ended.
    package mutating func ended(_ request: ClaimRequest, _ outcome: ClaimOutcome) {
        open.removeAll { $0 == request }
        finish(request, outcome)
    }

    /// The playhead of a viewer moved.
    package mutating func moved(_ viewer: ViewerEpoch, to playhead: Duration) {
        guard viewers[viewer.viewer]?.taken.id == viewer else { return }
        viewers[viewer.viewer]?.playhead = playhead
    }

    mutating func finish(_ request: ClaimRequest, _ outcome: ClaimOutcome) {
        let claim = StoredClaim(request: request, outcome: outcome)
        if viewers[request.key.viewer]?.taken.id.epoch == request.epoch { viewers[request.key.viewer]?.record(claim) }
        if spool.count < Self.largestSpool { spool.append(claim) }
    }

    private mutating func ask(_ call: StoreCall, at now: Duration) -> AgentEffect {
        let open = OpenCall(call: call, number: nextCall, askedAt: now)
        nextCall += 1
        if case .claim = call { claimCall = open } else { otherCall = open }
        return .call(call, number: open.number)
    }
}
