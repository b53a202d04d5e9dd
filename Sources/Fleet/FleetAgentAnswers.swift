/// What the store answered.
extension FleetAgent {
    /// An answer came. One with a warning before it is none (FLT-9); so is one of a call that was dropped.
    package mutating func answered(
        _ answer: StoreAnswer, number: Int, hasWarning: Bool = false, at now: Duration
    ) -> [AgentEffect] {
        guard let call = openCall(number) else { return ticked(at: now) }
        // What the call does not return says nothing of it.
        guard call.call.mayHave(answer) else { return failed(number: number, at: now) }
        if hasWarning, !removed.contains(.warning) {
            return [call.call.isClaim ? dropClaim(call) : dropOther(call, at: now)] + ticked(at: now)
        }
        if case .refused(.notDurable) = answer {
            let end = now + timing.beat
            pause(call.call) { $0.until = end }
        } else {
            pause(call.call) { $0.succeeded(call.call) }
        }
        // Viewers are given when their last claim is answered.
        if call.call.bringsWork || orders.isDraining { work.mayHaveCome() }
        if call.call.isClaim { return claimAnswered(call, answer, at: now) + ticked(at: now) }
        otherLine.call = nil
        return otherAnswered(call, answer, at: now) + ticked(at: now)
    }

    /// Changes the pause of the connection of a call: claims may fail while everything else is answered.
    mutating func pause(_ call: StoreCall, _ change: (inout CallPause) -> Void) {
        if call.isClaim { change(&claimLine.pause) } else { change(&otherLine.pause) }
    }

    private mutating func claimAnswered(_ call: OpenCall, _ answer: StoreAnswer, at now: Duration) -> [AgentEffect] {
        guard case .claim(_, let requests) = call.call else { return [] }
        defer {
            claimLine.call = nil
            if answer != .refused(.notDurable) { claimLine.silentSince = nil }
        }
        switch answer {
        case .claimed(let results):
            return zip(requests, results).flatMap { claimed($0, $1, at: now) }
        case .refused(.fenced): return beginAgain(at: now)
        // Nothing was granted, but an earlier asking of the same claim may have been.
        case .refused(.observing):
            orders.isFiring = false
            return requests.flatMap { skip($0, .observing) }
        case .refused(let refusal) where refusal.isFinal:
            return requests.flatMap { skip($0, .storeAway) } + [.refused(refusal)]
        default: return [dropClaim(call)]
        }
    }

    private mutating func skip(_ request: ClaimRequest, _ reason: UnsentReason) -> [AgentEffect] {
        finish(request, .skipped)
        return [.unsent(request.beacon, reason)]
    }

    private mutating func claimed(_ request: ClaimRequest, _ result: ClaimResult, at now: Duration) -> [AgentEffect] {
        let beacon = request.beacon
        switch result {
        case .granted where maySend(at: now) && !isOverdue(request, at: now):
            if removed.contains(.grantUsedOnce) { open.append(request) }
            if viewers[beacon.key.viewer]?.phase == .giving { viewers[beacon.key.viewer]?.grantedAt = now }
            return [.send(request)]
        case .granted: return skip(request, .storeAway)
        case .taken: return [.unsent(beacon, .taken)] + (disowns(request) ? [.disowned(request)] : [])
        case .tooOld: return [.unsent(beacon, .tooOld)]
        case .notOwner:
            mustAskOwned = true
            return [.unsent(beacon, .lost)]
        }
    }

    /// A grant came for which no session waits any more: nothing of its request left. Where the viewer is still this agent's, its successor may
    /// try again what failed for sure, if it reads that before (FLT-5).
    package mutating func unused(_ request: ClaimRequest, at now: Duration) {
        let viewer = request.key.viewer
        guard viewers[viewer]?.taken.id.epoch == request.epoch else { return ended(request, .skipped) }
        viewers[viewer]?.unused.insert(request.key)
        viewers[viewer]?.unusedUntil = now + Self.releaseLimit
        ended(request, .failed)
    }

    /// The epoch is still this agent's, so no other agent can have claimed what it did not know of.
    private func disowns(_ request: ClaimRequest) -> Bool {
        viewers[request.key.viewer].map { $0.taken.id.epoch == request.epoch && $0.phase != .reading } ?? false
    }

    private mutating func otherAnswered(_ call: OpenCall, _ answer: StoreAnswer, at now: Duration) -> [AgentEffect] {
        switch (call.call, answer) {
        case (_, .refused(.fenced)): return beginAgain(at: now)
        case (_, .refused(let refusal)) where refusal.isFinal:
            nextBeat = now + timing.beat
            return [.refused(refusal)]
        case (.start, .started(let agent, let terms)):
            incarnation = agent
            (timing.lease, timing.beat, orders.isFiring) = (terms.lease, terms.beat, terms.isFiring)
            mustBeat = true
        case (.start, _): nextBeat = now + timing.beat
        case (.beat, .beat(let beat)): return beaten(beat, call, at: now)
        case (.take, .taken(let taken)): for viewer in taken { viewers[viewer.id.viewer] = FollowedViewer(viewer) }
        case (.claims(_, let read, _), .claims(let claims)): return wereRead(read, claims)
        case (.owned, .owned(let owned)): return reconcile(Set(owned))
        case (.outcomes(let sent), .done):
            spool.delivered(SpoolCount(outcomes: sent.count), from: call.firstRows)
            for claim in sent { viewers[claim.request.key.viewer]?.unused.remove(claim.request.key) }
        case (.unsent(_, let sent), .done): spool.delivered(SpoolCount(unsent: sent.count), from: call.firstRows)
        case (.notes(_, let sent), .done): spool.delivered(SpoolCount(notes: sent.count), from: call.firstRows)
        case (.sessions(_, let states, _), .done):
            for (id, state) in states where viewers[id.viewer]?.taken.id == id && viewers[id.viewer]?.session == state {
                viewers[id.viewer]?.session = nil
            }
        case (.give(_, let given), .done):
            for id in given where viewers[id.viewer]?.taken.id == id { viewers[id.viewer] = nil }
        case (.channels, .channels(let channels, let unwanted)):
            orders.seenChange = orders.heardChange
            return listChanged(channels, unwanted: Set(unwanted), at: now)
        case (.end, .done):
            (viewers, incarnation, leaseEnd, ending.isOver) = ([:], nil, nil, true)
            return [.ended]
        default: break
        }
        return []
    }

