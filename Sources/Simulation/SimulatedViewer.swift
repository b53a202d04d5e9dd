import AdTracking
import DemoOrigin
import Ports
import Session

/// One viewer of a simulation: the monitor as a value, its clock, its kills, and its invariants.
struct SimulatedViewer {
    /// Maximum number of metadata bodies kept, which show what the monitor received: enough for the longest window.
    private static let toldCapacity = 160

    let index: Int
    let configuration: MonitorConfiguration
    let session: String
    var viewer: VirtualViewer
    /// Number of its process, from 0.
    private(set) var life = 0
    /// Error of its wall clock.
    private(set) var clockError: Duration = .zero
    /// Time of the next clock step, kill or freeze, relative to the start.
    private(set) var nextStep: Duration?
    private(set) var nextKill: Duration?
    private(set) var nextFreeze: Duration?
    private(set) var journalTrouble: JournalTrouble
    private(set) var clockSteps = 0
    private(set) var freezes = 0
    /// Time until which the process is stopped, relative to the start.
    private(set) var frozenUntil: Duration = .zero
    /// Time at which a killed process restarts, relative to the start; nil while it is running.
    var startsAt: Duration?
    var progress = Progress()
    var claims = ClaimCourse()
    var due: DueAccount
    var early = EarlyAccount()
    /// The person who uses the parts beside the stream; nil for none.
    var person: SimulatedPerson?
    /// Metadata bodies that the running process received.
    private(set) var told: [[UInt8]] = []
    /// The answer that opened its session.
    private(set) var opening: [UInt8] = []
    /// Number of sessions that were opened.
    private var sessions = 0
    private var random: SplitMix64

