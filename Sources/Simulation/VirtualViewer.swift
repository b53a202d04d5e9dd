import AdTracking
package import Monitoring
package import Ports

/// One session without tasks, sockets and waiting: the state of the monitor, its journal, and what is to come to it.
/// Time passes only through `step`, so a day is as long as it takes to compute.
package struct VirtualViewer: Sendable {
    /// How long the journal takes to write.
    static let journalDelay: Duration = .milliseconds(2)
    /// How long the creative cache takes.
    static let cacheDelay: Duration = .microseconds(300)

    package private(set) var state: MonitorState
    /// Where the session stands after the last input; kept, as all that is looked at after every step: to ask the state
    /// from outside copies it.
    package private(set) var marks: StateMarks
    /// How much the state holds after the last input.
    package private(set) var load: StateLoad
    /// When something happens next by itself; nil when nothing ever does.
    package private(set) var next: Duration?
    package var journal: VirtualJournal
    /// Opening and writing the journal fail, with these words.
    package var journalProblem: String?
    /// The next claims find their journal gone.
    package var losesJournal = false
    /// What the journal keeps for people, where inputs are kept.
    package private(set) var notes: [JournalNote] = []
    /// Beacons are sent and never answered, as when the process dies.
    package var losesAnswers = false
    /// Every input that this process applied so far, where they are kept.
    package private(set) var inputs: [RecordedInput] = []
    private let keepsInputs: Bool
    /// Put in to see whether it is found.
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
        /// Confirmed already.
        case writtenLate(VirtualJournal.Write)
    }

    /// What a step did.
    package struct Step: Sendable {
        /// Nil when nothing but the journal moved.
        package var input: Input?
        /// What was performed of what the input led to.
        package var effects: ArraySlice<Effect> = []
        /// What was to be performed.
        package var effectCount = 0
        /// What the answer is to.
        package var purpose: FetchPurpose?
    }

    package init(
        _ configuration: MonitorConfiguration, journal: VirtualJournal = VirtualJournal(), keepsInputs: Bool = false
    ) {
        state = MonitorState(configuration)
        (marks, load) = (state.marks, state.load)
        self.journal = journal
        self.keepsInputs = keepsInputs
    }

    package mutating func snapshot(at now: Moment) -> Snapshot { state.snapshot(at: now) }

    /// How much is on its way.
    package var comingCount: Int { coming.count }

    /// Applies `input` and does what the state wants done, the first `limit` effects of it: a process may die in between.
    @discardableResult
    package mutating func submit(
        _ input: Input, at now: Moment, to server: inout some VirtualServer, performing limit: Int = .max,
        for purpose: FetchPurpose? = nil
    ) -> Step {
        if keepsInputs { inputs.append(RecordedInput(input: input, at: now)) }
        if defect == .goesBack { state = setback.state(state, at: now) }
        if firstInput == nil { firstInput = now.uptime }
        let effects = state.apply(input, at: now)
        for effect in effects.prefix(limit) { perform(effect, at: now, on: &server) }
        (marks, load) = (state.marks, state.load)
        planNext()
        return Step(input: input, effects: effects.prefix(limit), effectCount: effects.count, purpose: purpose)
    }

    /// Does what is due at `now`: the first thing that came, or the alarm.
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

    /// Batches that the journal has not written yet.
    package var unwritten: Int {
        coming.count { if case .written = $0 { true } else { false } }
    }

    /// The process dies and another begins: of what was to be written the first `kept` batches are on disk.
    package mutating func restart(keeping kept: Int) {
        let writes = coming.removeAll().compactMap { event -> VirtualJournal.Write? in
            if case .written(let write) = event { write } else { nil }
        }
        for write in writes.prefix(kept) { journal.write(write) }
        if defect == .forgetsJournal { journal = VirtualJournal() }
        journal.reopen()
        state = MonitorState(state.configuration)
        (marks, load) = (state.marks, state.load)
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
        case .keepCreatives(let round, let orders):
            let kept = orders.map { KeptCreative(id: $0.id, took: Self.cacheDelay) }
            coming.insert(.input(.creativesKept(round: round, kept), nil), at: now.uptime + Self.cacheDelay)
        case .openJournal(_, let holdings): open(holding: holdings, at: now)
        case .writeClaims(let claims):
            write(defect == .losesClaims ? claims.filter { !Defect.loses($0) } : claims, at: now)
        case .startPlugin(let run):
            let input = Input.pluginReported(run, .notStarted("no plugin is run in a simulation"))
            coming.insert(.input(input, nil), at: now.uptime)
        // Simulated sessions remember zones themselves.
        case .tellPlugin, .terminatePlugin, .killPlugin, .lookUpZone, .loadZone, .removeZone, .openURL: break
        case .writeNotes(let new):
            if keepsInputs { notes += new }
        case .writeOutcomes(let outcomes):
            coming.insert(.written(.outcomes(outcomes)), at: now.uptime + Self.journalDelay)
        }
    }

    private mutating func open(holding holdings: [JournalHolding], at now: Moment) {
        let input: Input
        if let journalProblem {
            input = .journalFailed(journalProblem)
        } else {
            journal.hold(holdings)
            input = .journalOpened(JournalOpening(entries: journal.entries))
        }
        coming.insert(.input(input, nil), at: now.uptime + Self.journalDelay)
    }

    private mutating func write(_ claims: [JournalClaim], at now: Moment) {
        var event = Coming.written(.claims(claims))
        if let journalProblem {
            event = .input(.journalFailed(journalProblem), nil)
        } else if losesJournal {
            losesJournal = false
            journal = VirtualJournal()
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
