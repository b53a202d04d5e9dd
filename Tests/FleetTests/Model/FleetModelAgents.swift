import Fleet
import ModeledStore

/// Agents: sessions that list, effects that are carried out, the collector.
extension FleetModel {
    mutating func tick(_ slot: Int, _ process: Int) {
        let clock = processes[slot].clock(at: now)
        let isCutOff = processes[slot].originCutUntil > now
        for viewer in isCutOff ? [] : processes[slot].sessions.keys.sorted() {
            for beacon in newlyDue(slot, viewer) {
                perform(processes[slot].agent.becameDue(beacon, at: clock), slot)
            }
            if let id = processes[slot].sessions[viewer]?.id {
                let head = PlayheadReading(media: now, readAt: clock)
                processes[slot].left[viewer] = head
                processes[slot].agent.moved(id, to: head)
            }
        }
        perform(processes[slot].agent.ticked(at: clock), slot)
        if plan.has(.spool) { processes[slot].keepSpool() }
        schedule(.tick(slot: slot, process: process), in: .milliseconds(200))
    }

    /// The last twenty seconds, or what became due since the viewer was left, each beacon once; sometimes a poll moves all starts.
    private mutating func newlyDue(_ slot: Int, _ viewer: Int) -> [DueBeacon] {
        guard var session = processes[slot].sessions[viewer] else { return [] }
        if !plan.resumes, happens(1) {
            session.shift = .seconds(draw(19) - 9)
            session.listed = []
        }
        let second = Int(now.components.seconds)
        let reach = plan.resumes ? second : 20
        let new = (max(0, second - reach)...second).filter {
            !session.listed.contains($0) && .seconds($0) > session.from
        }
        session.listed.formUnion(new)
        processes[slot].sessions[viewer] = session
        return new.map(session.beacon)
    }

    mutating func perform(_ effects: [AgentEffect], _ slot: Int) {
        let process = generations[slot]
        for effect in effects {
            if isKilledAmid(slot) { return }
            switch effect {
            case .call(let call, let number):
                let version = processes[slot].version
                send(call, FleetOrigin(slot: slot, process: process, number: number, version: version))
            case .drop(let number): processes[slot].drop(number)
            case .follow(let viewer, _): follow(viewer, slot)
            case .release(let id):
                if processes[slot].sessions[id.viewer]?.id == id { processes[slot].sessions[id.viewer] = nil }
                leave(id, slot)
                processes[slot].agent.stopped(id)
            case .forget(let id):
                if processes[slot].sessions[id.viewer]?.id == id { processes[slot].sessions[id.viewer] = nil }
            case .send(let request):
                schedule(.leave(request, slot: slot, process: process), in: milliseconds(happens(10) ? 2_000 : 20))
            case .unsent(let beacon, let reason):
                unsent[reason, default: 0] += 1
                note(beacon, reason, slot)
                if reason == .lost { leaveUndecided(beacon, slot) }
            case .refused(.protocolUnknown): wasNotAdmitted(slot)
            case .fenced, .refused, .ended: break
            case .disowned(let request): violations.append("\(request.beacon.url): own claim answered as taken")
            }
        }
    }

    /// What an answer of the store does.
    mutating func answered(_ answer: StoreAnswer, _ hasWarning: Bool, _ origin: FleetOrigin) {
        let slot = origin.slot
        guard !processes[slot].isCut(.back, at: now) else { return }
        if case .beat = answer, !hasWarning, let asked = processes[slot].beatsAsked[origin.number] {
            processes[slot].leasedAt = max(processes[slot].leasedAt ?? asked, asked)
        }
        let clock = processes[slot].clock(at: now)
        perform(
            processes[slot].agent.answered(answer, number: origin.number, hasWarning: hasWarning, at: clock), slot)
    }

    /// The connection of a call breaks.
    mutating func broke(_ origin: FleetOrigin) {
        let clock = processes[origin.slot].clock(at: now)
        perform(processes[origin.slot].agent.failed(number: origin.number, at: clock), origin.slot)
    }

    /// What was not sent for want of a lease goes to the store as well.
    private mutating func note(_ beacon: DueBeacon, _ reason: UnsentReason, _ slot: Int) {
        guard reason == .storeAway, plan.has(.spool) else { return }
        let row = UnsentRow(
            beacon: beacon, at: processes[slot].wall(at: now), isSkipped: false, reason: reason.rawValue)
        processes[slot].agent.noteUnsent([row])
    }

