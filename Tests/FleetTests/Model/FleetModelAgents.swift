import Fleet

/// Agents: sessions that list, effects that are carried out, the collector.
extension FleetModel {
    mutating func tick(_ slot: Int, _ process: Int) {
        let clock = processes[slot].clock(at: now)
        for viewer in processes[slot].sessions.keys.sorted() {
            for beacon in newlyDue(slot, viewer) {
                perform(processes[slot].agent.becameDue(beacon, at: clock), slot)
            }
            if let id = processes[slot].sessions[viewer]?.id {
                processes[slot].agent.moved(id, to: PlayheadReading(media: now, readAt: clock))
            }
        }
        perform(processes[slot].agent.ticked(at: clock), slot)
        schedule(.tick(slot: slot, process: process), in: .milliseconds(200))
    }

    /// The last twenty seconds, each beacon once; sometimes a poll moves all starts.
    private mutating func newlyDue(_ slot: Int, _ viewer: Int) -> [DueBeacon] {
        guard var session = processes[slot].sessions[viewer] else { return [] }
        if happens(1) {
            session.shift = .seconds(draw(19) - 9)
            session.listed = []
        }
        let second = Int(now.components.seconds)
        let new = (max(0, second - 20)...second).filter { !session.listed.contains($0) }
        session.listed.formUnion(new)
        processes[slot].sessions[viewer] = session
        return new.map(session.beacon)
    }

    mutating func perform(_ effects: [AgentEffect], _ slot: Int) {
        let process = generations[slot]
        for effect in effects {
            switch effect {
            case .call(let call, let number):
                send(call, FleetOrigin(slot: slot, process: process, number: number))
            case .drop: break
            case .follow(let viewer, _):
                let isAnew = happens(50)
                processes[slot].sessions[viewer.id.viewer] = VirtualSession(
                    id: viewer.id, salt: isAnew ? random.next() << 40 : 0,
                    shift: isAnew ? .seconds(draw(19) - 9) : .zero)
            case .release(let id):
                if processes[slot].sessions[id.viewer]?.id == id { processes[slot].sessions[id.viewer] = nil }
                processes[slot].agent.stopped(id)
            case .forget(let id):
                if processes[slot].sessions[id.viewer]?.id == id { processes[slot].sessions[id.viewer] = nil }
            case .send(let request):
                schedule(.leave(request, slot: slot, process: process), in: milliseconds(happens(10) ? 2_000 : 20))
            case .unsent(_, let reason): unsent[reason, default: 0] += 1
            case .fenced, .refused, .ended: break
            case .disowned(let request): violations.append("\(request.beacon.url): own claim answered as taken")
            }
        }
    }

    /// A request leaves. One that fails surely does not arrive.
    mutating func leave(_ request: ClaimRequest, _ slot: Int) {
        let outcome: ClaimOutcome = happens(10) ? .failed : happens(5) ? .unknown : .acknowledged
        if outcome != .failed {
            let truth = VirtualSession.truth(request.beacon.url)
            arrivals[truth, default: 0] += 1
            if arrivals[truth] == 2 { violations.append("\(truth) arrived twice") }
        }
        schedule(.ended(request, outcome, slot: slot, process: generations[slot]), in: milliseconds(3_000))
    }

    mutating func ended(_ request: ClaimRequest, _ outcome: ClaimOutcome, _ slot: Int) {
        processes[slot].agent.ended(request, outcome)
        guard outcome == .failed, let index = VirtualSession.truth(request.beacon.url).split(separator: "/").last else {
            return
        }
        _ = Int(index).map { processes[slot].sessions[request.key.viewer]?.listed.remove($0) }
    }
}
