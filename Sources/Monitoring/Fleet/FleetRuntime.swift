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
    private let executor = QueueExecutor(label: "adtop.fleet")
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    var agent: FleetAgent
    let store: any FleetStore
    var spooling: Spooling
    let time: any TimeSource
    let lease: FleetLease
    private let makeSession: SessionMaker
    private let log: (any SessionLogSink)?
    let lines: SessionsLog
    private let jobs: AsyncStream<Job>
    let jobSink: AsyncStream<Job>.Continuation
    var followers: [Int: Follower] = [:]
    var claims = PendingClaims()
    /// Openings of journals that wait until the store has their sessions.
    private var openings: [(id: ViewerEpoch, continuation: CheckedContinuation<Void, Never>)] = []
    /// Whether the call of that number goes over the connection for claims.
    private var lineOfCall: [Int: Bool] = [:]
    private var storeLines = StoreLines()
    private var counters = FleetCounters()
    private var meter: LoadMeter
    var pictures = PictureTurn()
    private var nextReading = Duration.zero
    private var isReading = false
    /// Start of the next session relative to now: many that are taken at once must not poll in step.
    private var nextStart = Duration.zero
    private var life = RuntimeLife()

    /// - Parameters:
    ///   - agent: one whose sessions judge what was claimed before.
    ///   - disk: where rows wait that the store does not have; nil for none.
    ///   - time: the clock of leases; it should run while the machine sleeps.
    ///   - usage: what this process has used.
    package init(
        _ agent: FleetAgent, store: any FleetStore, disk: (any SpoolDisk)? = nil, time: any TimeSource,
        log: (any SessionLogSink)? = nil, lines: SessionsLog = SessionsLog(),
        usage: @escaping @Sendable () -> ProcessUsage? = { nil },
        makeSession: @escaping SessionMaker
    ) {
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
            storeAway: storeLines.away(at: now), storeProblem: storeLines.problem?.sentence,
            leaseLeft: agent.sendsUntil.map { $0 - now }, load: measured(agent.load, at: now),
            viewers: agent.viewersByPhase,
            claimWaits: meter.waits.histogram, counters: counters, dropped: agent.spool.dropped)
    }

    /// Calls that were asked and not answered. Tests wait for them.
    var openCalls: Int { lineOfCall.count }

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
                // Its session is gone.
                agent.ended(request, .skipped)
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
    private func abandon() async {
        life.isOver = true
        claims.refuseAll(of: nil, .storeAway)
        for follower in followers.values { follower.journal.revoke() }
        for opening in openings { opening.continuation.resume() }
        openings = []
        for follower in followers.values { await follower.group?.stop() }
        followers = [:]
    }

    // MARK: Journals

    /// Asks for claims; returns when each is granted or refused.
    func claim(_ beacons: [DueBeacon], of id: ViewerEpoch) async -> [ClaimVerdict] {
        guard !life.isOver, followers[id.viewer]?.id == id else { return beacons.map { _ in .refused(.notOwner) } }
        return await withCheckedContinuation { continuation in
            let asked = claims.add(beacons, of: id, at: time.now().uptime, continuation)
            act { $0.becameDue(asked, at: $1) }
        }
    }

    /// Where a viewer is; nil where that is not known.
    func mediaDate(of id: ViewerEpoch) -> UnixTime? {
        agent.mediaDate(of: id, at: time.now().uptime).map { UnixTime(microseconds: $0.inMicroseconds) }
    }

    /// Requests of granted claims ended.
    func ended(_ ended: [StoredClaim]) {
        act { agent, now in
            for claim in ended {
                agent.ended(claim.request, claim.outcome ?? .unknown, status: claim.status, took: claim.took)
            }
            return agent.ticked(at: now)
        }
    }

    func noteUnsent(_ rows: [UnsentRow]) {
        act {
            $0.noteUnsent(rows)
            return $0.ticked(at: $1)
        }
    }

    /// What happened to a session goes to the store with the next tick.
    func note(_ rows: [NoteRow]) { agent.note(rows) }

    /// Hands on what the session of a viewer is; returns when the store has it, or cannot be reached in time.
    func keep(_ state: [UInt8], of id: ViewerEpoch) async {
        act {
            $0.noteSession(state, of: id)
            return $0.ticked(at: $1)
        }
        guard !life.isOver, !mayOpen(id) else { return }
        await withCheckedContinuation { openings.append((id, $0)) }
    }

    /// Without a lease nothing is claimed, so nothing has to be known of the session yet.
    private func mayOpen(_ id: ViewerEpoch) -> Bool {
        agent.hasSavedSession(of: id) || !agent.maySend(at: time.now().uptime)
    }

    private func resumeOpenings() {
        guard !openings.isEmpty else { return }
        let ready = openings.filter { mayOpen($0.id) }
        openings.removeAll { mayOpen($0.id) }
        for opening in ready { opening.continuation.resume() }
    }

    // MARK: Child tasks

    /// Sessions have a group of their own: to end, a task looks for itself among all that began before it in its group.
    private func carryOutJobs() async {
        await withDiscardingTaskGroup { sessions in
            await withDiscardingTaskGroup { others in
                for await job in jobs {
                    switch job {
                    case .session: sessions.addTask { await self.perform(job) }
                    case .call: others.addTask(executorPreference: executor) { await self.perform(job) }
                    default: others.addTask { await self.perform(job) }
                    }
                }
                sessions.cancelAll()
                others.cancelAll()
                await abandon()
            }
        }
    }

    /// Not on this actor, which hundreds of sessions ask for claims: it only learns what came of the job.
    @concurrent private nonisolated func perform(_ job: Job) async {
        switch job {
        case .call(let call, let number): await replied(await store.perform(call), to: call, number)
        case .session(let follower):
            await follower.group?.run()
            if follower.group != nil { await sessionEnded(follower) }
        case .release(let follower, let undecided): await release(follower, undecided: undecided)
        case .stop(let group): await group.stop()
        case .read: await readSessions()
        case .pictures: await takePictures()
        case .spool(let change): await keep(change)
        case .hints: for await _ in store.hints { await hinted() }
        case .ticks:
            while (try? await time.sleep(untilUptime: time.now().uptime + Self.tick)) != nil { await ticked() }
        }
    }

    private func hinted() { act { $0.hinted(at: $1) } }

    private func replied(_ reply: StoreReply, to call: StoreCall, _ number: Int) {
        switch reply {
        case .answered(let answer, let hasWarning):
            lineOfCall[number] = nil
            if case .started = answer { life.wasAdmitted = true }
            if case .taken(let viewers) = answer { noteSealed(viewers) }
            act { $0.answered(answer, number: number, hasWarning: hasWarning, at: $1) }
        case .failed(let failure):
            let problem = lineOfCall[number] == nil ? failure.ofDroppedCall(after: agent.timing.answer) : failure
            counters.storeErrors[problem.state, default: 0] += 1
            if case .start = call, !life.wasAdmitted, problem.lasts(after: storeLines.absenceProblem) {
                life.problem = problem
                return jobSink.finish()
            }
            storeLines.failed(problem, ofClaim: call.isClaim)
            act { $0.failed(number: number, at: $1) }
        }
    }

    private func ticked() {
        act { $0.ticked(at: $1) }
        let now = time.now().uptime
        if pictures.begins(at: now, isWatched: !agent.watched.isEmpty) { jobSink.yield(.pictures) }
        if let change = nextSpoolChange() { jobSink.yield(.spool(change)) }
        guard now >= nextReading, !isReading else { return }
        nextReading = now + Self.readingInterval
        meter.read(at: now)
        isReading = true
        jobSink.yield(.read)
    }

    private func readSessions() async {
        for follower in followers.values { await read(follower) }
        isReading = false
    }

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
private struct RuntimeLife {
    /// Whether the store has admitted this process: from then on every problem of the store is waited out.
    var wasAdmitted = false
    /// Whether `run` is about to return.
    var isOver = false
    var refusal: StoreRefusal?
    var problem: StoreProblem?
}
