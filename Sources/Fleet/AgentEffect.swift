/// What an agent does next.
package enum AgentEffect: Hashable, Sendable {
    /// Sends a call; its answer comes back under the same number. Claims have a connection of their own.
    case call(StoreCall, number: Int)
    /// Drops the connection of a call whose answer did not come; it is never cancelled (FLT-8).
    case drop(number: Int)
    /// Begins to follow a viewer: its claims were read.
    case follow(StoreAnswer.TakenViewer)
    case forget(ViewerEpoch)
    /// Sends the request of a granted claim, once (FLT-7).
    case send(ClaimRequest)
    /// What was due and is not sent.
    case unsent(DueBeacon, UnsentReason)
    /// The store reports that another agent made a claim which this agent made in this epoch: one of them is at fault.
    case disowned(ClaimRequest)
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

/// A beacon as the session of a viewer lists it.
package struct DueBeacon: Hashable, Sendable {
    package var key: ClaimKey
    package var type: String
    package var url: String

    package init(key: ClaimKey, type: String, url: String) {
        self.key = key
        self.type = type
        self.url = url
    }
}
