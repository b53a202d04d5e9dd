import ArgumentParser
import Fleet
import Live

/// `adtop fleet upgrade`
struct FleetUpgradeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade",
        abstract: "Print how far an upgrade of the agents is, or finish it.",
        discussion: """
            Install the new adtop, run init, then drain, replace and start one agent after the other: agents of both versions \
            work side by side. With --finish the store no longer admits agents of the former protocol, and agents may save \
            sessions that the former program cannot read. It changes nothing while such an agent is at work. A person is asked, \
            because there is no way back to the former program.

            Examples:
              adtop fleet upgrade
              adtop fleet upgrade --finish

            Exit codes: 0 success, 1 an agent at work is older, 2 usage error, 3 store not reached or no rights, \
            4 no fleet, 5 not confirmed.
            """)

    @Flag(help: "Admit only agents that know what this adtop knows.") var finish = false
    @Flag(help: "Do not ask.") var yes = false

    @OptionGroup(title: "Store") var store: FleetStoreOptions

    func run() async throws {
        let register = try await store.open(for: finish ? .own : .read)
        let upgrade = try await Self.upgrade(register)
        guard !upgrade.isFinished else {
            Output.line("finished: \(upgrade.level.words)")
            return
        }
        if let refusal = upgrade.refusal(version: Version.current) { throw CommandFailure(.findings, refusal) }
        guard finish else {
            Output.line(
                "not finished: \(upgrade.level.words); adtop fleet upgrade --finish raises that to \(upgrade.target.words)"
            )
            return
        }
        try Confirmation.require(
            "Agents of an earlier adtop will not be admitted again (\(upgrade.target.words)).", isGiven: yes)
        let isDone = try await withStoreProblems { () async throws(StoreProblem) in try await register.finish(upgrade) }
        guard isDone else {
            let now = try await Self.upgrade(register)
            throw CommandFailure(
                .findings, now.refusal(version: Version.current) ?? "agent: an older agent was at work; try again")
        }
        Output.line("finished: \(upgrade.target.words)")
    }

    private static func upgrade(_ register: FleetRegister) async throws(CommandFailure) -> FleetUpgrade {
        try await withStoreProblems { () async throws(StoreProblem) in
            let (facts, _) = try await register.store()
            if facts.protocols.lowest > FleetUpgrade.Level.own.protocolVersion {
                throw .protocolNotAdmitted(facts.protocols)
            }
            return FleetUpgrade(facts, agents: try await register.agents())
        }
    }
}
