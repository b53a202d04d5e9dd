/// Which call comes next.
extension FleetAgent {
    mutating func nextOtherCall(at now: Duration) -> StoreCall? {
        guard let incarnation else {
            return now >= nextBeat && !isEnding ? .start(name: name, place: place) : nil
        }
        if mustBeat || now >= nextBeat || beatsEarly(at: now) {
            orders.hasHint = false
            return .beat(agent: incarnation, load: load)
        }
        if mustAskOwned { return .owned(agent: incarnation) }
        if let call = nextWork(incarnation, at: now) { return call }
        return isEnding ? nextOrder(incarnation, at: now) : nil
    }

    /// What the store ordered, and upkeep.
    mutating func nextOrder(_ incarnation: Int, at now: Duration) -> StoreCall? {
        if orders.want > 0, !isEnding {
            let count = min(orders.want, Self.largestTake)
            orders.want -= count
            return .take(agent: incarnation, count: count)
        }
        if let call = nextGive(incarnation, at: now) { return call }
        if let seen = orders.seenChange, orders.heardChange != seen {
            return .channels(agent: incarnation, since: seen)
        }
        guard now >= nextUpkeep, !isEnding else { return nil }
        nextUpkeep = now + Self.upkeepInterval
        return .keepUp
    }

    /// A hint that came while a beat was under way counts for the next one: the store may have answered before.
    private func beatsEarly(at now: Duration) -> Bool {
        orders.hasHint && now >= nextBeat - timing.beat + Self.hintDistance
    }

    /// Viewers whose claims the store has all answered and whose sessions have ended; their states and playheads go first (FLT-6).
    private mutating func nextGive(_ incarnation: Int, at now: Duration) -> StoreCall? {
        let asked = removed.contains(.giveLock) ? [] : Set((claimRequests + unanswered).map(\.key.viewer))
        let ready = viewers.values.filter { viewer in
            guard viewer.phase == .giving, viewer.session == nil, !asked.contains(viewer.taken.id.viewer),
                !viewer.owesOutcomes(at: now)
            else { return false }
            return viewer.releasedAt.map { now >= $0 + Self.releaseLimit } ?? true
        }.sorted { $0.taken.id.viewer < $1.taken.id.viewer }
        let heads = ready.filter { $0.playhead != nil }.prefix(Self.largestDelivery)
        if !heads.isEmpty { return playheads(of: heads.map(\.taken.id), incarnation) }
        if isEnding { return ready.count == viewers.count && asked.isEmpty ? .end(agent: incarnation) : nil }
        guard !ready.isEmpty else { return nil }
        return .give(agent: incarnation, viewers: ready.prefix(Self.largestDelivery).map(\.taken.id))
    }

    /// A batch: first what was asked before, then what came since. On a new connection a beat comes first.
    mutating func nextClaim(at now: Duration) -> StoreCall? {
        guard let incarnation, !claimLine.needsBeat, maySend(at: now) else { return nil }
        if !unanswered.isEmpty {
            defer { unanswered = Array(unanswered.dropFirst(Self.largestBatch)) }
            return .claim(agent: incarnation, requests: Array(unanswered.prefix(Self.largestBatch)))
        }
        guard !queue.isEmpty else { return nil }
        defer { queue = Array(queue.dropFirst(Self.largestBatch)) }
        return .claim(agent: incarnation, requests: Array(queue.prefix(Self.largestBatch)))
    }

    var claimRequests: [ClaimRequest] {
        guard case .claim(_, let requests)? = claimLine.call?.call else { return [] }
        return requests
    }

    /// Whether a claim has waited for as long as a lease would let it, while beats were answered and claims were not.
    func isOverdue(_ request: ClaimRequest, at now: Duration) -> Bool {
        guard mayBeOverdue(at: now), let since = claimLine.silentSince else { return false }
        return now - max(since, request.beacon.waitsSince) >= timing.lease - timing.margin
    }

    /// Whether claims have not been answered for that long.
    private func mayBeOverdue(at now: Duration) -> Bool {
        guard heedsLease, let since = claimLine.silentSince else { return false }
        return now - since >= timing.lease - timing.margin
    }

