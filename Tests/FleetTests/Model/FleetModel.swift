import Fleet
import ModeledStore
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
    /// The version of the program at each place.
    var versions: [Int] = []
    /// Changes of the list.
    var changes = 0
    /// Processes that ended because the store did not admit their protocol.
    var notAdmitted = 0
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
        var tables = StoreTables(viewers: plan.viewers)
        if plan.has(.list) {
            for viewer in 1...plan.viewers { tables.viewers[viewer]?.channel = Self.channel(viewer) }
        }
        // `fleet init` of the later program has run.
        if plan.has(.versions) { tables.protocols = 1...Self.laterVersion }
        if plan.hasRegions {
            tables.regions = ["a0": "eu", "a1": "us"]
            for (viewer, region) in [(1, "eu"), (2, "us")] { tables.viewers[viewer]?.region = region }
        }
        store = VirtualStore(model: StoreModel(tables, without: plan.removed), standby: tables)
        heedsLease = random.next() % 2 == 0
        for slot in 0..<(2 + draw(3)) {
            versions.append(plan.has(.versions) ? 1 + draw(Self.laterVersion) : 1)
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

    /// Bytes of a spool that is soon full.
    private static let smallSpool = 4_000

    /// - Parameter disk: what an earlier process of the place left.
    mutating func process(_ slot: Int, place: String, disk: SpooledRows = SpooledRows()) -> VirtualProcess {
        var agent = FleetAgent(
            name: "a\(slot)", place: place, without: plan.removed,
            spoolLimit: plan.has(.spool) ? Self.smallSpool : FleetSpool.largest,
            isSame: VirtualSession.isSame)
        agent.heedsLease = heedsLease
        if !disk.isEmpty { agent.restore(disk) }
        var process = VirtualProcess(agent: agent, rate: random.factor(spread: 0.01), stood: now)
        (process.version, process.disk) = (versions[slot], disk)
        process.usesWallClock = plan.removed.contains(.ownClock)
        if plan.has(.wallClock), happens(50) { process.wallOffset = plan.wallStep }
        return process
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

    /// A minute after the last fault every beacon of a viewer that is wanted arrives, or has a claim; and no other.
    private mutating func judgeEnd() {
        let claimed = Set(store.model.tables.claims.values.map { VirtualSession.truth($0.request.beacon.url) })
        let end = Int(plan.span.components.seconds)
        for (viewer, row) in store.model.tables.viewers.sorted(by: { $0.key < $1.key }) {
            for index in (end - 30)..<(end - 15) {
                let truth = Substring("\(viewer)/\(index)")
                let isThere = arrivals[truth] != nil || claimed.contains(truth)
                if !isThere, !row.isRemoved { violations.append("\(truth) is missing") }
                if isThere, row.isRemoved, !plan.areOutagesLong { violations.append("\(truth) is of no viewer") }
            }
        }
        guard !plan.areOutagesLong else { return }
        for session in processes.filter(\.isAlive).flatMap(\.sessions.values) {
            let address = store.model.tables.viewers[session.id.viewer]?.channel?.url ?? ""
            if session.address != address { violations.append("viewer \(session.id.viewer) has an old address") }
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
        case .commit(let transaction, let origin): commit(transaction, origin)
        case .confirm(let place, let answer, let origin): confirm(place, answer, origin)
        case .answer(let answer, let hasWarning, let origin):
            if isPresent(origin.slot, origin.process, event) { answered(answer, hasWarning, origin) }
        case .broke(let origin): if isPresent(origin.slot, origin.process, event) { broke(origin) }
        case .hint(let slot, let process):
            guard isPresent(slot, process, event), !processes[slot].isCut(.back, at: now) else { return }
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
        processes[slot] = process(slot, place: place, disk: isSamePlace ? processes[slot].disk : SpooledRows())
        generations[slot] += 1
        schedule(.tick(slot: slot, process: generations[slot]), in: .zero)
    }
}