    init(index: Int, _ plan: SimulationPlan) throws(SimulationProblem) {
        self.index = index
        let seed = plan.seed
        random = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9 &+ 0x7669_6577)
        session = SessionEnds.session(of: index, seed: seed)
        // The URL identifies the session: a restarted process is the same viewer only with the same URL.
        var configuration = MonitorConfiguration(
            mediaURL: try SimulatedNetwork.url(OriginResponder.streamPath(of: plan.scenario, session: session)))
        configuration.seed = seed &+ UInt64(index)
        configuration.decision = plan.scenario.vastTag.map { .vast(tag: SimulatedNetwork.base + $0) }
        if let keep = plan.keep { configuration.keep = keep }
        if plan.parts.contains(.auction) { configuration.auction = try SimulatedPerson.auction() }
        if plan.parts.contains(.formats) { configuration.formats = try SimulatedPerson.formats() }
        self.configuration = configuration
        viewer = VirtualViewer(configuration, keepsInputs: plan.isRecorded)
        viewer.defect = plan.defect
        let scenario = plan.scenario
        let names = plan.faults.faults.contains(.session) ? SessionNames(seed) : nil
        viewer.journal.name = {
            let planned = scenario.planned($0)
            return names?.planned(planned) ?? planned
        }
        journalTrouble = JournalTrouble(isKilled: plan.faults.faults.contains(.kill), seed: seed &+ UInt64(index))
        due = DueAccount(patience: plan.patience)
        if !plan.parts.isEmpty { person = SimulatedPerson(plan.parts, seed: seed &+ UInt64(index)) }
    }

    /// What a viewer does at an instant.
    enum Turn {
        case none, starts, isKilled, clockIsSet, journalHasTrouble, freezes, personActs, steps
        /// A killed process is not back yet, or a stopped one receives nothing; its events wait.
        case waits
    }

    /// What the viewer does at `time`, relative to the start; `uptime` is the same instant on its clock.
    func turn(at time: Duration, uptime: Duration) -> Turn {
        if let startsAt { return startsAt <= time ? .starts : .waits }
        if let nextKill, nextKill <= time { return .isKilled }
        if let nextStep, nextStep <= time { return .clockIsSet }
        if frozenUntil > time { return .waits }
        if let trouble = journalTrouble.due, trouble <= time { return .journalHasTrouble }
        if let nextFreeze, nextFreeze <= time { return .freezes }
        if let act = person?.nextAct, act <= time { return .personActs }
        if let next = viewer.next, next <= uptime { return .steps }
        return .none
    }

    /// The next instant at which something happens, relative to the start; `start` is that instant as uptime.
    func nextInstant(from start: Duration) -> Duration? {
        if let startsAt { return startsAt }
        let waiting = [
            journalTrouble.due, nextFreeze, person?.nextAct, viewer.next.map { $0 - start },
        ]
        return ([nextStep, nextKill] + waiting.map { $0.map { max($0, frozenUntil) } }).compactMap(\.self).min()
    }

    /// Checks what changed with an input. Returns what is wrong, and the state that the other checks need.
    mutating func observe(_ done: VirtualViewer.Step) -> (problems: [String], marks: StateMarks) {
        let marks = viewer.marks
        let problems = claims.observe(done.input, done.effects, journal: viewer.journal) + progress.observe(marks)
        return (problems, marks)
    }

    /// Plans the viewer's own faults that are not planned yet, after `time` and within bursts.
    mutating func planMishaps(_ profile: FaultProfile, after time: Duration) {
        if nextStep == nil, profile.faults.contains(.clock) { nextStep = inBurst(after: time, within: 20_000) }
        if nextKill == nil, profile.faults.contains(.kill) { nextKill = inBurst(after: time, within: 40_000) }
        if nextFreeze == nil, profile.faults.contains(.freeze) { nextFreeze = inBurst(after: time, within: 50_000) }
        if profile.faults.contains(.journal), journalTrouble.next == nil {
            journalTrouble.next = inBurst(after: time, within: 30_000)
        }
    }

    /// What happens to the journal by `time` happens.
    mutating func troubleJournal(at time: Duration) {
        journalTrouble.trouble(&viewer, at: time)
    }

    /// The process is stopped at `time` and continues later.
    mutating func freeze(at time: Duration) {
        frozenUntil = time + .milliseconds(500 + Int64(random.next() % 60_000))
        nextFreeze = nil
        freezes += 1
    }

    mutating func setClock() {
        let steps: [Duration] = [
            .milliseconds(-700), .seconds(-5), .seconds(-3_600), .milliseconds(900), .seconds(8), .seconds(3_600),
        ]
        clockError = random.next() % 4 == 0 ? .zero : clockError + steps[Int(random.next() % UInt64(steps.count))]
        clockSteps += 1
        nextStep = nil
    }

    /// The process is killed at `time` and restarted later. Some of the journal's unwritten batches are lost.
    mutating func die(at time: Duration) {
        let kept = Int(random.next() % UInt64(viewer.unwritten + 1))
        die(at: time, keeping: kept, goneFor: .milliseconds(200 + Int64(random.next() % 12_000)))
    }

    /// The same with a given number of written batches and a given time until the restart.
    mutating func die(at time: Duration, keeping kept: Int, goneFor span: Duration) {
        life += 1
        // Another process makes up other transaction ids.
        viewer.restart(keeping: kept, seed: configuration.seed &+ UInt64(life) &* 0x9E37_79B9_7F4A_7C15)
        (told, opening) = ([], [])
        nextKill = nil
        frozenUntil = .zero
        startsAt = time + span
        journalTrouble.restarts(&viewer, at: time + span)
        progress = Progress()
        claims = ClaimCourse()
        due.restarted()
        early.restarted()
        person?.lostEverything()
    }

    /// Number of effects of its last input that the killed process still carries out.
    mutating func lastEffects() -> Int { Int(random.next() % 4) }

    /// - Parameter number: how many sessions were opened; what was listed in earlier ones may be forgotten.
    mutating func wasOpened(_ body: [UInt8], as number: Int, forgetsTold: Bool) {
        opening = body
        if number != sessions, forgetsTold { told = [] }
        sessions = number
    }

    mutating func wasTold(_ body: [UInt8]) {
        if told.count >= Self.toldCapacity { told.removeFirst(Self.toldCapacity / 4) }
        told.append(body)
    }

    private mutating func inBurst(after time: Duration, within milliseconds: UInt64) -> Duration {
        let candidate = time + .milliseconds(500 + Int64(random.next() % milliseconds))
        if FaultSchedule.isBurst(at: candidate) { return candidate }
        let round = FaultSchedule.roundNumber(at: candidate)
        let start = FaultSchedule.endOfRound(round - 1) + FaultSchedule.burst.lowerBound
        let next = candidate < start ? start : FaultSchedule.endOfRound(round) + FaultSchedule.burst.lowerBound
        return next + .milliseconds(Int64(random.next() % milliseconds))
    }
}
