package import Fleet

/// The store as a value: the transactions and row locks of its functions, without PostgreSQL. A claim has a beginning, which locks the row
/// of its agent, and a commit; every other call happens at one moment, and waits for the lock where its function would.
package struct StoreModel: Sendable {
    package var tables: StoreTables
    package let timing: FleetTiming
    private let removed: Set<FleetGuard>
    /// Claims under way by agent: each holds a shared lock of the agent's row.
    private var locks: [Int: Int] = [:]
    /// What a reader without `readAfterFence` sees: the claims of its beat before the last one.
    private var earlierReads: [Int: [[ClaimKey: StoredClaim]]] = [:]

    /// A claim between its beginning and its commit.
    package struct ClaimTransaction: Hashable, Sendable {
        package let agent: Int
        let requests: [ClaimRequest]
        /// Results of the checks; `granted` where the row may be inserted.
        let checks: [ClaimResult]
        let holdsLock: Bool
    }

    /// - Parameter removed: guards that are left out, by tests only.
    package init(_ tables: StoreTables, timing: FleetTiming = FleetTiming(), without removed: Set<FleetGuard> = []) {
        self.tables = tables
        self.timing = timing
        self.removed = removed
    }

    /// Whether a call has to wait for claims under way (FLT-4).
    package func mustWait(_ call: StoreCall) -> Bool {
        switch call {
        case .start(let name, _):
            tables.agents.contains { $1.name == name && !$1.isFenced && locks[$0, default: 0] > 0 }
        case .beat(let agent, _), .take(let agent, _), .end(let agent): locks[agent, default: 0] > 0
        case .give(let agent, _): locks[agent, default: 0] > 0 && !removed.contains(.giveLock)
        default: false
        }
    }

    /// The server crashed or another one took over: locks are gone, and the tables are what was saved.
    package mutating func recover(_ saved: StoreTables) {
        tables = saved
        locks = [:]
        earlierReads = [:]
    }

    /// Locks the agent's row and checks. The fence makes it nil (FLT-4).
    package mutating func begin(agent: Int, _ requests: [ClaimRequest]) -> Result<ClaimTransaction, StoreRefusalError> {
        guard tables.isFiring else { return .failure(StoreRefusalError(refusal: .observing)) }
        let isChecked = !removed.contains(.ownershipCheck)
        if isChecked, !tables.isAtWork(agent) { return .failure(StoreRefusalError(refusal: .fenced)) }
        let holdsLock = !removed.contains(.rowLock)
        if holdsLock { locks[agent, default: 0] += 1 }
        let checks = requests.map { request -> ClaimResult in
            let viewer = ViewerEpoch(viewer: request.key.viewer, epoch: request.epoch)
            if isChecked, !tables.owns(agent, viewer) { return .notOwner }
            if let from = tables.viewers[viewer.viewer]?.dueFrom, request.key.due < from { return .tooOld }
            return .granted
        }
        return .success(ClaimTransaction(agent: agent, requests: requests, checks: checks, holdsLock: holdsLock))
    }

    /// Inserts what may be inserted and releases the lock.
    package mutating func commit(_ transaction: ClaimTransaction) -> [ClaimResult] {
        if transaction.holdsLock { release(transaction) }
        return zip(transaction.requests, transaction.checks).map { request, check in
            guard check == .granted else { return check }
            guard let there = tables.claims[request.key] else {
                tables.claims[request.key] = StoredClaim(request: request)
                return .granted
            }
            // The very same claim, asked again after its answer was lost (FLT-8).
            let isSame =
                there.request.epoch == request.epoch && there.request.number == request.number && there.outcome == nil
            return isSame || removed.contains(.ownClaimOnly) ? .granted : .taken
        }
    }

    /// The claim's connection broke before its commit.
    package mutating func rollBack(_ transaction: ClaimTransaction) {
        if transaction.holdsLock { release(transaction) }
    }

    private mutating func release(_ transaction: ClaimTransaction) {
        locks[transaction.agent] = max(0, locks[transaction.agent, default: 0] - 1)
    }

    /// Any call but a claim, at one moment of the store's clock.
    /// - Parameter version: of the calling program: its protocol, and the newest version of saved sessions that it knows.
    package mutating func perform(_ call: StoreCall, at now: Duration, version: Int = 1) -> StoreAnswer {
        switch call {
        case .start(let name, let place): return start(name, place, version, at: now)
        case .beat(let agent, _): return beat(agent, at: now)
        case .take(let agent, let count): return take(agent, count, at: now)
        case .claims(let agent, let viewers, let key): return .claims(claims(agent, of: Set(viewers), after: key))
        case .owned(let agent): return .owned(owned(agent))
        case .outcomes(let outcomes): record(outcomes)
        case .give(let agent, let viewers): return give(agent, viewers)
        case .playheads(let agent, let heads, let number):
            for (id, head) in heads where tables.owns(agent, id) { save(head, of: id, number) }
        case .sessions(let agent, let states, let number):
            for (id, state) in states where tables.owns(agent, id) { save(state, of: id, by: agent, number) }
        case .channels(let agent, let since): return channels(agent, since: since)
        case .health, .picture, .unsent, .notes, .keepUp: break
        case .end(let agent): tables.agents[agent]?.isFenced = true
        case .claim(let agent, let requests):
            switch begin(agent: agent, requests) {
            case .success(let transaction): return .claimed(commit(transaction))
            case .failure(let error): return .refused(error.refusal)
            }
        }
        return .done
    }

    private mutating func start(_ name: String, _ place: String, _ version: Int, at now: Duration) -> StoreAnswer {
        guard tables.protocols.contains(version) || removed.contains(.protocolRange) else {
            return .refused(.protocolUnknown)
        }
        for (id, other) in tables.agents where other.name == name && !other.isFenced {
            // A lease far ahead was written before a step of the clock back; it must not keep the name for hours.
            if other.place != place, isPlausible(other.leaseUntil, at: now) { return .refused(.nameInUse) }
            // The new process has locked the place, so the former one is dead.
            tables.agents[id]?.isFenced = true
        }
        let id = tables.nextAgent
        tables.nextAgent += 1
        tables.agents[id] = StoreTables.Agent(
            name: name, place: place, leaseUntil: now + timing.lease, steadySince: now, stateVersion: version,
            savesIn: tables.stateVersion, region: tables.regions[name] ?? "")
        return .started(
            agent: id, terms: FleetTerms(lease: timing.lease, beat: timing.beat, isFiring: tables.isFiring))
    }

    private mutating func beat(_ agent: Int, at now: Duration) -> StoreAnswer {
        guard tables.isAtWork(agent), var me = tables.agents[agent] else { return .refused(.fenced) }
        if !isPlausible(me.leaseUntil, at: now) { me.steadySince = now }
        me.leaseUntil = now + timing.lease
        tables.agents[agent] = me
        if removed.contains(.readAfterFence) { earlierReads[agent, default: []].append(tables.claims) }
        if me.steadySince < now - timing.lease - timing.beat { fence(at: now) }
        let holding = tables.holding(agent)
        let want = me.isDraining ? -holding : want(of: agent, me, holding: holding)
        var beat = StoreAnswer.Beat(want: want, holding: holding, isDraining: me.isDraining)
        beat.isFiring = tables.isFiring
        beat.change = tables.change
        return .beat(beat)
    }

    /// Viewers to take, or to give if negative (FLT-17). Few agents share few viewers here, so that each surplus is given: the store leaves two.
    private func want(of agent: Int, _ me: StoreTables.Agent, holding: Int) -> Int {
        let share = tables.shares[agent]
        // Those that the list does not want any more it gives anyway.
        let kept = tables.count { $0.owner == agent && !$0.isRemoved }
        let surplus = kept.values.reduce(-share.all, +)
        if surplus > 0 { return -min(surplus, Self.moves) }
        let free = free(for: me)
        let own = me.region.isEmpty ? 0 : free.count { tables.viewers[$0]?.region == me.region }
        let lacks = min(own, share.own - kept[me.region, default: 0])
        let room = me.capacity - holding
        if lacks > room { return -min(lacks - room, Self.moves) }
        return max(0, min(max(min(free.count, share.all - holding), lacks), 200))
    }

    /// Most viewers that an agent is to give after one beat.
    private static let moves = 25

    /// Fences whose lease is over; rows that claims have locked are skipped (FLT-2).
    private mutating func fence(at now: Duration) {
        for (id, other) in tables.agents
        where !other.isFenced && !isPlausible(other.leaseUntil, at: now) && locks[id, default: 0] == 0 {
            tables.agents[id]?.isFenced = true
        }
    }

    private func isPlausible(_ lease: Duration, at now: Duration) -> Bool {
        lease >= now && lease <= now + timing.lease * 2
    }

    /// No call that is executed late replaces what a later one of the same owner saved.
    /// - Parameter head: read by the clock of the store.
    private mutating func save(_ head: PlayheadReading, of id: ViewerEpoch, _ number: Int) {
        let call = StoreTables.SavingCall(epoch: id.epoch, number: number)
        guard var viewer = tables.viewers[id.viewer], viewer.playheadCall <= call else { return }
        viewer.playhead = head.media
        viewer.playheadAt = head.readAt
        viewer.rate = head.rate
        viewer.playheadCall = call
        tables.viewers[id.viewer] = viewer
    }

    private mutating func take(_ agent: Int, _ count: Int, at now: Duration) -> StoreAnswer {
        guard tables.isAtWork(agent), let me = tables.agents[agent] else { return .refused(.fenced) }
        guard !me.isDraining else { return .taken([]) }
        return .taken(
            free(for: me).prefix(max(0, min(count, me.capacity - tables.holding(agent)))).compactMap { id in
                guard var viewer = tables.viewers[id] else { return nil }
                viewer.owner = agent
                viewer.epoch += 1
                viewer.dueFrom = viewer.playhead.map { $0 - timing.lookback } ?? viewer.dueFrom
                tables.viewers[id] = viewer
                return Self.taken(viewer, id, at: now)
            })
    }

    private static func taken(_ viewer: StoreTables.Viewer, _ id: Int, at now: Duration) -> StoreAnswer.TakenViewer {
        let passed = viewer.playheadAt.map { max(.zero, now - $0) }
        let played = passed.map { viewer.rate == 1 ? $0 : $0 * viewer.rate }
        var taken = StoreAnswer.TakenViewer(
            id: ViewerEpoch(viewer: id, epoch: viewer.epoch), dueFrom: viewer.dueFrom,
            playhead: viewer.playhead.map { $0 + (played ?? .zero) })
        taken.playedSince = viewer.rate > 0 ? played : nil
        taken.session = viewer.session
        taken.channel = viewer.channel
        taken.region = viewer.region
        return taken
    }

    /// Viewers that an agent may take, those of its region first: none whose session a later version saved.
    private func free(for agent: StoreTables.Agent) -> [Int] {
        let free = tables.free.filter { id in
            guard let viewer = tables.viewers[id] else { return false }
            let isReadable = viewer.sessionVersion <= agent.stateVersion || removed.contains(.stateVersion)
            return isReadable && (viewer.region.isEmpty || viewer.region == agent.region)
        }
        guard !agent.region.isEmpty else { return free }
        func isOwn(_ id: Int) -> Bool { tables.viewers[id]?.region == agent.region }
        return free.filter(isOwn) + free.filter { !isOwn($0) }
    }

    /// The same of a session.
    private mutating func save(_ state: [UInt8], of id: ViewerEpoch, by agent: Int, _ number: Int) {
        let call = StoreTables.SavingCall(epoch: id.epoch, number: number)
        guard var viewer = tables.viewers[id.viewer], viewer.sessionCall <= call else { return }
        viewer.session = state
        viewer.sessionVersion = tables.agents[agent].map { min($0.stateVersion, $0.savesIn) } ?? 1
        viewer.sessionCall = call
        tables.viewers[id.viewer] = viewer
    }

    private func channels(_ agent: Int, since: Int) -> StoreAnswer {
        let changed = tables.viewers.values.filter { $0.changed > since && !$0.isRemoved }.compactMap(\.channel)
        let unwanted = owned(agent).filter { tables.viewers[$0.viewer]?.isRemoved == true }
        return .channels(changed.sorted { $0.id < $1.id }, unwanted: unwanted)
    }

    private func claims(_ agent: Int, of viewers: Set<Int>, after key: ClaimKey?) -> [StoredClaim] {
        let seen = earlierReads[agent].flatMap { $0.count > 1 ? $0[$0.count - 2] : nil } ?? tables.claims
        let found = seen.values.filter { claim in
            let viewer = claim.request.key.viewer
            guard viewers.contains(viewer), let row = tables.viewers[viewer], row.owner == agent else { return false }
            if let key, claim.request.key <= key { return false }
            return row.dueFrom.map { claim.request.key.due >= $0 } ?? true
        }
        return Dictionary(grouping: found) { $0.request.key.viewer }.values.flatMap { claims in
            claims.sorted { $0.request.key < $1.request.key }.prefix(StoreCall.largestPart)
        }
        .sorted { $0.request.key < $1.request.key }
    }

    private func owned(_ agent: Int) -> [ViewerEpoch] {
        tables.viewers.filter { $0.value.owner == agent }.map { ViewerEpoch(viewer: $0.key, epoch: $0.value.epoch) }
            .sorted { $0.viewer < $1.viewer }
    }

    /// The first outcome of a claim stays (FLT-11).
    private mutating func record(_ outcomes: [StoredClaim]) {
        for outcome in outcomes {
            guard let there = tables.claims[outcome.request.key], there.outcome == nil,
                there.request.epoch == outcome.request.epoch, there.request.number == outcome.request.number
            else { continue }
            tables.claims[outcome.request.key]?.outcome = outcome.outcome
            tables.claims[outcome.request.key]?.status = outcome.status
        }
    }

    private mutating func give(_ agent: Int, _ viewers: [ViewerEpoch]) -> StoreAnswer {
        guard tables.isAtWork(agent) else { return .refused(.fenced) }
        for id in viewers where tables.owns(agent, id) {
            tables.viewers[id.viewer]?.owner = nil
            tables.viewers[id.viewer]?.epoch += 1
        }
        return .done
    }
}

/// A refusal as an error.
package struct StoreRefusalError: Error, Hashable, Sendable {
    package let refusal: StoreRefusal
}
