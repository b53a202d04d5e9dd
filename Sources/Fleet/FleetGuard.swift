/// What keeps a fleet from sending a beacon twice, or late, or from a session that it cannot read. Tests remove one at a time, and the model
/// check must then find that, or a claim that its own agent could not recognise.
package enum FleetGuard: String, CaseIterable, Sendable {
    /// The claim's check of fence, owner and epoch (FLT-4).
    case ownershipCheck
    /// The row lock of the claim; without it, the check sees the state when the transaction began (FLT-4).
    case rowLock
    /// The successor's reading after its take (FLT-5).
    case readAfterFence
    /// The lock in the give, which waits for claims under way (FLT-4), and the agent's own wait for the store's answers (FLT-6): either is
    /// enough while the other stands.
    case giveLock
    /// Only the very same claim is granted again (FLT-8). Removed together with the check of ownership.
    case ownClaimOnly
    /// Answers wait until the commit is durable (FLT-9).
    case durability
    /// A warning means that there is no answer (FLT-9).
    case warning
    /// A grant is used up by its request (FLT-7).
    case grantUsedOnce
    /// A claim without an answer is asked again under its own number (FLT-8).
    case sameNumber
    /// A new connection begins with a beat, so that nothing is read from a server that cannot commit any more (FLT-1).
    case beatFirst
    /// A session that a later version saved is left to agents that know it.
    case stateVersion
    /// An agent whose protocol the store does not admit any more is refused.
    case protocolRange
    /// An agent counts its lease by its monotonic clock (FLT-12).
    case ownClock
}
