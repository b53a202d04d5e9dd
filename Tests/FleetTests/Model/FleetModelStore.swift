import Fleet
import ModeledStore

/// Calls: sent, executed (perhaps much later, twice or never), durable, answered (perhaps never).
extension FleetModel {
    private func has(_ trouble: FleetFault) -> Bool { troubles[trouble].map { $0 > now } ?? false }

    mutating func send(_ call: StoreCall, _ origin: FleetOrigin) {
        if case .beat = call {
            processes[origin.slot].beatsAsked[origin.number] = now - processes[origin.slot].stood
        }
        var origin = origin
        guard let server = server(for: call, origin), !processes[origin.slot].isCut(.there, at: now) else { return }
        origin.server = server
        let call = byClockOfStore(call, origin.slot)
        let isLate = has(.lateCalls) && happens(20)
        schedule(.execute(call, origin: origin), in: milliseconds(isLate ? 40_000 : 10))
        if has(.doubleCalls), happens(30) { schedule(.execute(call, origin: origin), in: milliseconds(5_000)) }
    }

    /// The store gets the age of a playhead, and no clock of an agent.
    private func byClockOfStore(_ call: StoreCall, _ slot: Int) -> StoreCall {
        guard case .playheads(let agent, let heads, let number) = call else { return call }
        let clock = processes[slot].clock(at: now)
        let read = heads.mapValues { head in
            var head = head
            head.readAt = now + store.clockOffset - (clock - head.readAt)
            return head
        }
        return .playheads(agent: agent, heads: read, number: number)
    }

    mutating func execute(_ call: StoreCall, _ origin: FleetOrigin) {
        if store.isFormer(origin.server, at: now) { return executeAtFormer(call, origin) }
        guard store.downUntil <= now, !isWithheld(call) else { return }
        if store.model.mustWait(call) { return schedule(.execute(call, origin: origin), in: .milliseconds(5)) }
        var origin = origin
        origin.server = store.server
        if case .claim(let agent, let requests) = call {
            switch store.model.begin(agent: agent, requests) {
            case .success(let transaction):
                let isSlow = has(.slowClaims) && happens(60)
                schedule(.commit(transaction, origin: origin), in: milliseconds(isSlow ? 1_950 : 50))
            case .failure(let error): answer(.refused(error.refusal), origin)
            }
            return
        }
        let result = store.model.perform(call, at: now + store.clockOffset, version: origin.version)
        if case .started = result, !store.model.tables.protocols.contains(origin.version) {
            violations.append("an agent of protocol \(origin.version) was admitted")
        }
        if case .taken(let viewers) = result, case .take(let agent, _) = call {
            let region = store.model.tables.agents[agent]?.region ?? ""
            for viewer in viewers where !["", region].contains(viewer.region) {
                violations.append("viewer \(viewer.id.viewer) was taken in region '\(region)'")
            }
        }
        hint(after: call)
        switch call {
        case .start, .beat, .take, .give, .end: wrote(result, origin)
        default: answer(result, origin)
        }
    }

    private func isWithheld(_ call: StoreCall) -> Bool {
        switch call {
        case .outcomes, .unsent: has(.spool)
        default: false
        }
    }

    /// Agents hear of viewers that became free, or do not.
    private mutating func hint(after call: StoreCall) {
        switch call {
        case .give, .end: break
        default: return
        }
        for slot in processes.indices where happens(70) {
            schedule(.hint(slot: slot, process: generations[slot]), in: milliseconds(20))
        }
    }

    mutating func commit(_ transaction: StoreModel.ClaimTransaction, _ origin: FleetOrigin) {
        if store.isFormer(origin.server, at: now) { return commitAtFormer(transaction, origin) }
        guard origin.server == store.server else { return }
        wrote(.claimed(store.model.commit(transaction)), origin)
    }

    /// The answer waits for the standby; a wait that is cancelled is answered with a warning.
    private mutating func wrote(_ result: StoreAnswer, _ origin: FleetOrigin) {
        let place = store.wrote()
        let lag = max(milliseconds(4), store.standbyAwayUntil - now)
        let isCancelled = max(store.standbyAwayUntil, store.standbyUnheardUntil) > now && happens(20)
        if plan.removed.contains(.durability) {
            answer(result, origin)
        } else if isCancelled {
            answer(result, origin, hasWarning: true)
        }
        schedule(.confirm(place, result, origin: origin), in: lag)
    }

    mutating func confirm(_ place: Int, _ result: StoreAnswer, _ origin: FleetOrigin) {
        guard origin.server == store.server else { return }
        if store.standbyAwayUntil > now {
            return schedule(.confirm(place, result, origin: origin), in: store.standbyAwayUntil - now)
        }
        store.confirm(place)
        if store.standbyUnheardUntil > now {
            return schedule(.confirm(place, result, origin: origin), in: store.standbyUnheardUntil - now)
        }
        answer(result, origin)
    }

    mutating func answer(_ result: StoreAnswer, _ origin: FleetOrigin, hasWarning: Bool = false) {
        if has(.lostAnswers), happens(25) { return }
        if has(.breaks), happens(25) { return schedule(.broke(origin: origin), in: milliseconds(10)) }
        schedule(.answer(result, hasWarning: hasWarning, origin: origin), in: milliseconds(10))
    }
}
