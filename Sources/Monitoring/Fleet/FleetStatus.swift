package import Fleet
package import Session

/// How an agent is, for people and metrics.
package struct FleetStatus: Hashable, Sendable {
    package var name: String
    /// The id of the incarnation; nil without one.
    package var incarnation: Int?
    package var holding: Int
    package var isDraining: Bool
    /// Whether the fleet sends.
    package var isFiring: Bool
    /// How long nothing could be sent; nil while there is a lease and claims are answered.
    package var storeAway: Duration?
    /// Time to the end of sending; nil without a lease.
    package var leaseLeft: Duration?
    package var load: AgentLoad
    /// Viewers by what the agent does with them.
    package var viewers: [String: Int] = [:]
    /// How long claims waited for their grants.
    package var claimWaits = DelayHistogram()
    package var counters = FleetCounters()
    /// What was dropped because the spool was full.
    package var dropped = SpoolCount()

    /// The line at the top of a screen and of the log; nil while the agent sends.
    package var header: String? {
        if let storeAway { return "OBSERVE store away \(storeAway.components.seconds) s" }
        if !isFiring { return "OBSERVE the fleet observes" }
        return isDraining ? "DRAINING \(holding) left" : nil
    }
}

/// What an agent did since its process began.
package struct FleetCounters: Hashable, Sendable {
    /// Claims by result: `granted`, or the raw value of a `ClaimRefusal`.
    package var claims: [String: Int] = [:]
    package var takes = 0
    package var gives = 0
    /// How often this agent was fenced.
    package var fenced = 0
    /// Calls that failed, by SQLSTATE.
    package var storeErrors: [String: Int] = [:]

    package init() {}
}