    private mutating func beaten(_ beat: StoreAnswer.Beat, _ call: OpenCall, at now: Duration) -> [AgentEffect] {
        (mustBeat, claimLine.needsBeat) = (false, false)
        nextBeat = call.askedAt + timing.beat
        leaseEnd = call.askedAt + timing.lease
        // What was observed until now is not sent by a successor.
        if beat.isFiring, !orders.isFiring { for id in viewers.keys { viewers[id]?.savedPlayhead = nil } }
        (orders.isDraining, orders.isFiring) = (beat.isDraining, beat.isFiring)
        orders.want = max(0, beat.want)
        orders.heardChange = beat.change
        orders.watched = beat.watched
        // Viewers that are taken from now on come with the list as it is.
        if orders.seenChange == nil { orders.seenChange = beat.change }
        if beat.holding != viewers.count { mustAskOwned = true }
        let giving = viewers.values.count { $0.phase == .giving }
        return give(Array(givable.prefix(max(0, -beat.want - giving))), at: now)
    }

    /// Viewers that may be given, in that order: those of any region first, because fewer agents can take the others (FLT-17); before
    /// those that are followed those that are not yet, which cost no session; and before those with an ad on air those without. One that can
    /// never be read must not keep a drain from ending.
    private var givable: [ViewerEpoch] {
        let viewers = viewers.values.filter { $0.phase != .giving }.sorted { one, other in
            let (first, second) = (one.taken, other.taken)
            guard first.region.isEmpty == second.region.isEmpty else { return first.region.isEmpty }
            guard one.phase == other.phase else { return one.phase == .reading }
            guard one.isOnAir == other.isOnAir else { return other.isOnAir }
            return first.id.viewer > second.id.viewer
        }
        return viewers.map(\.taken.id)
    }

    /// Stops claiming for viewers. What is queued for them and was not asked is left to the successor (FLT-6).
    mutating func give(_ ids: [ViewerEpoch], at now: Duration) -> [AgentEffect] {
        work.mayHaveCome()
        return ids.flatMap { id -> [AgentEffect] in
            let isFollowed = viewers[id.viewer]?.phase == .following
            viewers[id.viewer]?.phase = .giving
            guard isFollowed else { return [] }
            viewers[id.viewer]?.releasedAt = now
            return [.release(id)] + abandon { $0.key.viewer == id.viewer }
        }
    }

    /// Viewers that are no longer wanted, or whose channel is another one now, are given; the agent that takes them reads the list again.
    private mutating func listChanged(
        _ channels: [FollowedChannel], unwanted: Set<ViewerEpoch>, at now: Duration
    ) -> [AgentEffect] {
        let changed = Dictionary(channels.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        let gone = viewers.values.filter { $0.phase != .giving }.filter { viewer in
            if unwanted.contains(viewer.taken.id) { return true }
            guard let own = viewer.taken.channel, let new = changed[own.id] else { return false }
            return new.url != own.url || new.options != own.options
        }
        return give(gone.map(\.taken.id).sorted { $0.viewer < $1.viewer }, at: now)
    }

    /// Claims in the queue that were never asked.
    private mutating func abandon(where isGone: (ClaimRequest) -> Bool) -> [AgentEffect] {
        let gone = queue.filter(isGone)
        queue.removeAll(where: isGone)
        return gone.map { .unsent($0.beacon, .lost) }
    }

    /// The store says what this agent owns: what it does not follow is given, what it lost is stopped (FLT-3).
    private mutating func reconcile(_ owned: Set<ViewerEpoch>) -> [AgentEffect] {
        mustAskOwned = false
        let lost = viewers.values.map(\.taken.id).filter { !owned.contains($0) }.sorted { $0.viewer < $1.viewer }
        for id in lost { viewers[id.viewer] = nil }
        for id in owned where viewers[id.viewer] == nil {
            var unknown = FollowedViewer(.init(id: id, dueFrom: nil, playhead: nil))
            unknown.phase = .giving
            viewers[id.viewer] = unknown
        }
        let viewers = viewers
        unanswered.removeAll { viewers[$0.key.viewer]?.taken.id.epoch != $0.epoch }
        return lost.map { .forget($0) } + abandon { viewers[$0.key.viewer]?.taken.id.epoch != $0.epoch }
    }

    /// Fenced: forgets all viewers at once and begins as a new incarnation with none (FLT-2). Outcomes stay: they are facts.
    private mutating func beginAgain(at now: Duration) -> [AgentEffect] {
        let lost = holding
        let gone = abandon { _ in true }
        (viewers, unanswered, incarnation, leaseEnd, claimLine.silentSince) = ([:], [], nil, nil, nil)
        (claimLine.call, otherLine.call, mustAskOwned, orders.want) = (nil, nil, false, 0)
        (orders.watched, orders.pictures) = ([], [:])
        (mustBeat, nextBeat, orders.isDraining) = (true, now, false)
        guard !isEnding else {
            ending.isOver = true
            return lost.map { .forget($0) } + gone + [.ended]
        }
        return [.fenced] + lost.map { .forget($0) } + gone
    }
}
