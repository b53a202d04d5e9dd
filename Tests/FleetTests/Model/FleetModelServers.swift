import Fleet
import ModeledStore

/// Connections, and a primary that lives on after a promotion.
extension FleetModel {
    /// The server that a call goes to; nil where no connection can be made. A connection whose server has ended is made again unnoticed, with
    /// the present one; one that was dropped may lead to either primary, because both take connections.
    mutating func server(for call: StoreCall, _ origin: FleetOrigin) -> Int? {
        let slot = origin.slot
        processes[slot].lastCalls[call.isClaim] = origin.number
        let known = processes[slot].lines[call.isClaim]
        if let known, known == store.server || store.isFormer(known, at: now) { return known }
        guard !VirtualProcess.Direction.allCases.contains(where: { processes[slot].isCut($0, at: now) }) else {
            return nil
        }
        var server = store.server
        if known == nil, let former = store.former, former.until > now, store.downUntil > now || happens(50) {
            server = former.server
        }
        processes[slot].lines[call.isClaim] = server
        return server
    }

    /// A former primary carries a call out. Only what it reads, refuses or does not flush is answered: no standby confirms anything.
    mutating func executeAtFormer(_ call: StoreCall, _ origin: FleetOrigin) {
        guard var model = store.former?.model else { return }
        if model.mustWait(call) { return schedule(.execute(call, origin: origin), in: .milliseconds(5)) }
        var result = StoreAnswer.done
        if case .claim(let agent, let requests) = call {
            switch model.begin(agent: agent, requests) {
            case .success(let transaction):
                schedule(.commit(transaction, origin: origin), in: milliseconds(50))
                store.former?.model = model
                return
            case .failure(let error): result = .refused(error.refusal)
            }
        } else {
            result = model.perform(call, at: now + store.clockOffset, version: origin.version)
        }
        store.former?.model = model
        switch (call, result) {
        case (_, .refused), (.claims, _), (.owned, _), (.channels, _), (.outcomes, _), (.playheads, _), (.health, _),
            (.picture, _), (.unsent, _), (.notes, _), (.keepUp, _):
            answer(result, origin)
        case (.start, _), (.beat, _), (.take, _), (.give, _), (.end, _), (.sessions, _), (.claim, _):
            wroteAtFormer(result, origin)
        }
    }

    mutating func commitAtFormer(_ transaction: StoreModel.ClaimTransaction, _ origin: FleetOrigin) {
        guard let results = store.former?.model.commit(transaction) else { return }
        wroteAtFormer(.claimed(results), origin)
    }

    /// A wait for the standby never ends, unless it is cancelled.
    private mutating func wroteAtFormer(_ result: StoreAnswer, _ origin: FleetOrigin) {
        if plan.removed.contains(.durability) {
            answer(result, origin)
        } else if happens(20) {
            answer(result, origin, hasWarning: true)
        }
    }
}
