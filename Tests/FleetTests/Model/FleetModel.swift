import Fleet
import Ports

/// Store, agents and collector as one value on a virtual clock. The collector counts by true beacon and not by identity.
struct FleetModel {
    let plan: FleetPlan
    var random: SplitMix64
    var now = Duration.zero
    var events: [(at: Duration, order: Int, event: FleetEvent)] = []
    var order = 0
    var store: VirtualStore
    var processes: [VirtualProcess] = []
    var generations: [Int] = []
    /// Faults of calls that last until the moment.
    var troubles: [FleetFault: Duration] = [:]
    var heedsLease: Bool
    var arrivals: [Substring: Int] = [:]
    var unsent: [UnsentReason: Int] = [:]
    /// Spans that no agent followed, and that were too long to be made up for.
    var gaps: [(viewer: Int, span: ClosedRange<Duration>)] = []
    var faults: [FleetFault: Int] = [:]
    var violations: [String] = []

    init(_ plan: FleetPlan) {
        self.plan = plan
        random = SplitMix64(seed: plan.seed)
        let tables = StoreTables(viewers: plan.viewers)
        store = VirtualStore(model: StoreModel(tables, without: plan.removed), standby: tables)
        heedsLease = random.next() % 2 == 0
        for slot in 0..<(2 + draw(3)) {
            processes.append(process(slot, place: "p\(slot)"))
            generations.append(0)
            schedule(.tick(slot: slot, process: 0), in: milliseconds(200))
        }
        if plan.hasFaults { schedule(.fault, in: .seconds(12)) }
    }

    mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
    mutating func milliseconds(_ most: Int) -> Duration { .milliseconds(draw(most + 1)) }
    mutating func happens(_ percent: Int) -> Bool { draw(100) < percent }

    mutating func schedule(_ event: FleetEvent, in delay: Duration) {
        events.append((now + delay, order, event))
        order += 1
    }

    mutating func process(_ slot: Int, place: String) -> VirtualProcess {
        var agent = FleetAgent(name: "a\(slot)", place: place, without: plan.removed, isSame: VirtualSession.isSame)
        agent.heedsLease = heedsLease
        return VirtualProcess(agent: agent, rate: random.factor(spread: 0.01), stood: now)
    }

    /// Runs to the end of the plan.
    mutating func run() {
        while let next = events.indices.min(by: {
            (events[$0].at, events[$0].order) < (events[$1].at, events[$1].order)
        }),
            events[next].at <= plan.span, violations.isEmpty
        {
            let (at, _, event) = events[next]
            events.swapAt(next, events.count - 1)
            events.removeLast()
            now = max(now, at)
            handle(event)
        }
        if violations.isEmpty { judgeEnd() }
    }

    /// A minute after the last fault every beacon arrives, or has a claim.
    private mutating func judgeEnd() {
        let claimed = Set(store.model.tables.claims.values.map { VirtualSession.truth($0.request.beacon.url) })
        let end = Int(plan.span.components.seconds)
        for viewer in 1...plan.viewers {
            for index in (end - 30)..<(end - 15) {
                let truth = Substring("\(viewer)/\(index)")
                if arrivals[truth] == nil, !claimed.contains(truth) { violations.append("\(truth) is missing") }
            }
        }
    }

    /// Beacons that no agent claimed, though none was in a gap that may cost some.
    func lost(_ seconds: Range<Int>) -> [String] {
        let claimed = Set(store.model.tables.claims.values.map { VirtualSession.truth($0.request.beacon.url) })
        return (1...plan.viewers).flatMap { viewer in
            seconds.filter { index in
                !claimed.contains("\(viewer)/\(index)")
                    && !gaps.contains { $0.viewer == viewer && $0.span.contains(.seconds(index)) }
            }.map { "\(viewer)/\($0)" }
        }
    }

    private mutating func handle(_ event: FleetEvent) {
        switch event {
        case .tick(let slot, let process): if isPresent(slot, process, event) { tick(slot, process) }
        case .execute(let call, let origin): execute(call, origin)
        case .commit(let transaction, let origin, let server): if server == store.server { commit(transaction, origin) }
        case .confirm(let place, let answer, let origin, let server):
            if server == store.server { confirm(place, answer, origin) }
        case .answer(let answer, let hasWarning, let origin):
            guard isPresent(origin.slot, origin.process, event), processes[origin.slot].cutUntil <= now else { return }
            let clock = processes[origin.slot].clock(at: now)
            perform(
                processes[origin.slot].agent.answered(
                    answer, number: origin.number, hasWarning: hasWarning, at: clock), origin.slot)
        case .hint(let slot, let process):
            guard isPresent(slot, process, event), processes[slot].cutUntil <= now else { return }
            perform(processes[slot].agent.hinted(at: processes[slot].clock(at: now)), slot)
        case .leave(let request, let slot, let process): if isPresent(slot, process, event) { leave(request, slot) }
        case .ended(let request, let outcome, let slot, let process):
            if isPresent(slot, process, event) { ended(request, outcome, slot) }
        case .restart(let slot, let isSamePlace): restart(slot, isSamePlace)
        case .endDrain: for id in store.model.tables.agents.keys { store.model.tables.agents[id]?.isDraining = false }
        case .fault: beginFault()
        }
    }

    /// Whether the process lives and runs now; what happens to one that stands is put off.
    private mutating func isPresent(_ slot: Int, _ process: Int, _ event: FleetEvent) -> Bool {
        guard generations[slot] == process, processes[slot].isAlive else { return false }
        guard processes[slot].standsUntil <= now else {
            schedule(event, in: processes[slot].standsUntil - now)
            return false
        }
        return true
    }

    private mutating func restart(_ slot: Int, _ isSamePlace: Bool) {
        let place = isSamePlace ? processes[slot].agent.place : "q\(order)"
        processes[slot] = process(slot, place: place)
        generations[slot] += 1
        schedule(.tick(slot: slot, process: generations[slot]), in: .zero)
    }
}
