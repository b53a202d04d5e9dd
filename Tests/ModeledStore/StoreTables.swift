package import Fleet

/// The tables of the store: what commits, is durable or is lost. Times are by the store's clock.
package struct StoreTables: Hashable, Sendable {
    /// An incarnation of an agent (FLT-1).
    package struct Agent: Hashable, Sendable {
        package var name: String
        package var place: String
        package var leaseUntil: Duration
        package var steadySince: Duration
        package var isFenced = false
        package var isDraining = false
        /// The newest version of saved sessions that it knows, and the one in which it saves them: that of the store when it started.
        package var stateVersion = 1
        package var savesIn = 1
        /// Empty without one.
        package var region = ""
        package var capacity = 2_000
    }

    /// Which call of which owner saved something.
    struct SavingCall: Hashable, Comparable, Sendable {
        var epoch: Int
        var number: Int

        static func < (left: Self, right: Self) -> Bool { (left.epoch, left.number) < (right.epoch, right.number) }
    }

    /// Who follows a viewer.
    package struct Viewer: Hashable, Sendable {
        package var owner: Int?
        /// Raised by every take and give (FLT-3, FLT-6).
        package var epoch = 0
        package var dueFrom: Duration?
        package var playhead: Duration?
        /// When it was there, and how fast it moved.
        package var playheadAt: Duration?
        package var rate = 1.0
        var playheadCall = SavingCall(epoch: 0, number: 0)
        /// What the owner saved of its session.
        package var session: [UInt8] = []
        package var sessionVersion = 0
        var sessionCall = SavingCall(epoch: 0, number: 0)
        package var isRemoved = false
        /// Whose agents alone follow it; empty for anywhere.
        package var region = ""
        /// Nil in models without channels.
        package var channel: FollowedChannel?
        /// The number of the last change of its channel.
        package var changed = 0

        package init() {}
    }

    package var agents: [Int: Agent] = [:]
    package var viewers: [Int: Viewer] = [:]
    package var claims: [ClaimKey: StoredClaim] = [:]
    /// Whether claims are granted at all.
    package var isFiring = true
    package var nextAgent = 1
    /// The number of the last change of the list.
    package var change = 0
    /// The version in which sessions are saved.
    package var stateVersion = 1
    /// The protocols of agents that are admitted; one without an incarnation cannot do anything.
    package var protocols = 1...1
    /// The regions in which agents are started, by their names; without one anywhere.
    package var regions: [String: String] = [:]

    /// - Parameter viewers: how many there are, numbered from 1.
    package init(viewers count: Int) {
        for viewer in 0..<max(0, count) { viewers[viewer + 1] = Viewer() }
    }

    /// Whether an incarnation is known and not fenced.
    package func isAtWork(_ agent: Int) -> Bool { agents[agent]?.isFenced == false }

    package func holding(_ agent: Int) -> Int { viewers.values.count { $0.owner == agent } }

    /// How many viewers each agent should have (FLT-17).
    package var shares: ViewerShares {
        let workers = agents.filter { !$0.value.isFenced && !$0.value.isDraining }.map { id, agent in
            ViewerShares.Worker(
                id, region: agent.region, capacity: agent.capacity, isAble: agent.stateVersion >= stateVersion)
        }
        return ViewerShares(workers, wanted: count { !$0.isRemoved })
    }

    /// Viewers that meet a condition, by region.
    package func count(where isCounted: (Viewer) -> Bool) -> [String: Int] {
        viewers.values.filter(isCounted).reduce(into: [:]) { $0[$1.region, default: 0] += 1 }
    }

    /// Viewers without an owner or with a fenced one, lowest first.
    package var free: [Int] {
        viewers.filter { !$0.value.isRemoved && ($0.value.owner.map { !isAtWork($0) } ?? true) }.keys.sorted()
    }

    package func owns(_ agent: Int, _ id: ViewerEpoch) -> Bool {
        viewers[id.viewer].map { $0.owner == agent && $0.epoch == id.epoch } ?? false
    }
}