    /// What is overdue is not sent any more. A claim that is under way follows when its answer comes, or does not.
    mutating func withdrawOverdueClaims(at now: Duration) -> [AgentEffect] {
        guard mayBeOverdue(at: now) else { return [] }
        let asked = unanswered.filter { isOverdue($0, at: now) }
        let gone = asked + queue.filter { isOverdue($0, at: now) }
        guard !gone.isEmpty else { return [] }
        unanswered = unanswered.filter { !isOverdue($0, at: now) }
        queue = queue.filter { !isOverdue($0, at: now) }
        for request in asked { finish(request, .skipped) }
        return gone.map { .unsent($0.beacon, .storeAway) }
    }

    /// The lease is over: what waits is not sent any more, and a grant that may be there is not used (FLT-12).
    mutating func withdrawClaims() -> [AgentEffect] {
        let asked = claimRequests + unanswered
        let gone = asked + queue
        (unanswered, queue, claimLine.silentSince) = ([], [], nil)
        var effects: [AgentEffect] = []
        if let call = claimLine.call {
            claimLine.call = nil
            (mustBeat, claimLine.needsBeat) = (true, true)
            effects.append(.drop(number: call.number))
        }
        for request in asked { finish(request, .skipped) }
        return effects + gone.map { .unsent($0.beacon, .storeAway) }
    }

    /// Calls whose answers did not come in time: a new connection, a beat, the same claims (FLT-8).
    mutating func dropLateCalls(at now: Duration) -> [AgentEffect] {
        var effects: [AgentEffect] = []
        if let call = claimLine.call, now >= call.askedAt + timing.answer { effects.append(dropClaim(call)) }
        if let call = otherLine.call, now >= patience(with: call) { effects.append(dropOther(call, at: now)) }
        return effects
    }

    /// The connection of a call broke, or none could be made: the same as an answer that does not come, after a pause.
    package mutating func failed(number: Int, at now: Duration) -> [AgentEffect] {
        guard let call = openCall(number) else { return [] }
        pause(call.call) { $0.failed(call.call, at: now) }
        return [call.call.isClaim ? dropClaim(call) : dropOther(call, at: now)] + ticked(at: now)
    }

    /// The call of that number, if its answer is awaited.
    func openCall(_ number: Int) -> OpenCall? {
        [claimLine.call, otherLine.call].compactMap(\.self).first { $0.number == number }
    }

    mutating func dropClaim(_ call: OpenCall) -> AgentEffect {
        var again: [ClaimRequest] = []
        for request in claimRequests { again.append(repeated(request)) }
        unanswered = again + unanswered
        // A grant whose outcome is not known is asked again only where a test removed the guard.
        if removed.contains(.grantUsedOnce) { unanswered += open }
        claimLine.call = nil
        (mustBeat, claimLine.needsBeat) = (true, true)
        return .drop(number: call.number)
    }

    private mutating func repeated(_ request: ClaimRequest) -> ClaimRequest {
        guard removed.contains(.sameNumber), let number = viewers[request.key.viewer]?.nextNumber else {
            return request
        }
        var other = request
        other.number = number
        viewers[request.key.viewer]?.nextNumber = number + 1
        return other
    }

    mutating func dropOther(_ call: OpenCall, at now: Duration) -> AgentEffect {
        otherLine.call = nil
        if !removed.contains(.beatFirst) { mustBeat = true }
        work.mayHaveCome()
        switch call.call {
        case .take, .give, .owned: mustAskOwned = true
        case .claims(_, let viewers, _): wereNotRead(viewers, at: now)
        case .health(_, let rows): for row in rows { viewers[row.viewer]?.healthWasNotSaved(at: now) }
        case .notes(_, let rows): spool.failed(notes: rows.count, from: call.firstRows)
        case .playheads(_, let heads, _): for (id, head) in heads { viewers[id.viewer]?.wasNotSaved(head, in: id) }
        default: break
        }
        return .drop(number: call.number)
    }
}
