import AdTracking
import DemoOrigin
import Ports
import Session

/// The invariants. After every input the changes are checked, at a cost independent of the size of the state; every few
/// seconds the whole snapshot is checked.
extension Simulator {
    /// Maximum number of violations kept.
    private static let violationsKept = 20

    mutating func check(_ done: VirtualViewer.Step, of index: Int) {
        switch done.input {
        case .beaconAnswered(let claim, let exchange):
            network.beacons.answered(claim, to: process(of: index))
            network.pings.answered(claim, to: process(of: index))
            if claim.owner == .ping { wasTold(exchange, index) }
        case .fetched(_, let exchange) where done.purpose == .metadata:
            wasTold(exchange, index)
        case .fetched(_, let exchange) where done.purpose == .sessionInit:
            wasTold(exchange, index)
            if exchange.isSuccess { wasOpened(exchange, index) }
        case .fetched(_, let exchange) where done.purpose == .segment && network.isWhole(exchange):
            viewers[index].wasTold(exchange.body)
        default: break
        }
        if network.beacons.hasViolations { violate(index, network.beacons.takeViolations()) }
        if network.pings.hasViolations { violate(index, network.pings.takeViolations()) }
        let (problems, marks) = inPlace(index) { $0.observe(done) }
        violate(index, problems)
        if let date = marks.date { network.plays(at: date, session: viewers[index].session) }
        checkMoments(of: done, date: marks.date, index)
        judgeDue(index, date: marks.date)
        checkBounds(of: index)
        if !plan.faults.faults.isEmpty, FaultSchedule.isWell(at: time) { checkHealth(marks, of: index) }
    }

    /// Nothing is sent before its moment.
    private mutating func checkMoments(of done: VirtualViewer.Step, date: UnixTime?, _ index: Int) {
        if let date { inPlace(index) { $0.early.plays(at: date) } }
        for case .send(let claim, let request) in done.effects where claim.owner == .stream && knowsMoments {
            let (url, stream) = (network.planned(request.url), network.responder.stream)
            let problem = inPlace(index) { $0.early.problem(sending: url, session: $0.session, in: stream) }
            violate(index, [problem].compactMap(\.self))
        }
    }

    /// Whether the plan knows when each URL is due: not where a URL is due several times, where the media places ads, or where documents have
    /// damaged times.
    private var knowsMoments: Bool {
        plan.scenario.hasPlan && !plan.scenario.airsAgain && !plan.scenario.session.dialect.placesByMedia
            && !plan.faults.faults.contains(.corrupt)
    }

    private mutating func wasOpened(_ exchange: HTTPExchange, _ index: Int) {
        let number = network.ends?.number(of: index) ?? 0
        // Records are in segments: a session that joins behind them has not read them.
        let isForgetful = plan.scenario.session.dialect.recordsAds
        viewers[index].wasOpened(network.planned(exchange.body), as: number, forgetsTold: isForgetful)
    }

    /// Ads may be in a document of their own, or in the answer that opened the session or that of a ping.
    private mutating func wasTold(_ exchange: HTTPExchange, _ index: Int) {
        guard exchange.isSuccess else { return }
        if !network.isDamaged(exchange) { viewers[index].wasTold(network.planned(exchange.body)) }
        report.documents += 1
    }

    mutating func look(at index: Int) {
        let time = time
        guard inPlace(index, { $0.startsAt == nil && $0.frozenUntil <= time }) else { return }
        let moment = moment(of: index)
        let snapshot = viewers[index].viewer.snapshot(at: moment)
        violate(index, viewers[index].progress.observe(snapshot))
    }

    /// Judges due beacons after a kill: beacons that were not claimed are lost with the process.
    mutating func judgeDue(_ index: Int, isDead: Bool) {
        judgeDue(index, date: inPlace(index) { $0.viewer.marks.date }, isDead: isDead)
    }

    private mutating func judgeDue(_ index: Int, date: UnixTime?, isDead: Bool = false) {
        guard inPlace(index, { $0.due.isDue(date, isDead: isDead) }), plan.scenario.hasPlan else { return }
        let moment = moment(of: index)
        let evidence = DueAccount.Evidence(
            stream: network.responder.stream, session: viewers[index].session, beacons: network.beacons,
            journal: viewers[index].viewer.journal, told: viewers[index].told, opening: viewers[index].opening,
            hasObserved: viewers[index].journalTrouble.count > 0, isDead: isDead)
        // A copy: the check must not change the state's cached views.
        let state = viewers[index].viewer.state
        let missing = viewers[index].due.judge(evidence, date: date) {
            var state = state
            return state.snapshot(at: moment)
        }
        violate(index, missing)
    }

    private mutating func checkBounds(of index: Int) {
        let (load, coming, cached) = inPlace(index) { ($0.viewer.load, $0.viewer.comingCount, $0.person?.cachedBytes) }
        report.largest.take(load, coming: coming)
        violate(index, plan.limits.problems(in: load))
        if let bytes = cached, bytes > SimulatedPerson.cacheBytes {
            violate(index, ["\(bytes) bytes are in the cache"])
        }
    }

    /// More than two minutes after the last fault, everything must have recovered.
    mutating func checkRecovery(of index: Int) {
        guard inPlace(index, { $0.startsAt == nil }) else {
            return violate(index, ["the process did not restart"])
        }
        report.recoveries += 1
        checkHealth(inPlace(index) { $0.viewer.marks }, of: index)
    }

    private mutating func checkHealth(_ marks: StateMarks, of index: Int) {
        var problems: [String] = []
        if marks.phase != .running, marks.phase != .ended { problems.append("the session is \(marks.phase.rawValue)") }
        if marks.playlist != .good { problems.append("the playlist is \(marks.playlist.rawValue)") }
        if plan.scenario.metadata.isServed, marks.metadata != .good {
            problems.append("metadata is \(marks.metadata.rawValue)")
        }
        if !marks.playhead.isPlaying { problems.append("playback is \(marks.playhead.rawValue)") }
        violate(index, problems.map { "\($0) long after the server recovered" })
    }

    private mutating func violate(_ index: Int, _ problems: [String]) {
        guard !problems.isEmpty else { return }
        let life = inPlace(index) { $0.life }
        for problem in problems where report.violations.count < Self.violationsKept {
            report.violations.append(
                SimulationReport.Violation(at: time, viewer: index, life: life, message: problem))
        }
    }
}

extension Scenario {
    /// Whether the origin's plan determines what a viewer must send: it does not for breaks that a viewer fills itself
    /// or plays as interstitials, which depend on the times of decisions.
    fileprivate var hasPlan: Bool {
        breaks != nil && breaks?.delivery != .interstitials && vastTag == nil && metadata.isServed
    }
}

extension PlayheadView.State {
    fileprivate var isPlaying: Bool {
        switch self {
        case .playing, .interstitial, .ended: true
        case .idle, .paused, .stalled: false
        }
    }
}
