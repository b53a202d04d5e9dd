import ArgumentParser
import Fleet
import Foundation
import Live

/// `adtop fleet …`
struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Follow thousands of streams with agents on many machines and one PostgreSQL store.",
        discussion: """
            Examples:
              adtop fleet init --store postgres://adtop_owner@db.example.com/adtop
              adtop fleet add channels.txt
              adtop fleet status
            """,
        subcommands: [
            FleetAgentCommand.self, FleetInitCommand.self, FleetAddCommand.self, FleetRemoveCommand.self,
            FleetListCommand.self,
            FleetDrainCommand.self, FleetModeCommand.self, FleetDurabilityCommand.self, FleetAcceptCommand.self,
            FleetUpgradeCommand.self,
            FleetStatusCommand.self, FleetTopCommand.self, FleetReportCommand.self, FleetDemoCommand.self,
        ])
}

/// Where the store is.
struct FleetStoreOptions: ParsableArguments {
    /// The variable that has the address where the option is not given.
    static let variable = ProgramVariable.store.rawValue

    @Option(
        help: ArgumentHelp(
            "The store: a URL (postgres://USER@HOST/DATABASE) or service=NAME, without a password (default $ADTOP_STORE).",
            valueName: "address"))
    var store: String?

    /// Connects, and checks that there is a fleet which this program knows.
    func open(for task: StoreTask) async throws(CommandFailure) -> FleetRegister {
        do throws(StoreProblem) {
            let register = FleetRegister(try address(), for: task)
            try await register.open()
            return register
        } catch {
            throw CommandFailure(error)
        }
    }

    func address() throws(StoreProblem) -> PostgresAddress {
        try PostgresAddress(store ?? ProcessInfo.processInfo.environment[Self.variable] ?? "")
    }
}

extension CommandFailure {
    init(_ problem: StoreProblem) {
        // Every code of a problem is one of ours; the tests of StoreProblem list them.
        self.init(ExitStatus(rawValue: problem.exitCode) ?? .network, problem.sentence)
    }
}

/// Asks the person at the terminal before what is sent changes.
enum Confirmation {
    /// Throws unless the person agrees, or `--yes` was given.
    static func require(_ question: String, isGiven: Bool) throws(CommandFailure) {
        if isGiven { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandFailure(.usage, "\(question) There is no terminal to ask; give --yes")
        }
        Output.note("\(question) Type yes to continue:")
        guard readLine()?.trimmingCharacters(in: .whitespaces).lowercased() == "yes" else {
            throw CommandFailure(.interrupted, "nothing was changed")
        }
    }
}

/// Runs a verb's calls; a problem of the store becomes its sentence and code.
func withStoreProblems<Result>(
    _ body: () async throws(StoreProblem) -> Result
) async throws(CommandFailure) -> Result {
    do throws(StoreProblem) {
        return try await body()
    } catch {
        throw CommandFailure(error)
    }
}
