import Fleet

/// Calls: sent, executed (perhaps much later, twice or never), durable, answered (perhaps never).
extension FleetModel {
    private func has(_ trouble: FleetFault) -> Bool { troubles[trouble].map { $0 > now } ?? false }

    mutating func send(_ call: StoreCall, _ origin: FleetOrigin) {
        guard processes[origin.slot].cutUntil <= now else { return }
        let call = byClockOfStore(call, origin.slot)
        let isLate = has(.lateCalls) && happens(20)
        schedule(.execute(call, origin: origin), in: milliseconds(isLate ? 40_000 : 10))
        if has(.doubleCalls), happens(30) { schedule(.execute(call, origin: origin), in: milliseconds(5_000)) }
    }

    /// The store gets the age of a playhead, and no clock of an agent.
    private func byClockOfStore(_ call: StoreCall, _ slot: Int) -> StoreCall {
        guard case .playheads(let agent, let heads) = call else { return call }
        let clock = processes[slot].clock(at: now)
        let read = heads.mapValues { head in
            var head = head
            head.readAt = now + store.clockOffset - (clock - head.readAt)
            return head
        }
        return .playheads(agent: agent, heads: read)
    }

    mutating func execute(_ call: StoreCall, _ origin: FleetOrigin) {
        guard store.downUntil <= now else { return }
        if store.model.mustWait(call) { return schedule(.execute(call, origin: origin), in: .milliseconds(5)) }
        if case .claim(let agent, let requests) = call {
            switch store.model.begin(agent: agent, requests) {
            case .success(let transaction):
                let isSlow = has(.slowClaims) && happens(60)
                schedule(
                    .commit(transaction, origin: origin, server: store.server), in: milliseconds(isSlow ? 1_950 : 50))
            case .failure(let error): answer(.refused(error.refusal), origin)
            }
            return
        }
        let result = store.model.perform(call, at: now + store.clockOffset)
        hint(after: call)
        switch call {
        case .start, .beat, .take, .give, .end: wrote(result, origin)
        default: answer(result, origin)
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
        wrote(.claimed(store.model.commit(transaction)), origin)
    }

    /// The answer waits for the standby; a wait that is cancelled is answered with a warning.
    private mutating func wrote(_ result: StoreAnswer, _ origin: FleetOrigin) {
        let place = store.wrote()
        let lag = max(milliseconds(4), store.standbyAwayUntil - now)
        let isCancelled = store.standbyAwayUntil > now && happens(20)
        if plan.removed.contains(.durability) {
            answer(result, origin)
        } else if isCancelled {
            answer(result, origin, hasWarning: true)
        }
        schedule(.confirm(place, result, origin: origin, server: store.server), in: lag)
    }

    mutating func confirm(_ place: Int, _ result: StoreAnswer, _ origin: FleetOrigin) {
        if store.standbyAwayUntil > now {
            return schedule(
                .confirm(place, result, origin: origin, server: store.server), in: store.standbyAwayUntil - now)
        }
        store.confirm(place)
        answer(result, origin)
    }

    private mutating func answer(_ result: StoreAnswer, _ origin: FleetOrigin, hasWarning: Bool = false) {
        if has(.lostAnswers), happens(25) { return }
        schedule(.answer(result, hasWarning: hasWarning, origin: origin), in: milliseconds(10))
    }

    /// The next fault; none in the last minute.
    mutating func beginFault() {
        guard now < plan.span - .seconds(75) else { return settle() }
        let fault = plan.kinds[draw(plan.kinds.count)]
        faults[fault, default: 0] += 1
        apply(fault, slot: draw(processes.count))
        schedule(.fault, in: milliseconds(4_000))
    }

    private mutating func apply(_ fault: FleetFault, slot: Int) {
        let span = milliseconds(plan.areOutagesLong ? 60_000 : 20_000)
        switch fault {
        case .pause: processes[slot].standsUntil = now + span
        case .freeze where processes[slot].standsUntil <= now:
            processes[slot].standsUntil = now + span
            processes[slot].stood += span
        case .freeze: break
        case .kill where processes[slot].isAlive:
            processes[slot].isAlive = false
            let isSamePlace = happens(50)
            schedule(.restart(slot: slot, isSamePlace: isSamePlace), in: milliseconds(12_000))
        case .kill: break
        case .cut: processes[slot].cutUntil = now + span
        case .restart:
            store.restart(keeping: draw(store.pending.count + 1))
            store.downUntil = now + milliseconds(plan.areOutagesLong ? 60_000 : 4_000)
        case .failover:
            store.promote()
            store.downUntil = now + milliseconds(4_000)
        case .standbyAway: store.standbyAwayUntil = now + milliseconds(6_000)
        case .storeClock: store.clockOffset += happens(50) ? .seconds(3_600) : .seconds(-3_600)
        case .drain:
            let present = store.model.tables.agents.keys.filter { store.model.tables.isAtWork($0) }.sorted()
            if !present.isEmpty { store.model.tables.agents[present[draw(present.count)]]?.isDraining = true }
            schedule(.endDrain, in: span)
        case .lateCalls, .lostAnswers, .doubleCalls, .slowClaims: troubles[fault] = now + span
        case .end: end(slot)
        }
    }

    private mutating func end(_ slot: Int) {
        guard processes[slot].isAlive, processes[slot].standsUntil <= now else { return }
        let clock = processes[slot].clock(at: now)
        perform(processes[slot].agent.endAsked(at: clock), slot)
        let isSamePlace = happens(50)
        schedule(.restart(slot: slot, isSamePlace: isSamePlace), in: FleetAgent.endLimit + milliseconds(12_000))
    }

    /// Everything is well from now on.
    private mutating func settle() {
        troubles = [:]
        for slot in processes.indices { processes[slot].cutUntil = now }
    }
}
