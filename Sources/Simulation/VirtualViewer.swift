import AdTracking
package import Ports
package import Session

/// One session without tasks, sockets and waiting: the state of the monitor, its journal, and its coming inputs. Time
/// passes only through `step`, so a simulated day takes only the time to compute it.
package struct VirtualViewer: Sendable {
    /// Time for the journal to write.
    static let journalDelay: Duration = .milliseconds(2)
    /// Time for the creative cache to answer.
    static let cacheDelay: Duration = .microseconds(300)

    package private(set) var state: MonitorState
    /// The marks after the last input, read once for the checks that follow.
    package private(set) var marks: StateMarks
    /// The size of the state after the last input.
    package private(set) var load: StateLoad
    /// Uptime of the next event; nil when there is none.
    package private(set) var next: Duration?
    package var journal: VirtualJournal
    /// Problem with which opening and writing the journal fail.
    package var journalProblem: String?
    /// The kind of `journalProblem`.
    package var journalProblemKind = JournalProblem.Kind.cannotWrite
    /// The damaged journal that openings report.
    package var damagedFile: String?
    /// The next claims fail because the journal is lost.
    package var losesJournal = false
    /// Number of coming openings of the journal that end in a loss.
    package var lostOpenings = 0
    /// Whether the entries are still there after an opening that ended in a loss.
    package var keepsLostEntries = false
    /// The history notes of the journal, if inputs are kept.
    package private(set) var notes: [JournalNote] = []
    /// Beacons are sent and never answered, as when the process ends.
    package var losesAnswers = false
    /// The inputs that this process has applied, if they are kept.
    package private(set) var inputs: [RecordedInput] = []
    private let keepsInputs: Bool
    /// A defect, to check that it is found.
    package var defect: Defect?
    private var setback = Setback()
    /// Uptime of the first input.
    private var firstInput: Duration?
    package private(set) var wakes = 0
    private var coming = EventQueue<Coming>()
    private var wake: Duration?

    private enum Coming: Sendable {
        case input(Input, FetchPurpose?)
        case written(VirtualJournal.Write)
        /// A write that was already confirmed.
        case writtenLate(VirtualJournal.Write)
    }

    /// The result of a step.
    package struct Step: Sendable {
        /// The input; nil when only the journal advanced.
        package var input: Input?
        /// The effects of the input that were carried out.
        package var effects: ArraySlice<Effect> = []
        /// Number of effects of the input.
        package var effectCount = 0
        /// Purpose of the request that was answered.
        package var purpose: FetchPurpose?
    }

    package init(
        _ configuration: MonitorConfiguration, journal: VirtualJournal = VirtualJournal(), keepsInputs: Bool = false
    ) {
        state = MonitorState(configuration)
        (marks, load) = (StateMarks(state), StateLoad(state))
        self.journal = journal
        self.keepsInputs = keepsInputs
    }

    /// Puts a session that is not started in the place of this one.
    mutating func releaseState(of configuration: MonitorConfiguration) {
        state = MonitorState(configuration)
        coming = EventQueue()
    }

    package mutating func snapshot(at now: Moment) -> Snapshot { state.snapshot(at: now) }

    /// Number of waiting events.
    package var comingCount: Int { coming.count }

    /// Applies `input` and carries out the first `limit` effects: a process may be killed in between.
    @discardableResult
    package mutating func submit(
        _ input: Input, at now: Moment, to server: inout some VirtualServer, performing limit: Int = .max,
        for purpose: FetchPurpose? = nil
    ) -> Step {
        if keepsInputs { inputs.append(RecordedInput(input: input, at: now)) }
        if defect == .goesBack { state = setback.state(state, at: now) }
        if firstInput == nil { firstInput = now.uptime }
        let effects = state.apply(defect?.received(input, for: purpose) ?? input, at: now)
        for effect in effects.prefix(limit) { perform(effect, at: now, on: &server) }
        (marks, load) = (StateMarks(state), StateLoad(state))
        planNext()
        return Step(input: input, effects: effects.prefix(limit), effectCount: effects.count, purpose: purpose)
    }

    /// Runs what is due at `now`: the first waiting event, or the alarm.
    package mutating func step(
        at now: Moment, on server: inout some VirtualServer, performing limit: Int = .max
    ) -> Step {
        if let next = coming.next, next <= now.uptime, let first = coming.popFirst() {
            switch first.event {
            case .input(let input, let purpose):
                return submit(input, at: now, to: &server, performing: limit, for: purpose)
            case .written(let write):
                journal.write(write)
                planNext()
                guard case .claims(let claims) = write else { return Step() }
                return submit(Self.written(claims), at: now, to: &server, performing: limit)
            case .writtenLate(let write):
                journal.write(write)
                planNext()
                return Step()
            }
        }
        guard let wake, wake <= now.uptime else { return Step() }
        self.wake = nil
        wakes += 1
        return submit(.woke, at: now, to: &server, performing: limit)
    }

    private mutating func planNext() {
        next = coming.next.map { min($0, wake ?? $0) } ?? wake
    }

    private static func written(_ claims: [JournalClaim]) -> Input {
        .claimsWritten(claims.map { ClaimID($0.number) })
    }

    /// Number of journal batches that are not written yet.
    package var unwritten: Int {
        coming.count { if case .written = $0 { true } else { false } }
    }

    /// The configuration of the process that runs; each has its own seed.
    package var configuration: MonitorConfiguration { state.configuration }

    /// The process is killed and another starts: the first `kept` unwritten batches are on disk.
    /// - Parameter seed: the seed of the new process.
    package mutating func restart(keeping kept: Int, seed: UInt64) {
        let writes = coming.removeAll().compactMap { event -> VirtualJournal.Write? in
            if case .written(let write) = event { write } else { nil }
        }
        for write in writes.prefix(kept) { journal.write(write) }
        if defect == .forgetsJournal { journal = journal.emptied }
        journal.reopen()
        var configuration = state.configuration
        configuration.seed = seed
        state = MonitorState(configuration)
        (marks, load) = (StateMarks(state), StateLoad(state))
        inputs = []
        wake = nil
        planNext()
    }

    private mutating func perform(_ effect: Effect, at now: Moment, on server: inout some VirtualServer) {
        switch effect {
        case .wake(let uptime): wake = uptime
        case .fetch(let id, let purpose, let request):
            let reply = server.reply(to: request, for: .fetch(purpose), at: now)
            if defect == .losesAnswers, purpose == .mediaPlaylist,
                now.uptime - (firstInput ?? now.uptime) > Defect.answersUntil
            {
                return
            }
            come(.fetched(id, reply.exchange), reply, purpose, at: now)
        case .send(let claim, let request):
            let reply = server.reply(to: request, for: .beacon(claim), at: now)
            if defect == .sendsTwice { _ = server.reply(to: request, for: .beacon(claim), at: now) }
            if !losesAnswers { come(.beaconAnswered(claim, reply.exchange), reply, nil, at: now) }
        case .openJournal(_, let holdings): open(holding: holdings, at: now)
        case .writeClaims(let claims):
            write(defect == .losesClaims ? claims.filter { !Defect.loses($0) } : claims, at: now)
        case .beside(let effect): perform(effect, at: now)
        case .writeNotes(let new):
            if keepsInputs { notes += new }
        case .writeOutcomes(let outcomes):
            coming.insert(.written(.outcomes(outcomes)), at: now.uptime + Self.journalDelay)
        }
    }

    private mutating func perform(_ effect: BesideEffect, at now: Moment) {
        switch effect {
        case .keepCreatives(let round, let orders):
            let kept = orders.map { KeptCreative(id: $0.id, took: Self.cacheDelay) }
            coming.insert(.input(.beside(.creativesKept(round: round, kept)), nil), at: now.uptime + Self.cacheDelay)
        case .startPlugin(let run):
            let input = Input.beside(.pluginReported(run, .notStarted("plugins cannot be run in a simulation")))
            coming.insert(.input(input, nil), at: now.uptime)
        // Simulated sessions keep zones themselves.
        case .writeToPlugin, .terminatePlugin, .killPlugin, .lookUpZone, .loadZone, .removeZone, .openURL: break
        }
    }

    private mutating func open(holding holdings: [JournalHolding], at now: Moment) {
        let input: Input
        if let journalProblem {
            input = .journalFailed(journalProblem, kind: journalProblemKind)
        } else if lostOpenings > 0 {
            lostOpenings -= 1
            if !keepsLostEntries { journal = journal.emptied }
            input = .journalLost("journal: deleted")
        } else {
            journal.hold(holdings)
            input = .journalOpened(JournalOpening(entries: journal.entries, damagedFile: damagedFile))
        }
        coming.insert(.input(input, nil), at: now.uptime + Self.journalDelay)
    }

    private mutating func write(_ claims: [JournalClaim], at now: Moment) {
        var event = Coming.written(.claims(claims))
        if let journalProblem {
            event = .input(.journalFailed(journalProblem, kind: journalProblemKind), nil)
        } else if losesJournal {
            losesJournal = false
            if !keepsLostEntries { journal = journal.emptied }
            event = .input(.journalLost("journal: deleted"), nil)
        }
        if defect == .sendsBeforeWriting, case .written(let write) = event {
            coming.insert(.writtenLate(write), at: now.uptime + Defect.lateWrite)
            event = .input(Self.written(claims), nil)
        }
        coming.insert(event, at: now.uptime + Self.journalDelay)
    }

    private mutating func come(_ input: Input, _ reply: VirtualReply, _ purpose: FetchPurpose?, at now: Moment) {
        let at = now.uptime + reply.delay
        coming.insert(.input(input, purpose), at: at)
        if let again = reply.repeatsAfter { coming.insert(.input(input, purpose), at: at + again) }
    }
}
