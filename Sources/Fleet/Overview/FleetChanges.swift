package import Ports

/// What happened in a fleet between two readings, one line each.
package struct FleetChange: Hashable, Sendable {
    package var severity: Severity
    package var words: String

    package init(_ severity: Severity, _ words: String) {
        self.severity = severity
        self.words = words
    }

    /// - Parameter old: nil before the first reading; then only problems are news.
    package static func between(_ old: FleetReading?, _ new: FleetReading) -> [FleetChange] {
        var changes: [FleetChange] = []
        if let old {
            changes += agents(old.overview, new.overview)
            if old.overview.store.mode != new.overview.store.mode {
                changes.append(FleetChange(.info, "mode: \(new.overview.store.mode)"))
            }
            changes += moves(old, new)
        }
        return changes + problems(old?.overview.problems ?? [], new.overview.problems)
    }

    private static func agents(_ old: FleetOverview, _ new: FleetOverview) -> [FleetChange] {
        let before = Dictionary(old.agents.map { ($0.id, $0.state) }, uniquingKeysWith: { first, _ in first })
        return new.agents.compactMap { agent in
            guard let state = before[agent.id] else {
                return agent.isAtWork ? FleetChange(.info, "agent '\(agent.name)' started at \(agent.place)") : nil
            }
            guard state != agent.state else { return nil }
            switch agent.state {
            case .alive: return FleetChange(.info, "agent '\(agent.name)' is alive")
            case .draining: return FleetChange(.info, "agent '\(agent.name)' is draining")
            case .silent: return FleetChange(.warning, "agent '\(agent.name)' is silent: its lease is over")
            case .fenced: return FleetChange(.error, "agent '\(agent.name)' was fenced: others take its viewers")
            case .ended: return FleetChange(.info, "agent '\(agent.name)' ended in order")
            }
        }
    }

    /// `25 viewers of 'a2' taken: 'a1' 13, 'a3' 12`
    private static func moves(_ old: FleetReading, _ new: FleetReading) -> [FleetChange] {
        let before = Dictionary(old.viewers.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var counts: [String: [String: Int]] = [:]
        for viewer in new.viewers {
            guard let agent = viewer.agent, let earlier = before[viewer.id], earlier.epoch != viewer.epoch else {
                continue
            }
            counts[earlier.agent ?? "", default: [:]][agent, default: 0] += 1
        }
        return counts.sorted { $0.key < $1.key }.map { former, takers in
            let count = takers.values.reduce(0, +).counted("viewer")
            let by = takers.sorted { $0.key < $1.key }.map { "'\($0.key)' \($0.value)" }.joined(separator: ", ")
            return FleetChange(.info, count + (former.isEmpty ? "" : " of '\(former)'") + " taken: \(by)")
        }
    }

    private static func problems(_ old: [FleetProblem], _ new: [FleetProblem]) -> [FleetChange] {
        let (before, after) = (Set(old.map(\.id)), Set(new.map(\.id)))
        let begun = new.filter { !before.contains($0.id) }.map { problem in
            FleetChange(problem.code.severity, "\(problem.code.rawValue): \(problem.words)")
        }
        let over = old.filter { !after.contains($0.id) }.map { problem in
            FleetChange(
                .info, "\(problem.code.rawValue): over" + (problem.subject.isEmpty ? "" : " ('\(problem.subject)')"))
        }
        return begun + over
    }
}
