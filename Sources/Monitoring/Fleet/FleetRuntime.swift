import AdTracking
package import Fleet
package import Ports
package import Session

/// An agent of a fleet at work: carries out the effects of ``FleetAgent``, and runs a session for each viewer that the agent has.
///
/// All rules are in the agent; all waiting is in the child tasks of `run`.
package actor FleetRuntime {
    /// Makes the session of a viewer on a journal; nil where its channel cannot be followed. The viewer is then kept and not given: no other
    /// agent could follow it either.
    package typealias SessionMaker = @Sendable (StoreAnswer.TakenViewer, FleetJournal) -> SessionGroup.Member?

    /// How often the agent looks whether something is due; what happens is handled at once.
    static let tick = Duration.milliseconds(200)
    /// How often sessions are asked where and how they are.
    static let readingInterval = Duration.seconds(5)

    /// A viewer that is followed, or whose session is about to end.
    struct Follower {
        let id: ViewerEpoch
        let journal: FleetJournal
        let group: SessionGroup?
    }

    /// The work of a child task of `run`.
    enum Job {
        case call(StoreCall, number: Int)
        case session(Follower)
        /// With the media date of the first beacon whose claim was awaited.
        case release(Follower, undecided: Duration?)
        case stop(SessionGroup)
        case read
        case pictures
        case spool(SpoolChange)
        case hints
        case ticks
    }

    /// Claims are answered between the answers to hundreds of sessions; in the queue of those, each step of a claim would wait for all of them.
    let executor: any SerialExecutor & TaskExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var agent: FleetAgent
    let store: any FleetStore
    var spooling: Spooling
    let time: any TimeSource
    let lease: FleetLease
    private let makeSession: SessionMaker
    private let log: (any SessionLogSink)?
    let lines: SessionsLog
    let jobs: AsyncStream<Job>
    let jobSink: AsyncStream<Job>.Continuation
    var followers: [Int: Follower] = [:]
    var claims = PendingClaims()
    /// Openings of journals that wait until the store has their sessions.
    var openings: [(id: ViewerEpoch, continuation: CheckedContinuation<Void, Never>)] = []
    /// Whether the call of that number goes over the connection for claims.
    var lineOfCall: [Int: Bool] = [:]
    var storeLines = StoreLines()
    var counters = FleetCounters()
    var meter: LoadMeter
    var pictures = PictureTurn()
    var nextReading = Duration.zero
    var isReading = false
    /// Start of the next session relative to now: many that are taken at once must not poll in step.
    private var nextStart = Duration.zero
    var life = RuntimeLife()

    /// - Parameters:
    ///   - agent: one whose sessions judge what was claimed before.
    ///   - disk: where rows wait that the store does not have; nil for none.
    ///   - time: the clock of leases; it should run while the machine sleeps.
    ///   - usage: what this process has used.
    ///   - executor: where it runs, and its calls begin.
    package init(
        _ agent: FleetAgent, store: any FleetStore, disk: (any SpoolDisk)? = nil, time: any TimeSource,
        log: (any SessionLogSink)? = nil, lines: SessionsLog = SessionsLog(),
        usage: @escaping @Sendable () -> ProcessUsage? = { nil },
        on executor: any SerialExecutor & TaskExecutor = QueueExecutor(label: "adtop.fleet"),
        makeSession: @escaping SessionMaker
    ) {
        self.executor = executor
        self.agent = agent
        self.store = store
        spooling = Spooling(disk: disk)
        self.time = time
        self.log = log
        self.lines = lines
        meter = LoadMeter(usage)
        self.makeSession = makeSession
        lease = FleetLease(time)
        (jobs, jobSink) = AsyncStream.makeStream()
    }

    /// Runs until ``end()``, until the store does not admit the agent, or until the calling task is cancelled. While the store cannot be used,
    /// it waits; only a problem that lasts ends it (``problem``), and only before the first incarnation.
    package func run() async {
        storeLines.began(at: time.now().uptime)
        await restoreSpool()
        jobSink.yield(.hints)
        jobSink.yield(.ticks)
        await carryOutJobs()
        if let change = nextSpoolChange(isLast: true) { await keep(change) }
        await store.close()
    }

    /// Ends in order: viewers are given with what is known of them, and the incarnation is over. `run` returns within seconds.
    package func end() {
        act { $0.endAsked(at: $1) }
    }

    /// Why the store does not admit this agent; nil while it does.
    package var refusal: StoreRefusal? { life.refusal }
    /// The problem with which ``run()`` ended before the store had admitted this process; nil for none.
    package var problem: StoreProblem? { life.problem }

    package var status: FleetStatus {
        let now = time.now().uptime
        return FleetStatus(
            name: agent.name, incarnation: agent.incarnation, holding: agent.holding.count,
            isDraining: agent.isDraining, isFiring: agent.isFiring,
            storeAway: storeLines.away(at: now),
            leaseLeft: agent.sendsUntil.map { $0 - now }, load: measured(agent.load, at: now),
            viewers: agent.viewersByPhase,
            claimWaits: meter.waits.histogram, counters: counters, dropped: agent.spool.dropped)
    }

    /// The health of all sessions, by viewer.
    package func health() async -> [SessionHealth] {
        var all: [SessionHealth] = []
        for id in followers.keys.sorted() { all += await followers[id]?.group?.health() ?? [] }
        return all
    }

    // MARK: The agent

    /// Something happened to the agent; its effects follow.
    func act(_ body: (inout FleetAgent, Duration) -> [AgentEffect]) {
        let effects = body(&agent, time.now().uptime)
        // Before anything leaves: a request looks at the lease of the agent as it is now.
        lease.set(agent.sendsUntil)
        for effect in effects { perform(effect) }
        for line in storeLines.changed(agent, at: time.now().uptime) { note(line.level, line.message) }
        resumeOpenings()
    }

    private func perform(_ effect: AgentEffect) {
        switch effect {
        case .call(let call, let number):
            lineOfCall[number] = call.isClaim
            if case .take = call { nextStart = .zero }
            jobSink.yield(.call(measured(call), number: number))
        case .drop(let number):
            if let isClaim = lineOfCall.removeValue(forKey: number) { store.drop(claims: isClaim) }
        case .follow(let viewer, let claims): follow(viewer, claims)
        case .forget(let id): forget(id)
        case .release(let id):
            counters.gives += 1
            if let follower = followers[id.viewer], follower.id == id {
                jobSink.yield(.release(follower, undecided: claims.firstDue(of: id)))
            }
        case .send(let request):
            count("granted")
            let now = time.now()
            if let askedAt = claims.settle(request.beacon.ticket, .granted(request, at: now.wall)) {
                meter.waits.add(now.uptime - askedAt, at: now.uptime)
            } else {
                agent.unused(request, at: now.uptime)
            }
        case .unsent(let beacon, let reason):
            count(reason.refusal.rawValue)
            claims.settle(beacon.ticket, .refused(reason.refusal))
        case .disowned(let request):
            note(
                .error,
                "viewer \(request.key.viewer): a claim of this agent's epoch is another agent's: \(request.beacon.type)"
            )
        case .fenced:
            counters.fenced += 1
            note(.warning, "this agent was fenced: it stops all its viewers and begins again")
        case .refused(let refusal):
            life.refusal = refusal
            jobSink.finish()
        case .ended: jobSink.finish()
        }
    }

    private func count(_ result: String) { counters.claims[result, default: 0] += 1 }

    func note(_ level: LogLevel, _ message: String) {
        log?.append(level, "fleet: \(message)", at: time.now())
    }

    // MARK: Sessions

    private func follow(_ viewer: StoreAnswer.TakenViewer, _ known: [StoredClaim]) {
        counters.takes += 1
        let journal = FleetJournal(viewer, claims: known, runtime: self, lease: lease)
        let group = makeSession(viewer, journal).map {
            SessionGroup([$0], log: lines, spread: .zero, seed: 0, time: time, startingAfter: nextStart)
        }
        nextStart += SessionGroup.shortestDistance
        let follower = Follower(id: viewer.id, journal: journal, group: group)
        followers[viewer.id.viewer] = follower
        jobSink.yield(.session(follower))
    }

    /// The viewer is another agent's: nothing more of it leaves here.
    private func forget(_ id: ViewerEpoch) {
        claims.refuseAll(of: id, .notOwner)
        guard let follower = followers[id.viewer], follower.id == id else { return }
        follower.journal.revoke()
        followers[id.viewer] = nil
        if let group = follower.group { jobSink.yield(.stop(group)) }
    }

    /// The session of a viewer has ended, by itself or because the viewer is to be given.
    func sessionEnded(_ follower: Follower) {
        claims.refuseAll(of: follower.id, .notOwner)
        if !follower.journal.isClaiming, followers[follower.id.viewer]?.id == follower.id {
            followers[follower.id.viewer] = nil
        }
        act {
            $0.stopped(follower.id)
            return $0.ticked(at: $1)
        }
    }

    /// Whoever waits gets an answer, so that `run` can return.
    func abandon() async {
        life.isOver = true
        claims.refuseAll(of: nil, .storeAway)
        for follower in followers.values { follower.journal.revoke() }
        for opening in openings { opening.continuation.resume() }
        openings = []
        for follower in followers.values { await follower.group?.stop() }
        followers = [:]
    }

    // MARK: Load

    /// A beat with the load; every other call as it is.
    private func measured(_ call: StoreCall) -> StoreCall {
        guard case .beat(let agent, let load) = call else { return call }
        return .beat(agent: agent, load: measured(load, at: time.now().uptime))
    }

    private func measured(_ load: AgentLoad, at now: Duration) -> AgentLoad {
        var load = meter.measured(load, at: now)
        load.silence = storeLines.claimSilence(at: now)
        return load
    }
}

/// The way of a runtime from its first incarnation to its end.
struct RuntimeLife {
    /// Whether the store has admitted this process: from then on every problem of the store is waited out.
    var wasAdmitted = false
    /// Whether `run` is about to return.
    var isOver = false
    var refusal: StoreRefusal?
    var problem: StoreProblem?
}
