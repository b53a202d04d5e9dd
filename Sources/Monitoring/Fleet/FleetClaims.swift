import AdTracking
import Fleet
import Ports
import Session

/// What the journals of sessions ask of the agent, and tell it.
extension FleetRuntime {
    /// Asks for claims; returns when each is granted or refused.
    func claim(_ beacons: [DueBeacon], of id: ViewerEpoch) async -> [ClaimVerdict] {
        guard !life.isOver, followers[id.viewer]?.id == id else { return beacons.map { _ in .refused(.notOwner) } }
        return await withCheckedContinuation { continuation in
            let asked = claims.add(beacons, of: id, at: time.now().uptime, continuation)
            act { $0.becameDue(asked, at: $1) }
        }
    }

    /// Where a viewer is; nil where that is not known.
    func mediaDate(of id: ViewerEpoch) -> UnixTime? {
        agent.mediaDate(of: id, at: time.now().uptime).map { UnixTime(microseconds: $0.inMicroseconds) }
    }

    /// Requests of granted claims ended.
    func ended(_ ended: [StoredClaim]) {
        act { agent, now in
            for claim in ended {
                agent.ended(claim.request, claim.outcome ?? .unknown, status: claim.status, took: claim.took)
            }
            return agent.ticked(at: now)
        }
    }

    func noteUnsent(_ rows: [UnsentRow]) {
        act {
            $0.noteUnsent(rows)
            return $0.ticked(at: $1)
        }
    }

    /// What happened to a session goes to the store with the next tick.
    func note(_ rows: [NoteRow]) { agent.note(rows) }

    /// Hands on what the session of a viewer is; returns when the store has it, or cannot be reached in time.
    func keep(_ state: [UInt8], of id: ViewerEpoch) async {
        act {
            $0.noteSession(state, of: id)
            return $0.ticked(at: $1)
        }
        guard !life.isOver, !mayOpen(id) else { return }
        await withCheckedContinuation { openings.append((id, $0)) }
    }

    /// Without a lease nothing is claimed, so nothing has to be known of the session yet.
    private func mayOpen(_ id: ViewerEpoch) -> Bool {
        agent.hasSavedSession(of: id) || !agent.maySend(at: time.now().uptime)
    }

    func resumeOpenings() {
        guard !openings.isEmpty else { return }
        let ready = openings.filter { mayOpen($0.id) }
        openings.removeAll { mayOpen($0.id) }
        for opening in ready { opening.continuation.resume() }
    }
}
