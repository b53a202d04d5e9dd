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

    /// Ends the simulation of all sessions: what their states hold is released, to measure it.
    package mutating func releaseSessions() {
        viewers = []
        agenda = EventQueue()
    }

    /// The current moment on a viewer's own clocks.
    func moment(of index: Int) -> Moment {
        Moment(wall: now.wall + viewers[index].clockError, uptime: now.uptime)
    }

    /// The current or next process of a viewer.
    func process(of index: Int) -> BeaconAccount.Life {
        BeaconAccount.Life(viewer: index, number: viewers[index].life)
    }

    /// Time relative to the start.
    var time: Duration { now.uptime - Self.start.uptime }

    private mutating func turn(of index: Int) {
        network.process = process(of: index)
        if let start = viewers[index].startsAt {
            guard start <= time else { return schedule(index) }
            viewers[index].startsAt = nil
            submit(.started, to: index)
        } else if let kill = viewers[index].nextKill, kill <= time {
            self.kill(index)
        } else if let step = viewers[index].nextStep, step <= time {
            viewers[index].setClock()
            viewers[index].planMishaps(plan.faults, after: time)
        } else if viewers[index].frozenUntil > time {
            // A stopped process receives nothing; its events wait.
        } else if let trouble = viewers[index].journalTrouble.due, trouble <= time {
            viewers[index].troubleJournal(at: time)
            viewers[index].planMishaps(plan.faults, after: time)
        } else if let freeze = viewers[index].nextFreeze, freeze <= time {
            viewers[index].freeze(at: time)
            viewers[index].planMishaps(plan.faults, after: viewers[index].frozenUntil)
        } else if let act = viewers[index].person?.nextAct, act <= time {
            let (time, wall) = (time, now.wall)
            if let input = viewers[index].person?.act(at: time, wall: wall) { submit(input, to: index) }
        } else if let next = viewers[index].viewer.next, next <= now.uptime {
            step(index)
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
        if let next = viewers[index].viewer.next, next <= now.uptime + .seconds(1) {
            now = now.advanced(by: max(.zero, next - now.uptime))
            let limit = viewers[index].lastEffects()
            step(index, performing: limit)
        }
        judgeDue(index, isDead: true)
        viewers[index].die(at: time)
        viewers[index].planMishaps(plan.faults, after: viewers[index].startsAt ?? time)
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
        var next = viewers[index].nextStep
        func consider(_ instant: Duration?) {
            if let instant { next = min(next ?? instant, instant) }
        }
        if let start = viewers[index].startsAt {
            next = start
        } else {
            let frozenUntil = viewers[index].frozenUntil
            consider(viewers[index].nextKill)
            consider(viewers[index].journalTrouble.due.map { max($0, frozenUntil) })
            consider(viewers[index].nextFreeze.map { max($0, frozenUntil) })
            consider(viewers[index].person.map { max($0.nextAct, frozenUntil) })
            consider(viewers[index].viewer.next.map { max($0 - Self.start.uptime, frozenUntil) })
        }
        if let next { agenda.insert(.viewer(index), at: max(next, time)) }
    }
}
