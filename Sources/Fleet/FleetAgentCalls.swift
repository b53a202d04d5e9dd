/// Which call comes next.
extension FleetAgent {
    mutating func nextOtherCall(at now: Duration) -> StoreCall? {
        guard let incarnation else { return now >= nextBeat ? .start(name: name, place: place) : nil }
        if mustBeat || now >= nextBeat { return .beat(agent: incarnation) }
        if mustAskOwned { return .owned(agent: incarnation) }
        let unread = viewers.values.filter { $0.phase == .reading }.map(\.taken.id.viewer).sorted()
        if !unread.isEmpty { return .claims(agent: incarnation, viewers: unread) }
        if !spool.isEmpty { return .outcomes(Array(spool.prefix(500))) }
        if want > 0 {
            defer { want = 0 }
            return .take(agent: incarnation, count: want)
        }
        return nextGive(incarnation)
    }

    /// Viewers whose claims the store has all answered; their playheads go first (FLT-6).
    private mutating func nextGive(_ incarnation: Int) -> StoreCall? {
        let asked = removed.contains(.giveLock) ? [] : Set((claimRequests + unanswered).map(\.key.viewer))
        let ready = viewers.values.filter { $0.phase == .giving && !asked.contains($0.taken.id.viewer) }
        guard !ready.isEmpty else { return nil }
        var heads: [ViewerEpoch: Duration] = [:]
        for viewer in ready {
            guard let head = viewer.playhead else { continue }
            heads[viewer.taken.id] = head
            viewers[viewer.taken.id.viewer]?.playhead = nil
        }
        if !heads.isEmpty { return .playheads(agent: incarnation, heads: heads) }
        return .give(agent: incarnation, viewers: ready.map(\.taken.id).sorted { $0.viewer < $1.viewer })
    }

    /// A batch: first what was asked before, then what came since. On a new connection a beat comes first.
    mutating func nextClaim(at now: Duration) -> StoreCall? {
        guard let incarnation, !mustBeat, maySend(at: now) else { return nil }
        if !unanswered.isEmpty {
            defer { unanswered = Array(unanswered.dropFirst(Self.largestBatch)) }
            return .claim(agent: incarnation, requests: Array(unanswered.prefix(Self.largestBatch)))
        }
        guard !queue.isEmpty else { return nil }
        defer { queue = Array(queue.dropFirst(Self.largestBatch)) }
        return .claim(agent: incarnation, requests: Array(queue.prefix(Self.largestBatch)))
    }

    private var claimRequests: [ClaimRequest] {
        guard case .claim(_, let requests)? = claimCall?.call else { return [] }
        return requests
    }

    /// Calls whose answers did not come in time: a new connection, a beat, the same claims (FLT-8).
    mutating func dropLateCalls(at now: Duration) -> [AgentEffect] {
        var effects: [AgentEffect] = []
        if let call = claimCall, now >= call.askedAt + timing.answer { effects.append(dropClaim(call)) }
        if let call = otherCall, now >= call.askedAt + timing.answer { effects.append(dropOther(call)) }
        return effects
    }

    mutating func dropClaim(_ call: OpenCall) -> AgentEffect {
        var again: [ClaimRequest] = []
        for request in claimRequests { again.append(repeated(request)) }
        unanswered = again + unanswered
        // A grant whose outcome is not known is asked again only where a test removed the guard.
        if removed.contains(.grantUsedOnce) { unanswered += open }
        claimCall = nil
        mustBeat = true
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

    mutating func dropOther(_ call: OpenCall) -> AgentEffect {
        otherCall = nil
        mustBeat = true
        switch call.call {
        case .take, .give, .owned: mustAskOwned = true
        default: break
        }
        return .drop(number: call.number)
    }
}
