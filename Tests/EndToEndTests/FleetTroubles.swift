import Foundation
import Live
import Ports
import TestSupport
import Testing

/// Faults of a fleet of real programs, one after the other as a seed draws them. Which of them hit what is up to the machine.
struct FleetTroubles {
    enum Fault: String, CaseIterable {
        case killAgent, stopAgent, killServerProcess, stopServerProcess, cut, drain, restartServer

        /// How often it is drawn, compared with the others.
        var weight: Int {
            switch self {
            case .killAgent: 5
            case .stopAgent, .stopServerProcess: 3
            case .cut, .drain: 2
            case .killServerProcess, .restartServer: 1
            }
        }
    }

    private struct Agent {
        var name: String
        var child: AdtopChild
    }

    /// What ends a fault.
    private enum Ending {
        case wake(AdtopChild)
        case wakeServerProcess(pid_t)
        case undrain(String)
    }

    private let ground: FleetGround
    private var random: SplitMix64
    private var agents: [Agent] = []
    private var started = 0
    private var endings: [(at: ContinuousClock.Instant, what: Ending)] = []
    private(set) var counts: [Fault: Int] = [:]

    /// Starts the agents.
    init(_ ground: FleetGround, agents: Int, seed: UInt64) throws {
        self.ground = ground
        random = SplitMix64(seed: seed)
        for _ in 0..<agents { self.agents.append(try next()) }
    }

    /// Processes of agents and of the server that were killed.
    var kills: Int { counts[.killAgent, default: 0] + counts[.killServerProcess, default: 0] }

    private mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(max(1, count))) }
    private mutating func milliseconds(_ span: ClosedRange<Int>) -> Duration {
        .milliseconds(span.lowerBound + draw(span.count))
    }

    private mutating func next() throws -> Agent {
        started += 1
        return Agent(name: "a\(started)", child: try ground.start("a\(started)"))
    }

    /// The next fault, after a moment in which earlier ones may end.
    mutating func step() async throws {
        let pause = milliseconds(20...900)
        try await pass(until: .now + pause)
        let all = Fault.allCases.flatMap { Array(repeating: $0, count: $0.weight) }
        let fault = all[draw(all.count)]
        counts[fault, default: 0] += 1
        let place = draw(agents.count)
        switch fault {
        case .killAgent:
            try await agents[place].child.kill()
            // At its place, or as another one: then only the end of the lease frees its viewers.
            agents[place] =
                draw(2) == 0
                ? Agent(name: agents[place].name, child: try ground.start(agents[place].name)) : try next()
        case .stopAgent:
            agents[place].child.signal(SIGSTOP)
            endings.append((.now + milliseconds(50...4_000), .wake(agents[place].child)))
        case .killServerProcess: if let pid = try await backend() { kill(pid, SIGKILL) }
        case .stopServerProcess:
            guard let pid = try await backend() else { return }
            kill(pid, SIGSTOP)
            endings.append((.now + milliseconds(50...3_000), .wakeServerProcess(pid)))
        case .cut:
            if let pid = try await backend() { try await ground.ask("SELECT pg_terminate_backend(\(pid))") }
        case .drain:
            try await ground.ask("SELECT fleet.agent_drain('\(agents[place].name)', true)")
            endings.append((.now + milliseconds(200...4_000), .undrain(agents[place].name)))
        case .restartServer: ground.primary.restart()
        }
    }

    private mutating func backend() async throws -> pid_t? {
        let all = try await ground.backends()
        return all.isEmpty ? nil : all[draw(all.count)]
    }

    private mutating func pass(until end: ContinuousClock.Instant) async throws {
        while let next = endings.indices.min(by: { endings[$0].at < endings[$1].at }), endings[next].at <= end {
            let ending = endings.remove(at: next)
            try await Task.sleep(until: ending.at, clock: .continuous)
            try await carryOut(ending.what)
        }
        try await Task.sleep(until: end, clock: .continuous)
    }

    private func carryOut(_ ending: Ending) async throws {
        switch ending {
        case .wake(let child): child.signal(SIGCONT)
        case .wakeServerProcess(let pid): kill(pid, SIGCONT)
        case .undrain(let name): try await ground.ask("SELECT fleet.agent_drain('\(name)', false)")
        }
    }

    /// Ends all faults; returns when every viewer has an agent again.
    mutating func settle() async throws {
        for ending in endings { try await carryOut(ending.what) }
        endings = []
        try await ground.ask("SELECT 1")
        try await ground.wait(
            for: "an agent for every viewer", within: .seconds(60),
            until: """
                SELECT count(*) = 0 FROM fleet.viewer v LEFT JOIN fleet.agent a ON a.id = v.owner
                WHERE a.id IS NULL OR a.fenced_at IS NOT NULL OR a.lease_until < clock_timestamp()
                """)
    }

    /// Ends all agents in order: none has ended by itself.
    func end() async throws {
        for agent in agents { agent.child.signal(SIGTERM) }
        for agent in agents {
            let run = try await agent.child.end()
            #expect(run.status == 0, "\(agent.name): \(run.errors.suffix(1_000))")
        }
    }
}
