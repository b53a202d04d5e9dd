import ArgumentParser
import Dashboard
import Fleet
import Live
import Ports

/// `adtop fleet top`
struct FleetTopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch a fleet: agents, viewers, problems.",
        discussion: """
            The screen of adtop monitor for a whole fleet: agents with their load, viewers with their state, worst first, \
            and what is wrong. Enter on a viewer shows its breaks as its agent has them, which needs the role of an \
            operator; with that of a reader it shows the last picture. A store that is slow or away leaves the last data \
            on the screen, with their age. --dump prints one frame, or with --format json all data (schema adtop-fleet/1).

            Examples:
              adtop fleet top
              adtop fleet top --dump --size 200x60
              adtop fleet top --dump --format json

            Exit codes: 0 success, and with --dump no problem; with --dump 1 problems of severity warning or error, 2 usage \
            error, 3 store not reached or no rights, 4 no fleet or another server, 5 interrupted.
            """)

    @OptionGroup(title: "Store") var store: FleetStoreOptions
    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: TableDumpOptions

    func run() async throws {
        let plan = try dump.plan(of: .fleet)
        let (texts, config) = try SettingsLoader(configPath: screen.config).texts(
            flags: screen.settings, warn: Output.error)
        let settings = try Settings(texts, file: config).screen
        let address = try await withStoreProblems { () async throws(StoreProblem) in try store.address() }
        if let plan {
            try await FleetDump(plan: plan, settings: settings, address: address).run()
        } else {
            // Says at once what is wrong with the store; later failures are on the screen.
            _ = try await store.open(for: .read)
            try await DashboardRun(settings: settings).run(FleetWatch(address, time: SystemTimeSource()))
        }
    }
}
