/// The last step of an upgrade: which protocol agents must follow at least, and in which version sessions are saved. Both rise only when
/// every agent at work knows the new ones.
package struct FleetUpgrade: Hashable, Sendable {
    /// The lowest protocol that is admitted, and the version of saved sessions.
    package struct Level: Hashable, Sendable {
        package var protocolVersion: Int
        package var stateVersion: Int

        package init(protocolVersion: Int, stateVersion: Int) {
            (self.protocolVersion, self.stateVersion) = (protocolVersion, stateVersion)
        }

        /// That of this program.
        package static let own = Level(
            protocolVersion: StoreProblem.ownProtocol, stateVersion: StoreProblem.ownStateVersion)
    }

    package let level: Level
    /// What the store would have after it; it never lowers.
    package let target: Level
    /// Agents at work that do not know the target, or have not reported that they do, as the reading has them.
    package let behind: [FleetOverview.Agent]

    /// - Parameter own: that of the program which finishes.
    package init(_ store: FleetOverview.Store, agents: [FleetOverview.Agent], to own: Level = .own) {
        level = Level(protocolVersion: store.protocols.lowest, stateVersion: store.stateVersion)
        let target = Level(
            protocolVersion: max(level.protocolVersion, own.protocolVersion),
            stateVersion: max(level.stateVersion, own.stateVersion))
        self.target = target
        behind = agents.filter {
            $0.isAtWork
                && ($0.protocolVersion < target.protocolVersion
                    || ($0.load.stateVersion ?? .min) < Int64(target.stateVersion))
        }
    }

    /// Whether there is nothing to raise.
    package var isFinished: Bool { level == target }

    /// The sentence about agents that are behind; nil where none is.
    /// - Parameter version: that of this program.
    package func refusal(version: String) -> String? {
        guard !behind.isEmpty else { return nil }
        let names = behind.prefix(Self.named).map { agent in
            "\(agent.name) (adtop \(agent.version)\(agent.load.stateVersion == nil ? ", nothing reported" : ""))"
        }
        let more = behind.count > Self.named ? " and \(behind.count - Self.named) more" : ""
        return """
            agent: older agents are at work: \(names.joined(separator: ", "))\(more); drain each, and start it with \
            adtop \(version)
            """
    }

    /// Agents that a sentence names.
    private static let named = 5
}

extension FleetUpgrade.Level {
    /// In words: `protocol 1, sessions saved in version 1`.
    package var words: String { "protocol \(protocolVersion), sessions saved in version \(stateVersion)" }
}
