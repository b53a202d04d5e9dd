package import DemoOrigin
import Monitoring
package import Ports

/// What is simulated; the same plan gives the same simulation, to the byte.
package struct SimulationPlan: Sendable {
    package var scenario: Scenario
    /// How long, in simulated time.
    package var span: Duration
    package var seed: UInt64
    package var viewers = 1
    package var faults = FaultProfile.none
    /// The report brings a recording: of the session that violated something, else of the first.
    package var isRecorded = false

    package init(scenario: Scenario, span: Duration, seed: UInt64) {
        self.scenario = scenario
        self.span = span
        self.seed = seed
    }
}

/// Monitors and origin in one process on a virtual clock, and what must be true at every step.
package struct Simulator {
    /// Between two looks at everything that a snapshot shows.
    private static let lookInterval: Duration = .seconds(20)
    /// Violations kept.
    private static let violationsKept = 20
    /// When a simulation begins: 2027-01-15T08:00:00Z.
    private static let start = Moment(wall: UnixTime(milliseconds: 1_800_000_000_000), uptime: .seconds(1_000))
    /// Sessions start one after another, as people do.
    private static let stagger: Duration = .milliseconds(137)

    package let plan: SimulationPlan
    private var network: SimulatedNetwork
    private var viewers: [SimulatedViewer] = []
    private var now = Simulator.start
    private var agenda = EventQueue<Turn>()
    private var report: SimulationReport

    /// What comes next for whom; uptime since the start. Outdated turns are passed over.
    private enum Turn: Sendable {
        case viewer(Int)
        case look(Int)
        case endOfRound(Int)
    }

    package init(_ plan: SimulationPlan) throws(WebURLProblem) {
        self.plan = plan
        network = SimulatedNetwork(plan.scenario, seed: plan.seed, start: Self.start, faults: plan.faults)
        report = SimulationReport(plan)
        for index in 0..<plan.viewers {
            var viewer = try SimulatedViewer(
                index: index, scenario: plan.scenario, seed: plan.seed, keepsInputs: plan.isRecorded)
            viewer.startsAt = Self.stagger * index
            viewer.planMishaps(plan.faults, after: .zero)
            viewers.append(viewer)
            agenda.insert(.viewer(index), at: viewer.startsAt ?? .zero)
            agenda.insert(.look(index), at: Self.lookInterval + Self.stagger * index)
        }
        if !plan.faults.faults.isEmpty { agenda.insert(.endOfRound(0), at: FaultSchedule.endOfRound(0)) }
    }

    /// Simulates to the end, or to the first violation.
    package mutating func run() -> SimulationReport {
        while report.violations.isEmpty, let next = agenda.popFirst(), next.at <= plan.span {
            // A kill may have gone on a little already.
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
        }
        if report.violations.isEmpty {
            now = Moment(wall: Self.start.wall + plan.span, uptime: Self.start.uptime + plan.span)
            for index in viewers.indices { look(at: index) }
        }
        finishReport()
        return report
    }

    private var time: Duration { now.uptime - Self.start.uptime }

    private mutating func turn(of index: Int) {
        network.process = viewers[index].process
        if let start = viewers[index].startsAt {
            guard start <= time else { return schedule(index) }
            viewers[index].startsAt = nil
            let moment = viewers[index].moment(now)
            viewers[index].viewer.submit(.started, at: moment, to: &network)
        } else if let kill = viewers[index].nextKill, kill <= time {
            self.kill(index)
        } else if let step = viewers[index].nextStep, step <= time {
            viewers[index].setClock()
            viewers[index].planMishaps(plan.faults, after: time)
        } else if viewers[index].frozenUntil > time {
            // Nothing happens to it; what comes meanwhile waits.
        } else if let freeze = viewers[index].nextFreeze, freeze <= time {
            viewers[index].freeze(at: time)
            viewers[index].planMishaps(plan.faults, after: viewers[index].frozenUntil)
        } else if let next = viewers[index].viewer.next, next <= now.uptime {
            step(index)
        }
        schedule(index)
    }

    private mutating func step(_ index: Int, performing limit: Int = .max) {
        let moment = viewers[index].moment(now)
        let done = viewers[index].viewer.step(at: moment, on: &network, performing: limit)
        report.steps += 1
        switch done.input {
        case .beaconAnswered(let claim, _): network.beacons.answered(claim, to: viewers[index].process)
        case .fetched(_, let exchange) where done.purpose == .metadata && exchange.isSuccess:
            viewers[index].wasTold(exchange.body)
        default: break
        }
        if network.beacons.hasViolations { violate(index, network.beacons.takeViolations()) }
        checkBounds(of: index)
    }

    /// The process dies while it does what comes next: after none, some or all of the effects.
    private mutating func kill(_ index: Int) {
        if let next = viewers[index].viewer.next, next <= now.uptime + .seconds(1) {
            now = now.advanced(by: max(.zero, next - now.uptime))
            let limit = viewers[index].lastEffects()
            step(index, performing: limit)
        }
        judgeDue(index, isDead: true)
        viewers[index].die(at: time)
        viewers[index].due.restarted()
        viewers[index].planMishaps(plan.faults, after: viewers[index].startsAt ?? time)
        report.kills += 1
    }

    /// Puts the viewer's next instant on the agenda.
    private mutating func schedule(_ index: Int) {
        let viewer = viewers[index]
        var instants = [viewer.nextStep].compactMap { $0 }
        if let start = viewer.startsAt {
            instants = [start]
        } else {
            if let kill = viewer.nextKill { instants.append(kill) }
            if let freeze = viewer.nextFreeze { instants.append(max(freeze, viewer.frozenUntil)) }
            if let next = viewer.viewer.next { instants.append(max(next - Self.start.uptime, viewer.frozenUntil)) }
        }
        guard let next = instants.min() else { return }
        agenda.insert(.viewer(index), at: max(next, time))
    }

    // MARK: What must be true

    private mutating func look(at index: Int) {
        guard viewers[index].startsAt == nil, viewers[index].frozenUntil <= time else { return }
        let snapshot = viewers[index].viewer.snapshot(at: viewers[index].moment(now))
        violate(index, viewers[index].progress.observe(snapshot))
        judgeDue(index, snapshot: snapshot)
    }

    private mutating func judgeDue(_ index: Int, snapshot: Snapshot? = nil, isDead: Bool = false) {
        guard plan.scenario.hasPlan else { return }
        let moment = viewers[index].moment(now)
        let evidence = DueAccount.Evidence(
            snapshot: snapshot ?? viewers[index].viewer.snapshot(at: moment), stream: network.responder.stream,
            session: viewers[index].session, beacons: network.beacons, journal: viewers[index].viewer.journal,
            told: viewers[index].told, isDead: isDead)
        violate(index, viewers[index].due.judge(evidence))
    }

    private mutating func checkBounds(of index: Int) {
        let load = viewers[index].viewer.load
        report.largest.take(load, coming: viewers[index].viewer.comingCount)
        let bounds: [(Int, Int, String)] = [
            (load.requests, SimulationLimits.requests, "requests are open"),
            (load.beaconsInFlight, Limits.beaconsInFlight, "beacons are in flight"),
            (load.unwrittenClaims, Limits.beaconQueue, "claims wait for the journal"),
            (load.breaks, SimulationLimits.breaks, "breaks are kept"),
            (load.logLines, Limits.logLines + SimulationLimits.logSlack, "log lines are kept"),
            (load.findings, SimulationLimits.findings, "findings are kept"),
        ]
        for (count, limit, what) in bounds where count > limit { violate(index, ["\(count) \(what)"]) }
    }

    /// A server that has been good for more than two minutes has cured everything.
    private mutating func checkRecovery(of index: Int) {
        guard viewers[index].startsAt == nil else {
            return violate(index, ["the process did not start again"])
        }
        let snapshot = viewers[index].viewer.snapshot(at: viewers[index].moment(now))
        var problems: [String] = []
        if snapshot.session.phase != .running, snapshot.session.phase != .ended {
            problems.append("the session is \(snapshot.session.phase.rawValue)")
        }
        if snapshot.session.playlistHealth.state != .good {
            problems.append("the playlist is \(snapshot.session.playlistHealth.state.rawValue)")
        }
        if plan.scenario.metadata.isServed, snapshot.session.metadataHealth.state != .good {
            problems.append("metadata is \(snapshot.session.metadataHealth.state.rawValue)")
        }
        if !snapshot.playhead.isPlaying { problems.append("playback is \(snapshot.playhead.state.rawValue)") }
        report.recoveries += 1
        violate(index, problems.map { "\($0) long after the server recovered" })
    }

    private mutating func violate(_ index: Int, _ problems: [String]) {
        for problem in problems where report.violations.count < Self.violationsKept {
            report.violations.append(
                SimulationReport.Violation(at: time, viewer: index, life: viewers[index].life, message: problem))
        }
    }

    private mutating func finishReport() {
        report.span = time
        report.requests = network.counts.requests
        report.faults = network.counts.faults
        report.arrivals = network.beacons.count
        report.arrivedBeacons = network.beacons.distinct
        report.repeatsAfterLostAnswer = network.beacons.repeatsAfterLostAnswer
        report.repeatsAfterServerError = network.beacons.repeatsAfterServerError
        if plan.isRecorded {
            let viewer = viewers[report.violations.first?.viewer ?? 0]
            report.recording = Recording(configuration: viewer.configuration, inputs: viewer.viewer.inputs)
        }
        for viewer in viewers {
            report.clockSteps += viewer.clockSteps
            report.freezes += viewer.freezes
            report.verdicts.merge(viewer.due.verdicts) { $0 + $1 }
            report.reasons.merge(viewer.due.reasons) { $0 + $1 }
        }
    }
}

/// What a session may hold at most, beyond `Limits`.
enum SimulationLimits {
    /// Playlist, metadata, steering, asset lists and tags.
    static let requests = 40
    /// Two hours of a break every half minute, and as much again.
    static let breaks = 500
    static let findings = 200
    /// Chunks of the log are dropped whole.
    static let logSlack = 512
}

extension Scenario {
    /// Whether the origin's plan says what a viewer must send: breaks that a viewer fills or plays as interstitials depend
    /// on what was decided when.
    fileprivate var hasPlan: Bool {
        breaks != nil && breaks?.delivery != .interstitials && vastTag == nil && metadata.isServed
    }
}

extension PlayheadView {
    fileprivate var isPlaying: Bool {
        switch state {
        case .playing, .interstitial, .ended: true
        case .idle, .paused, .stalled: false
        }
    }
}
