import ArgumentParser
import Fleet
import Live
import Ports

/// `adtop fleet drain AGENT`
struct FleetDrainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "Make an agent hand all its viewers over, or take some again.",
        discussion: """
            The agent stays idle until it is stopped, or until --off.

            Examples:
              adtop fleet drain a1
              adtop fleet drain a1 --off

            Exit codes: 0 success, 2 usage error or unknown agent, 3 store not reached or no rights, 4 no fleet.
            """)

    @Argument(help: "Name of an agent.") var agent: String
    @Flag(help: "The agent takes viewers again.") var off = false

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let register = try await store.open(for: .operate)
        let holding = try await withStoreProblems { () async throws(StoreProblem) in
            try await register.drain(agent, isOn: !off)
        }
        guard let holding else {
            let names = try await withStoreProblems { () async throws(StoreProblem) in
                try await register.agents().filter(\.isAtWork).map(\.name)
            }
            let atWork = names.isEmpty ? "none is at work" : "at work are \(names.joined(separator: ", "))"
            throw CommandFailure(.usage, "agent: there is no '\(agent)' at work; \(atWork)")
        }
        Output.line(
            off ? "'\(agent)' takes viewers again" : "'\(agent)' hands over \(holding.counted("viewer"))")
    }
}

/// `adtop fleet mode [fire|observe]`
struct FleetModeCommand: AsyncParsableCommand {
    /// Whether claims are granted.
    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case fire, observe
    }

    static let configuration = CommandConfiguration(
        commandName: "mode",
        abstract: "Print or set whether the fleet sends beacons.",
        discussion: """
            In observe, no agent sends a beacon, whatever a channel's options are. A person is asked before it changes.

            Examples:
              adtop fleet mode
              adtop fleet mode fire
              adtop fleet mode observe --yes

            Exit codes: 0 success, 2 usage error, 3 store not reached or no rights, 4 no fleet, 5 not confirmed.
            """)

    @Argument(help: "fire or observe; without it the mode is printed.") var mode: Mode?
    @Flag(help: "Do not ask.") var yes = false

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let register = try await store.open(for: mode == nil ? .read : .operate)
        let facts = try await withStoreProblems { () async throws(StoreProblem) in try await register.store().store }
        guard let mode, mode.rawValue != facts.mode else {
            Output.line(facts.mode)
            return
        }
        try Confirmation.require(
            mode == .fire
                ? "All agents of the fleet will send the beacons of their channels."
                : "No agent of the fleet will send a beacon; what becomes due meanwhile is never sent.",
            isGiven: yes)
        try await withStoreProblems { () async throws(StoreProblem) in try await register.setMode(mode.rawValue) }
        Output.line(mode.rawValue)
    }
}

/// `adtop fleet durability [strict|trusted|single]`
struct FleetDurabilityCommand: AsyncParsableCommand {
    /// What a grant requires of the server.
    enum Durability: String, ExpressibleByArgument, CaseIterable {
        case strict, trusted, single

        /// What a person confirms.
        var promise: String {
            switch self {
            case .strict: "Only a standby that confirmed every commit may be promoted."
            case .trusted: "A failover of this server must lose no acknowledged commit."
            case .single: "This server must never fail over; a restored copy of it is another server."
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "durability",
        abstract: "Print or set what makes a claim durable.",
        discussion: """
            strict: a synchronous standby confirms each claim. trusted: the service promises that a failover loses no commit. \
            single: one server that never fails over. A person is asked before it changes.

            Examples:
              adtop fleet durability
              adtop fleet durability strict

            Exit codes: 0 success, 1 strict while no standby confirms commits, 2 usage error, 3 store not reached or no \
            rights, 4 no fleet, 5 not confirmed.
            """)

    @Argument(help: "strict, trusted or single; without it the durability is printed.") var durability: Durability?
    @Flag(help: "Do not ask.") var yes = false

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let register = try await store.open(for: durability == nil ? .read : .own)
        let facts = try await withStoreProblems { () async throws(StoreProblem) in try await register.store().store }
        guard let durability, durability.rawValue != facts.durability else {
            Output.line(facts.durability)
            return
        }
        if durability == .strict, !facts.namesStandbys {
            throw CommandFailure(
                .findings,
                "store: synchronous_standby_names is empty, so nothing was changed; name a standby there first"
            )
        }
        try Confirmation.require(durability.promise, isGiven: yes)
        let change = try await withStoreProblems { () async throws(StoreProblem) in
            try await register.setDurability(durability.rawValue)
        }
        switch change {
        case .made: Output.line(durability.rawValue)
        case .rejected:
            throw CommandFailure(
                .findings,
                "store: no standby confirms commits, so nothing was changed; start one that synchronous_standby_names names"
            )
        case .unconfirmed:
            throw CommandFailure(
                .findings,
                "store: strict is set and no standby has confirmed it, so nothing is sent; start one, or set trusted again"
            )
        }
    }
}

/// `adtop fleet accept-server`
struct FleetAcceptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept-server",
        abstract: "Accept this server as the fleet's after a restore, a copy or a promotion.",
        discussion: """
            A restored server has forgotten claims. Stop the former server and every agent first; each viewer then opens a \
            new session. A person is asked.

            Examples:
              adtop fleet accept-server

            Exit codes: 0 success, 2 usage error, 3 store not reached or no rights, 4 no fleet, 5 not confirmed.
            """)

    @Flag(help: "Do not ask.") var yes = false

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let register = try await store.open(for: .own)
        try Confirmation.require(
            "The former server must be stopped for good, and every agent stopped: what this server has forgotten could be sent twice.",
            isGiven: yes)
        let timeline = try await withStoreProblems { () async throws(StoreProblem) in try await register.acceptServer()
        }
        Output.line("accepted timeline \(timeline)")
    }
}
