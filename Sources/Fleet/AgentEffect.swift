/// What an agent does next.
package enum AgentEffect: Hashable, Sendable {
    /// Sends a call; its answer comes back under the same number. Claims have a connection of their own.
    case call(StoreCall, number: Int)
    /// Drops the connection of a call whose answer did not come; it is never cancelled (FLT-8).
    case drop(number: Int)
    /// Begins to follow a viewer, with what was claimed of it before (FLT-5).
    case follow(StoreAnswer.TakenViewer, claims: [StoredClaim])
    /// The viewer is no longer this agent's: nothing more of it leaves.
    case forget(ViewerEpoch)
    /// The viewer is about to be given: its session claims nothing new, sends what was granted, and ends; then ``FleetAgent/stopped(_:)``.
    case release(ViewerEpoch)
    /// Sends the request of a granted claim, once (FLT-7).
    case send(ClaimRequest)
    /// What was due and is not sent.
    case unsent(DueBeacon, UnsentReason)
    /// The store reports that another agent made a claim which this agent made in this epoch: one of them is at fault.
    case disowned(ClaimRequest)
    /// The agent was fenced and begins again as a new incarnation (FLT-2).
    case fenced
    /// The store does not admit this agent, or is not the one of this fleet: it stops.
    case refused(StoreRefusal)
    /// The incarnation ended in order.
    case ended
}

/// Why a beacon that was due is not sent.
package enum UnsentReason: String, Hashable, Sendable {
    /// The agent has no lease by its own clock (FLT-12).
    case storeAway = "store-away"
    /// The fleet observes.
    case observing
    /// The claims that were read have it (FLT-5).
    case duplicate
    /// Due before the epoch's begin (FLT-3).
    case tooOld = "too-old"
    /// Another claim of that key is there.
    case taken
    /// The viewer belongs to another agent now.
    case lost
}
