import AdTracking
package import Monitoring
package import Ports

/// One session without tasks, sockets and waiting: the state of the monitor, its journal, and what is to come to it.
/// Time passes only through `step`, so a day is as long as it takes to compute.
package struct VirtualViewer: Sendable {
    /// How long the journal takes to write.
    static let journalDelay: Duration = .milliseconds(2)

    package private(set) var state: MonitorState
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
    package private(set) var wakes = 0
    private var coming = EventQueue<Coming>()
    private var wake: Duration?

    private enum Coming: Sendable {
        case input(Input, FetchPurpose?)
        case written(VirtualJournal.Write)
    }

    /// What a step did.
    package struct Step: Sendable {
        /// Nil when nothing but the journal moved.
        package var input: Input?
        /// What the answer is to.
        package var purpose: FetchPurpose?
    }

    package init(
        _ configuration: MonitorConfiguration, journal: VirtualJournal = VirtualJournal(), keepsInputs: Bool = false
    ) {
        state = MonitorState(configuration)
        self.journal = journal
        self.keepsInputs = keepsInputs
    }

    /// When something happens next by itself; nil when nothing ever does.
    package var next: Duration? {
        guard let wake else { return coming.next }
        return coming.next.map { min($0, wake) } ?? wake
    }

    package mutating func snapshot(at now: Moment) -> Snapshot { state.snapshot(at: now) }

    /// How much the state holds.
    package var load: StateLoad { state.load }

    /// How much is on its way.
    package var comingCount: Int { coming.count }

    /// Applies `input` and does what the state wants done, the first `limit` effects of it: a process may die in between.
    package mutating func submit(
        _ input: Input, at now: Moment, to server: inout some VirtualServer, performing limit: Int = .max
    ) {
        if keepsInputs { inputs.append(RecordedInput(input: input, at: now)) }
        for (index, effect) in state.apply(input, at: now).enumerated() where index < limit {
            perform(effect, at: now, on: &server)
        }
    }

    /// Does what is due at `now`: the first thing that came, or the alarm.
    package mutating func step(
        at now: Moment, on server: inout some VirtualServer, performing limit: Int = .max
    ) -> Step {
        if let next = coming.next, next <= now.uptime, let first = coming.popFirst() {
            switch first.event {
            case .input(let input, let purpose):
                submit(input, at: now, to: &server, performing: limit)
                return Step(input: input, purpose: purpose)
            case .written(let write):
                journal.write(write)
                guard case .claims(let claims) = write else { return Step() }
                let input = Input.claimsWritten(claims.map { ClaimID($0.number) })
                submit(input, at: now, to: &server, performing: limit)
                return Step(input: input)
            }
        }
        guard let wake, wake <= now.uptime else { return Step() }
        self.wake = nil
        wakes += 1
        submit(.woke, at: now, to: &server, performing: limit)
        return Step(input: .woke)
    }

    /// The process dies and another begins: of what was to be written the first `random` few are on disk, in order.
    package mutating func restart(_ random: inout SplitMix64) {
        let writes = coming.removeAll().compactMap { event -> VirtualJournal.Write? in
            if case .written(let write) = event { write } else { nil }
        }
        for write in writes.prefix(Int(random.next() % UInt64(writes.count + 1))) { journal.write(write) }
        journal.reopen()
        state = MonitorState(state.configuration)
        inputs = []
        wake = nil
    }

    private mutating func perform(_ effect: Effect, at now: Moment, on server: inout some VirtualServer) {
        switch effect {
        case .wake(let uptime): wake = uptime
        case .fetch(let id, let purpose, let request):
            let reply = server.reply(to: request, for: .fetch(purpose), at: now)
            come(.fetched(id, reply.exchange), reply, purpose, at: now)
        case .send(let claim, let request):
            let reply = server.reply(to: request, for: .beacon(claim), at: now)
            if !losesAnswers { come(.beaconAnswered(claim, reply.exchange), reply, nil, at: now) }
        case .openJournal(_, let holdings): open(holding: holdings, at: now)
        case .writeClaims(let claims): write(claims, at: now)
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
        coming.insert(event, at: now.uptime + Self.journalDelay)
    }

    private mutating func come(_ input: Input, _ reply: VirtualReply, _ purpose: FetchPurpose?, at now: Moment) {
        let at = now.uptime + reply.delay
        coming.insert(.input(input, purpose), at: at)
        if let again = reply.repeatsAfter { coming.insert(.input(input, purpose), at: at + again) }
    }
}
