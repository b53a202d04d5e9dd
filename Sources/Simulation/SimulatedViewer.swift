import AdTracking
import DemoOrigin
import Monitoring
import Ports

/// One viewer of a simulation: the monitor as a value, its clock, its deaths, and what must be true of it.
struct SimulatedViewer {
    /// Bodies of metadata answers kept, to know what the monitor was told: those of the longest window and more.
    private static let toldCapacity = 160

    let index: Int
    let configuration: MonitorConfiguration
    let session: String
    var viewer: VirtualViewer
    /// Counts its processes from 0.
    private(set) var life = 0
    /// How far its wall clock is off.
    private(set) var clockError: Duration = .zero
    /// When the next clock step, kill or stop comes, uptime since the start.
    private(set) var nextStep: Duration?
    private(set) var nextKill: Duration?
    private(set) var nextFreeze: Duration?
    private(set) var clockSteps = 0
    private(set) var freezes = 0
    /// Until when the process is stopped, uptime since the start.
    private(set) var frozenUntil: Duration = .zero
    /// When the process starts again after a kill, uptime since the start; nil while it lives.
    var startsAt: Duration?
    var progress = Progress()
    var claims = ClaimCourse()
    var due: DueAccount
    /// Who uses what is beside the stream; nil for nobody.
    var person: SimulatedPerson?
    /// Bodies of metadata as the living process got them.
    private(set) var told: [[UInt8]] = []
    private var random: SplitMix64

    init(index: Int, _ plan: SimulationPlan) throws(SimulationProblem) {
        self.index = index
        let seed = plan.seed
        random = SplitMix64(seed: seed &+ UInt64(index) &* 0x9E37_79B9 &+ 0x7669_6577)
        session = "sim\(seed)-\(index)"
        // The session is named by the URL: only so is a process that starts again the same viewer.
        let query = plan.scenario.metadata.isServed ? "?sessid=\(session)" : ""
        var configuration = MonitorConfiguration(
            mediaURL: try SimulatedNetwork.url(OriginResponder.masterPath + query))
        configuration.seed = seed &+ UInt64(index)
        configuration.decision = plan.scenario.vastTag.map { .vast(tag: SimulatedNetwork.base + $0) }
        if plan.parts.contains(.auction) { configuration.auction = try SimulatedPerson.auction() }
        if plan.parts.contains(.formats) { configuration.formats = try SimulatedPerson.formats() }
        self.configuration = configuration
        viewer = VirtualViewer(configuration, keepsInputs: plan.isRecorded)
        viewer.defect = plan.defect
        due = DueAccount(patience: plan.patience)
        if !plan.parts.isEmpty { person = SimulatedPerson(plan.parts, seed: seed &+ UInt64(index)) }
    }

    /// Plans the mishaps of its own that are not planned yet, after `time` and in bursts only.
    mutating func planMishaps(_ profile: FaultProfile, after time: Duration) {
        if nextStep == nil, profile.faults.contains(.clock) { nextStep = inBurst(after: time, within: 20_000) }
        if nextKill == nil, profile.faults.contains(.kill) { nextKill = inBurst(after: time, within: 40_000) }
        if nextFreeze == nil, profile.faults.contains(.freeze) { nextFreeze = inBurst(after: time, within: 50_000) }
    }

    /// The process is stopped at `time`, and goes on later as if nothing had been.
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

    /// The process dies at `time` and is gone for a while. Of what its journal had not written some is lost.
    mutating func die(at time: Duration) {
        let kept = Int(random.next() % UInt64(viewer.unwritten + 1))
        die(at: time, keeping: kept, goneFor: .milliseconds(200 + Int64(random.next() % 12_000)))
    }

    /// The same with what was written and how long it is gone.
    mutating func die(at time: Duration, keeping kept: Int, goneFor span: Duration) {
        viewer.restart(keeping: kept)
        life += 1
        told = []
        nextKill = nil
        frozenUntil = .zero
        startsAt = time + span
        progress = Progress()
        claims = ClaimCourse()
        due.restarted()
        person?.lostEverything()
    }

    /// How many effects of its last input the process still performs.
    mutating func lastEffects() -> Int { Int(random.next() % 4) }

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