    /// Saves what the session is, in the version that the agent saves; it must know the one that was saved before.
    private mutating func handOver(_ viewer: StoreAnswer.TakenViewer, _ slot: Int) {
        guard plan.has(.versions) else { return }
        if let saved = viewer.session.first, Int(saved) > processes[slot].version {
            violations.append("viewer \(viewer.id.viewer) has a session of a later version")
        }
        let row = processes[slot].agent.incarnation.flatMap { store.model.tables.agents[$0] }
        let version = row.map { min($0.stateVersion, $0.savesIn) } ?? 1
        processes[slot].agent.noteSession([UInt8(version)], of: viewer.id)
    }

    private mutating func follow(_ viewer: StoreAnswer.TakenViewer, _ slot: Int) {
        handOver(viewer, slot)
        let isAnew = happens(50)
        var session = VirtualSession(
            id: viewer.id, salt: isAnew ? random.next() << 40 : 0,
            shift: isAnew && !plan.resumes ? .seconds(draw(19) - 9) : .zero)
        if plan.resumes {
            session.from = viewer.watchedFrom(leftAt: nil, isContinued: true) ?? now
            let played = viewer.playedSince ?? .zero
            if let playhead = viewer.playhead, played > StoreAnswer.TakenViewer.longestGap {
                gaps.append((viewer.id.viewer, playhead - played...playhead))
            }
        }
        session.address = viewer.channel?.url ?? ""
        processes[slot].sessions[viewer.id.viewer] = session
    }

    /// The viewer is to be given: the successor claims what is due later than `limit`, or than what was listed.
    private mutating func leave(_ id: ViewerEpoch, _ slot: Int, limit: Duration? = nil) {
        guard plan.resumes, let head = processes[slot].left[id.viewer] else { return }
        let left = limit.map(head.held) ?? head
        processes[slot].left[id.viewer] = left
        processes[slot].agent.moved(id, to: left)
    }

    /// What waited for a viewer that is to be given is the successor's.
    private mutating func leaveUndecided(_ beacon: DueBeacon, _ slot: Int) {
        guard let id = processes[slot].agent.holding.first(where: { $0.viewer == beacon.key.viewer }) else { return }
        leave(id, slot, limit: beacon.key.due - .microseconds(1))
    }

    /// A request leaves, if there still is a lease, or the agent does not heed it. One that fails surely does not arrive.
    mutating func leave(_ request: ClaimRequest, _ slot: Int) {
        let process = processes[slot]
        guard !heedsLease || process.agent.maySend(at: process.clock(at: now)) else {
            return processes[slot].agent.ended(request, .skipped)
        }
        if heedsLease, let leased = process.leasedAt, now - process.stood > leased + store.model.timing.lease {
            violations.append("\(request.beacon.url) left after the lease")
        }
        let (outcome, arrives) = fate(process)
        if arrives {
            let truth = VirtualSession.truth(request.beacon.url)
            arrivals[truth, default: 0] += 1
            if arrivals[truth] == 2 { violations.append("\(truth) arrived twice") }
        }
        schedule(.ended(request, outcome, slot: slot, process: generations[slot]), in: milliseconds(3_000))
    }

    /// What becomes of a request, and whether it arrives.
    private mutating func fate(_ process: VirtualProcess) -> (ClaimOutcome, arrives: Bool) {
        if let cut = process.trackerCut, cut.until > now {
            if cut.direction == .back { return (.unknown, true) }
            return (happens(50) ? .failed : .unknown, false)
        }
        let outcome: ClaimOutcome = happens(10) ? .failed : happens(5) ? .unknown : .acknowledged
        return (outcome, outcome != .failed)
    }

    mutating func ended(_ request: ClaimRequest, _ outcome: ClaimOutcome, _ slot: Int) {
        processes[slot].agent.ended(request, outcome)
        guard outcome == .failed, let index = VirtualSession.truth(request.beacon.url).split(separator: "/").last else {
            return
        }
        _ = Int(index).map { processes[slot].sessions[request.key.viewer]?.listed.remove($0) }
    }
}
