package import AdTracking
import Locks
package import Ports
package import Session

/// One session: applies one input at a time to the state, starts the effects and publishes snapshots. All rules are in
/// `MonitorState`; all waiting is in the child tasks of `run`.
package actor Monitor {
    /// Time for beacons in flight to answer after `stop`.
    static let stopGrace: Duration = .seconds(1)

    private var state: MonitorState
    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let recorder: (any InputRecorder)?
    private let logSink: (any SessionLogSink)?
    /// Number of the next line for the sink.
    private var nextLogLine = 0
    let plugins: (any PluginPort)?
    let keeper: (any CreativeKeeper)?
    let zones: (any ZoneKeeper)?
    let opener: (@Sendable (String) -> Void)?
    private var journal: JournalQueue
    private let jobs: AsyncStream<Job>
    let jobSink: AsyncStream<Job>.Continuation
    private var lanes = SendLanes()
    private var alarm: Task<Void, Never>?
    private var subscribers: [Int: AsyncStream<Snapshot>.Continuation] = [:]
    private var nextSubscriber = 0
    private var isPublishing = false
    private var reportWaiters: [Int: CheckedContinuation<Bool, Never>] = [:]
    private var hasFinished = false

    /// The work of a child task of `run`.
    enum Job {
        case fetch(RequestID, FetchPurpose, HTTPRequest)
        /// With the uptime of the order.
        case send(ClaimID, HTTPRequest, SendLanes.Turn?, ordered: Duration)
        case beside(BesideJob)
        case journal
        case publish
    }

    package init(
        _ configuration: MonitorConfiguration, transport: any HTTPTransport, time: any TimeSource, journal: any Journal,
        recorder: (any InputRecorder)? = nil, logSink: (any SessionLogSink)? = nil,
        plugins: (any PluginPort)? = nil, keeper: (any CreativeKeeper)? = nil,
        zones: (any ZoneKeeper)? = nil, opener: (@Sendable (String) -> Void)? = nil
    ) {
        state = MonitorState(configuration)
        self.transport = transport
        self.time = time
        self.recorder = recorder
        self.logSink = logSink
        self.plugins = plugins
        self.keeper = keeper
        (self.zones, self.opener) = (zones, opener)
        self.journal = JournalQueue(journal)
        (jobs, jobSink) = AsyncStream.makeStream()
    }

    /// Runs the session until `stop` or until the calling task is cancelled; flushes and closes the journal.
    package func run() async {
        submit(.started)
        await withDiscardingTaskGroup { group in
            if let recorder {
                group.addTask {
                    for await problem in recorder.failures { await self.submit(.recordingFailed(problem)) }
                }
            }
            for await job in jobs {
                group.addTask { await self.perform(job) }
            }
            group.cancelAll()
        }
        finish()
        await drainJournal()
        await journal.port.close()
    }

    /// Applies one input. Its effects run in child tasks of `run`.
    package func submit(_ input: Input) {
        guard !hasFinished else { return }
        let now = time.now()
        recorder?.record(RecordedInput(input: input, at: now))
        // Only of an answer: to ask the state is to copy it.
        let poll: FetchPurpose? = if case .fetched(let id, _) = input { state.poll(id) } else { nil }
        let effects = state.apply(input, at: now)
        for effect in effects { start(effect, at: now) }
        if let poll { noteCost(of: poll, since: now) }
        tellLog()
        resumeReportWaiters()
        schedulePublication()
        if state.isQuiet { jobSink.finish() }
    }

    /// Only the edge can measure what an answer costs; the state decides what it means.
    private func noteCost(of poll: FetchPurpose, since begin: Moment) {
        let took = time.now().uptime - begin.uptime
        if took > HandlingCost.least { submit(.answerHandled(poll, took: took)) }
    }

    /// Ends the session: no new requests are sent, beacons in flight may answer for `stopGrace`, then `run` returns.
    package func stop() {
        guard !hasFinished else { return }
        submit(.stopped)
        setAlarm(at: time.now().uptime + Self.stopGrace, isEnd: true)
    }

    /// Reports a viewer's action to the ad on air; true when a beacon was sent and acknowledged.
    package func report(_ action: UserAction) async -> Bool {
        guard !hasFinished else { return false }
        submit(.userActed(action))
        guard let number = state.reports.newest?.number else { return false }
        if let result = state.reports.result(of: number) { return result }
        return await withCheckedContinuation { reportWaiters[number] = $0 }
    }

    /// The current snapshot.
    package func snapshot() -> Snapshot {
        state.snapshot(at: time.now())
    }

    /// The current health; `countsEvents` for the same counts of events as in a snapshot, at a cost.
    package func health(countsEvents: Bool = false) -> SessionHealth {
        SessionHealth(state, at: time.now(), countsEvents: countsEvents)
    }

    /// The provider of the stream and the mode in which it reports; nil while that is not known.
    package func service() -> (provider: String, mode: String?)? { state.service }

    /// What another process needs to continue this session.
    package func handover() -> SessionHandover { state.handover }

    /// Snapshots from now on, newest only: a slow reader misses some and delays no one. Ends with the session.
    package func snapshots() -> AsyncStream<Snapshot> {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(snapshot())
        guard !hasFinished else {
            continuation.finish()
            return stream
        }
        let number = nextSubscriber
        nextSubscriber += 1
        subscribers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            // Ends by itself immediately: it only removes the reader that finished.
            Task { await self?.unsubscribe(number) }
        }
        return stream
    }

    private func unsubscribe(_ number: Int) {
        subscribers[number] = nil
    }

    private func tellLog() {
        guard let logSink else { return }
        for entry in state.logEntries(from: nextLogLine) {
            logSink.append(entry)
            nextLogLine = entry.number + 1
        }
    }

    private func start(_ effect: Effect, at now: Moment) {
        switch effect {
        case .fetch(let id, let purpose, let request):
            jobSink.yield(.fetch(id, purpose, request))
        case .send(let claim, let request):
            jobSink.yield(.send(claim, request, lanes.turn(for: request), ordered: now.uptime))
        case .beside(let effect): start(effect)
        case .wake(let uptime):
            setAlarm(at: uptime, isEnd: false)
        case .openJournal, .writeClaims, .writeOutcomes, .writeNotes:
            if journal.append(effect) { jobSink.yield(.journal) }
        }
    }

    private func perform(_ job: Job) async {
        switch job {
        case .fetch(let id, let purpose, let request):
            submit(.fetched(id, purpose.kept(await transport.send(request))))
        case .send(let claim, let request, let turn, let ordered):
            await turn?.come(time, patience: request.connectTimeout)
            await send(claim, request, turn, ordered: ordered)
        case .beside(let job): await perform(job)
        case .journal:
            // Not cancelled with the session: known entries must be written to disk. Ends by itself when the queue is
            // empty.
            await Task { await drainJournal() }.value
        case .publish:
            publish()
        }
    }

    private func send(_ claim: ClaimID, _ request: HTTPRequest, _ turn: SendLanes.Turn?, ordered: Duration) async {
        // Asked last of all: the process may have stood still since the grant (FLT-12).
        guard journal.port.lets(claim) else {
            if let turn { lanes.ended(turn, of: request) }
            return submit(.claimsRefused([RefusedClaim(id: claim, refusal: .storeAway)]))
        }
        let written = Locked<Duration?>(nil)
        var exchange = await transport.send(request) { [time] in
            let now = time.now().uptime
            written.withLock { $0 = $0 ?? now }
            turn?.isWritten()
        }
        exchange.sentAfter = written.withLock { $0.map { $0 - ordered } }
        if let turn { lanes.ended(turn, of: request) }
        submit(.beaconAnswered(claim, exchange))
    }

    private func drainJournal() async {
        while let work = journal.next() {
            for input in await work.perform(journal.port) { submit(input) }
        }
    }

    private func setAlarm(at uptime: Duration?, isEnd: Bool) {
        alarm?.cancel()
        guard let uptime else {
            alarm = nil
            return
        }
        // Ends with the next alarm or with `finish`.
        alarm = Task { [time] in
            guard (try? await time.sleep(untilUptime: uptime)) != nil else { return }
            ring(isEnd: isEnd)
        }
    }

    private func ring(isEnd: Bool) {
        // A cancelled alarm may already have finished its sleep; its replacement reports instead.
        guard !Task.isCancelled else { return }
        if isEnd {
            jobSink.finish()
        } else {
            submit(.woke)
        }
    }

    private func schedulePublication() {
        guard !isPublishing, !subscribers.isEmpty else { return }
        isPublishing = true
        jobSink.yield(.publish)
    }

    private func publish() {
        isPublishing = false
        guard !subscribers.isEmpty else { return }
        let snapshot = snapshot()
        for subscriber in subscribers.values { subscriber.yield(snapshot) }
    }

    private func resumeReportWaiters() {
        for number in reportWaiters.keys {
            guard let result = state.reports.result(of: number) else { continue }
            reportWaiters.removeValue(forKey: number)?.resume(returning: result)
        }
    }

    private func finish() {
        hasFinished = true
        // Now, and not when all sessions of the process have ended: its end is written while others still wait for answers.
        recorder?.end()
        alarm?.cancel()
        publish()
        for subscriber in subscribers.values { subscriber.finish() }
        subscribers = [:]
        for waiter in reportWaiters.values { waiter.resume(returning: false) }
        reportWaiters = [:]
    }
}
