package import Ports

/// Something that is wrong with a fleet, or that a person should know.
package struct FleetProblem: Hashable, Sendable {
    /// What it is; the raw value is its code in JSON.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case noAgentInRegion = "no-agent-in-region"
        case viewersWaiting = "viewers-waiting"
        case viewersOrphaned = "viewers-orphaned"
        case agentSilent = "agent-silent"
        case agentBehind = "agent-behind"
        case durability
        case noStandby = "no-standby"
        case partitionMissing = "partition-missing"
        case partitionKept = "partition-kept"
        case upkeep
        case spool
        case versions
        case failingChannels = "failing-channels"
        case clockSkew = "clock-skew"
        case modeObserve = "mode-observe"

        package var severity: Severity {
            switch self {
            case .noAgentInRegion, .viewersOrphaned, .durability, .noStandby: .error
            case .viewersWaiting, .agentSilent, .agentBehind, .partitionMissing, .partitionKept, .upkeep, .spool,
                .versions, .failingChannels:
                .warning
            case .clockSkew, .modeObserve: .info
            }
        }
    }

    package var code: Code
    /// One line without a period.
    package var words: String
    /// The agent or region that it is about; empty for none.
    package var subject: String
    /// The same while it lasts; its words may count seconds.
    package var id: String { "\(code.rawValue) \(subject)" }

    package init(_ code: Code, _ words: String, of subject: String = "") {
        self.code = code
        self.words = words
        self.subject = subject
    }
}

extension FleetOverview {
    /// How long a viewer may be without an agent before it is a problem: a take-over lasts at most 11 s.
    static let patience = Duration.seconds(15)

    /// What is wrong, errors first, in the order of the codes.
    package var problems: [FleetProblem] {
        let all = viewerProblems + agentProblems + storeProblems
        return [Severity.error, .warning, .info].flatMap { severity in
            all.filter { $0.code.severity == severity }
        }
    }

    /// 0, or 1 where a problem is a warning or an error.
    package var exitCode: Int32 { problems.contains { $0.code.severity != .info } ? 1 : 0 }

    private var viewerProblems: [FleetProblem] {
        var problems: [FleetProblem] = []
        // Those of a region whose last agent died keep their owner until one takes them.
        for region in regions where region.waiting + region.orphaned > 0 {
            let isServed = region.name.isEmpty ? agents.contains(where: \.isAtWork) : !agents(in: region.name).isEmpty
            guard !isServed else { continue }
            let viewers = (region.waiting + region.orphaned).counted("viewer")
            let words =
                region.name.isEmpty
                ? "no agent is at work for \(viewers); start one"
                : "region '\(region.name)' has no agent for \(viewers); start one with --region \(region.name)"
            problems.append(FleetProblem(.noAgentInRegion, words, of: region.name))
        }
        if viewers.waiting > 0, viewers.longestWait > Self.patience {
            let region = regions.max { $0.waiting < $1.waiting }?.name ?? ""
            let advice = region.isEmpty ? "add capacity" : "add capacity in region \(region)"
            problems.append(
                FleetProblem(
                    .viewersWaiting,
                    "\(viewers.waiting.counted("viewer")) without an agent for \(viewers.longestWait.wholeSeconds); \(advice)"
                ))
        }
        if orphaned > 0, longestOrphaned > Self.patience {
            let span = longestOrphaned.wholeSeconds
            problems.append(
                FleetProblem(
                    .viewersOrphaned,
                    "\(orphaned.counted("viewer")) of ended agents not taken over for \(span); start an agent"))
        }
        if viewers.failingChannels > 0 {
            problems.append(
                FleetProblem(.failingChannels, "\(viewers.failingChannels.counted("channel")) with a problem"))
        }
        return problems
    }

    private var agentProblems: [FleetProblem] {
        var problems = agents(.silent).map { agent in
            FleetProblem(
                .agentSilent, "agent '\(agent.name)' has not beaten for \(agent.beatAge.wholeSeconds)", of: agent.name)
        }
        for agent in agents where agent.isAtWork {
            if let silence = agent.load.silence {
                let why = silence.words.map { " (\($0))" } ?? ""
                problems.append(
                    FleetProblem(
                        .agentBehind,
                        "agent '\(agent.name)' has had no answer to its claims for \(silence.span.wholeSeconds)\(why)",
                        of: agent.name))
            } else if let p99 = agent.load.claimP99, p99 > .seconds(1) {
                problems.append(
                    FleetProblem(
                        .agentBehind, "agent '\(agent.name)' waits \(p99.text) for its claims (p99)", of: agent.name))
            } else if let queue = agent.load.queue, queue > 1_000 {
                problems.append(
                    FleetProblem(
                        .agentBehind, "agent '\(agent.name)' has \(Int(clamping: queue).grouped) claims waiting",
                        of: agent.name))
            }
            if let bytes = agent.load.spoolBytes, bytes > FleetSpool.largest / 2 {
                problems.append(
                    FleetProblem(
                        .spool, "the spool of agent '\(agent.name)' is over half full: \(bytes >> 20) MiB",
                        of: agent.name))
            }
        }
        let versions = Set(agents.filter(\.isAtWork).map(\.version)).sorted()
        if versions.count > 2 {
            problems.append(
                FleetProblem(.versions, "\(versions.count) versions are at work: \(versions.joined(separator: ", "))"))
        }
        return problems
    }

    private var storeProblems: [FleetProblem] {
        var problems: [FleetProblem] = []
        // A standby does not know what its primary requires, nor who else follows it.
        let isStrict = store.durability == "strict" && !store.isStandby
        if isStrict, !store.namesStandbys {
            problems.append(
                FleetProblem(
                    .durability, "durability is strict and synchronous_standby_names is empty: no claim is granted"))
        } else if isStrict, store.standbys == 0 {
            problems.append(FleetProblem(.noStandby, "durability is strict and no standby is connected: claims hang"))
        }
        if !store.isTomorrowThere {
            problems.append(FleetProblem(.partitionMissing, "tomorrow has no partition yet; agents make it"))
        }
        if let day = store.keptDays.first {
            problems.append(
                FleetProblem(
                    .partitionKept, "\(store.keptDays.count.counted("day")) kept beyond the retention, since \(day)"))
        }
        if let age = store.upkeepAge {
            if age > .seconds(600) {
                problems.append(
                    FleetProblem(.upkeep, "no agent has looked after the partitions for \(age.wholeSeconds)"))
            }
        } else {
            problems.append(FleetProblem(.upkeep, "no agent has looked after the partitions yet"))
        }
        if store.clockSkew > .seconds(2) || store.clockSkew < .seconds(-2) {
            problems.append(
                FleetProblem(
                    .clockSkew, "the store's clock differs from this one by \(store.clockSkew.inMilliseconds) ms"))
        }
        if store.mode != "fire" { problems.append(FleetProblem(.modeObserve, "the fleet observes: no beacon is sent")) }
        return problems
    }
}

extension Duration {
    /// Without a fraction, which says nothing where a span is long: `47m49s`.
    fileprivate var wholeSeconds: String { Duration.seconds(components.seconds).text }
}
