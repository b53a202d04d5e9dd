import Ports
package import Session

/// Monitors and origin in one process on a virtual clock, with invariants checked at every step. A value: a copy
/// continues independently.
package struct Simulator {
    /// Interval between checks of the whole snapshot.
    private static let lookInterval: Duration = .seconds(20)
    /// Wall clock at the start of a simulation: 2027-01-15T08:00:00Z.
    private static let start = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(1_000))
    /// Delay between the starts of sessions.
    private static let stagger: Duration = .milliseconds(137)

    package private(set) var plan: SimulationPlan
    var network: SimulatedNetwork
    var viewers: [SimulatedViewer] = []
    var now = Simulator.start
    private var agenda = EventQueue<Turn>()
    var report: SimulationReport
    /// Number of effects of the first viewer's last input.
    private(set) var lastEffectCount = 0
    /// Number of unwritten journal batches at `plan.death`.
    private(set) var unwrittenAtDeath = 0

    /// The next event of a viewer, by uptime relative to the start. Outdated turns are skipped.
    private enum Turn: Sendable {
        case viewer(Int)
        case look(Int)
        case endOfRound(Int)
    }

    package init(_ plan: SimulationPlan) throws(SimulationProblem) {
        var trouble = MetadataTrouble(plan.faults, plan.scenario, seed: plan.seed)
        var plan = plan
        plan.scenario = trouble.suffering(plan.scenario)
        plan.patience += plan.scenario.shift * 2
        self.plan = plan
        network = SimulatedNetwork(plan.scenario, seed: plan.seed, start: Self.start, faults: plan.faults)
        report = SimulationReport(plan)
        report.metadataFaults = trouble.faults
        for index in 0..<plan.viewers {
            var viewer = try SimulatedViewer(index: index, plan)
            viewer.startsAt = Self.stagger * index
            viewer.planMishaps(plan.faults, after: .zero)
            viewers.append(viewer)
            agenda.insert(.viewer(index), at: viewer.startsAt ?? .zero)
            agenda.insert(.look(index), at: Self.lookInterval + Self.stagger * index)
        }
        if !plan.faults.faults.isEmpty { agenda.insert(.endOfRound(0), at: FaultSchedule.endOfRound(0)) }
    }

    /// Runs the simulation to the end, or to the first violation.
    package mutating func run() -> SimulationReport {
        while advance() {}
        return finish()
    }

    /// Runs the simulation up to a time; false after a violation.
    package mutating func run(until end: Duration) -> Bool {
        while time < end, advance() {}
        return report.violations.isEmpty
    }

    /// Runs the next turn; false at the end, or after a violation.
    mutating func advance() -> Bool {
        guard report.violations.isEmpty, let next = agenda.popFirst(), next.at <= plan.span else { return false }
        // A kill may already have advanced the time a little.
        let at = max(next.at, time)
        now = Moment(wall: Self.start.wall + at, uptime: Self.start.uptime + at)
        switch next.event {
        case .viewer(let index): turn(of: index)
        case .look(let index):
            look(at: index)
            agenda.insert(.look(index), at: next.at + Self.lookInterval)
        case .endOfRound(let round):
            for index in viewers.indices { checkRecovery(of: index) }
            agenda.insert(.endOfRound(round + 1), at: FaultSchedule.endOfRound(round + 1))
        }
        return true
    }

    /// Runs the final checks and returns the report.
    mutating func finish() -> SimulationReport {
        if report.violations.isEmpty {
            now = Moment(wall: Self.start.wall + plan.span, uptime: Self.start.uptime + plan.span)
            for index in viewers.indices { look(at: index) }
        }
        report.finish(at: time, network, viewers)
        return report
    }

    /// The size of the first session's state.
    package var load: StateLoad? { viewers.first?.viewer.load }

    /// What the first session shows.
    package mutating func snapshot() -> Snapshot? {
        guard let first = viewers.indices.first else { return nil }
        let moment = moment(of: first)
        return inPlace(first) { $0.viewer.snapshot(at: moment) }
    }

    /// Ends all sessions: what their states hold is released, to measure it. Their journals and the judge, which grow with
    /// what was sent, stay.
    package mutating func releaseSessions() {
        for index in viewers.indices { inPlace(index) { $0.viewer.releaseState(of: $0.configuration) } }
    }

    /// The current moment on a viewer's own clocks.
    mutating func moment(of index: Int) -> Moment {
        Moment(wall: now.wall + inPlace(index) { $0.clockError }, uptime: now.uptime)
    }

    /// The current or next process of a viewer.
    mutating func process(of index: Int) -> BeaconAccount.Life {
        BeaconAccount.Life(viewer: index, number: inPlace(index) { $0.life })
    }

    /// Reads or changes a viewer in its place: a read through the array copies it, with all of its session.
    mutating func inPlace<Value>(_ index: Int, _ body: (inout SimulatedViewer) -> Value) -> Value {
        body(&viewers[index])
    }

    /// Time relative to the start.
    var time: Duration { now.uptime - Self.start.uptime }

    private mutating func turn(of index: Int) {
        network.process = process(of: index)
        let (time, wall, uptime) = (time, now.wall, now.uptime)
        switch inPlace(index, { $0.turn(at: time, uptime: uptime) }) {
        case .none, .waits: break
        case .starts:
            viewers[index].startsAt = nil
            submit(.started, to: index)
        case .isKilled: kill(index)
        case .clockIsSet:
            viewers[index].setClock()
            viewers[index].planMishaps(plan.faults, after: time)
        case .journalHasTrouble:
            viewers[index].troubleJournal(at: time)
            viewers[index].planMishaps(plan.faults, after: time)
        case .freezes:
            let wakesAt = inPlace(index) { viewer in
                viewer.freeze(at: time)
                return viewer.frozenUntil
            }
            viewers[index].planMishaps(plan.faults, after: wakesAt)
        case .personActs:
            if let input = viewers[index].person?.act(at: time, wall: wall) { submit(input, to: index) }
        case .steps: step(index)
        }
        schedule(index)
    }

    private mutating func submit(_ input: Input, to index: Int) {
        let death = deathNow(of: index)
        let moment = moment(of: index)
        let done = viewers[index].viewer.submit(
            input, at: moment, to: &network, performing: death?.effects ?? .max)
        took(done, index, death)
    }

    private mutating func step(_ index: Int, performing limit: Int = .max) {
        let death = deathNow(of: index)
        let moment = moment(of: index)
        let done = viewers[index].viewer.step(at: moment, on: &network, performing: death?.effects ?? limit)
        took(done, index, death)
    }

    private mutating func took(_ done: VirtualViewer.Step, _ index: Int, _ death: Death?) {
        report.steps += 1
        if index == 0 { lastEffectCount = done.effectCount }
        check(done, of: index)
        if let death { die(death) }
    }

    private func deathNow(of index: Int) -> Death? {
        plan.death.flatMap { index == 0 && $0.input == report.steps ? $0 : nil }
    }

    /// The process is killed during its next step: after none, some or all of the effects.
    private mutating func kill(_ index: Int) {
        if let next = inPlace(index, { $0.viewer.next }), next <= now.uptime + .seconds(1) {
            now = now.advanced(by: max(.zero, next - now.uptime))
            let limit = viewers[index].lastEffects()
            step(index, performing: limit)
        }
        judgeDue(index, isDead: true)
        viewers[index].die(at: time)
        viewers[index].planMishaps(plan.faults, after: inPlace(index) { $0.startsAt } ?? time)
        report.kills += 1
    }

    /// The first viewer's process is killed at this point and restarted soon.
    private mutating func die(_ death: Death) {
        unwrittenAtDeath = viewers[0].viewer.unwritten
        judgeDue(0, isDead: true)
        viewers[0].die(at: time, keeping: death.written, goneFor: KillSweep.absence)
        report.kills += 1
    }

    /// A copy of this simulation that continues with that kill.
    func dying(_ death: Death) -> Simulator {
        var branch = self
        branch.plan.death = death
        branch.report.plan.death = death
        return branch
    }

    /// Schedules the viewer's next instant.
    private mutating func schedule(_ index: Int) {
        guard let next = inPlace(index, { $0.nextInstant(from: Self.start.uptime) }) else { return }
        agenda.insert(.viewer(index), at: max(next, time))
    }
}
