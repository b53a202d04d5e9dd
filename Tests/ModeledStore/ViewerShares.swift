/// How many viewers each agent should have, as `fleet.agent_beat` computes it (FLT-17).
package struct ViewerShares: Hashable, Sendable {
    /// An agent at work that is to give none.
    package struct Worker: Hashable, Sendable {
        package var agent: Int
        /// Empty without one.
        package var region: String
        package var capacity: Int
        /// Whether it knows the version in which sessions are saved.
        package var isAble: Bool

        package init(_ agent: Int, region: String = "", capacity: Int, isAble: Bool = true) {
            self.agent = agent
            self.region = region
            self.capacity = capacity
            self.isAble = isAble
        }
    }

    /// What one agent should have.
    package struct Share: Hashable, Sendable {
        /// Number of viewers of its own region, which agents of other regions may not follow.
        package var own: Int
        /// Number of all viewers, those without a region included.
        package var all: Int
    }

    /// The agents of a region, which share its viewers by capacity.
    private struct Region {
        /// Sum of their capacities, and the part of it that viewers of the region fill; the rest is room for those of any region.
        var strength: Int
        var filled: Int
    }

    private var shares: [Int: Share] = [:]

    /// - Parameter wanted: viewers of the list by region; those of any region under an empty name.
    package init(_ workers: [Worker], wanted: [String: Int]) {
        let sharing = workers.filter { worker in
            worker.isAble || !workers.contains { $0.region == worker.region && $0.isAble }
        }
        let isAnyAble = sharing.contains(where: \.isAble)
        let regions = Dictionary(grouping: sharing, by: \.region).map { name, members in
            let strength = members.reduce(0) { $0 + $1.capacity }
            return (name, Region(strength: strength, filled: name.isEmpty ? 0 : min(wanted[name] ?? 0, strength)))
        }
        let byName = Dictionary(uniqueKeysWithValues: regions)
        // All agents of a region that share are able, or none is.
        func hasRoom(_ worker: Worker) -> Bool { worker.isAble || !isAnyAble }
        let open = Set(sharing.filter(hasRoom).map(\.region))
        let room = max(1, byName.filter { open.contains($0.key) }.values.reduce(0) { $0 + $1.strength - $1.filled })
        let any = wanted[""] ?? 0
        for worker in sharing {
            guard let region = byName[worker.region] else { continue }
            // In proportion to its capacity; fractions are not rounded before the end.
            let rest = hasRoom(worker) ? any * (region.strength - region.filled) : 0
            let own = Self.quotient(worker.capacity * region.filled, region.strength)
            let all = Self.quotient(worker.capacity * (region.filled * room + rest), region.strength * room)
            shares[worker.agent] = Share(own: own, all: min(all, worker.capacity))
        }
    }

    /// Nothing for an agent that does not share.
    package subscript(agent: Int) -> Share { shares[agent] ?? Share(own: 0, all: 0) }

    /// Rounded up.
    private static func quotient(_ dividend: Int, _ divisor: Int) -> Int { (dividend + divisor - 1) / max(1, divisor) }
}
