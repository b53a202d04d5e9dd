import ArgumentParser
import DemoOrigin
import Fleet
import Foundation
import Live
import OriginServer
import Ports

/// `adtop fleet demo`
struct FleetDemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Start a small fleet on this machine, and watch it.",
        usage: "adtop fleet demo [<options>]",
        discussion: """
            It starts a PostgreSQL server of its own in a temporary folder, on a socket, then the embedded origin and some \
            agents, and shows adtop fleet top. Quitting ends all of them and removes the folders; so does any other end of \
            this process. The programs of PostgreSQL must be installed (scripts/setup fleet). The detail of an agent has its \
            process: kill it and see who takes its viewers, or drain it from another terminal, with the address that is \
            above the keys.

            Examples:
              adtop fleet demo
              adtop fleet demo --agents 5 --channels 40 --viewers 2

            Exit codes: 0 success, 2 usage error, or the server cannot be started, 3 the server does not answer.
            """)

    @Option(
        help: "Scenario: name or YAML file (default: \(BuiltinScenarios.demoName) with a tracker that fails).",
        completion: .files("yaml", "yml", or: BuiltinScenarios.names))
    var scenario: String?

    @Option(help: ArgumentHelp("Agents.", valueName: "number"))
    var agents = 3

    @Option(help: ArgumentHelp("Channels in the list.", valueName: "number"))
    var channels = 10

    @Option(help: ArgumentHelp("Viewers of each channel.", valueName: "number"))
    var viewers = 3

    @OptionGroup(title: "Screen") var screen: ScreenOptions

    mutating func validate() throws {
        for (name, value, range) in [
            ("--agents", agents, 1...20), ("--channels", channels, 1...1_000), ("--viewers", viewers, 1...100),
        ] where !range.contains(value) {
            throw ValidationError("\(name): \(value) is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
    }

    func run() async throws {
        let (texts, config) = try SettingsLoader(configPath: screen.config).texts(
            flags: screen.settings, warn: Output.error)
        let settings = try Settings(texts, file: config).screen
        let origin = try OriginSetup.server(scenario: scenario, port: 0, seed: 1)
        let fleet = try await FleetDemo.start(
            origin, agents: agents, channels: channels, viewers: viewers, note: { Output.note($0) })
        do {
            let watch = FleetWatch(try PostgresAddress(fleet.address), time: SystemTimeSource())
            try await DashboardRun(settings: settings, headless: []).run(watch, tip: fleet.tip)
        } catch {
            await fleet.stop()
            throw error
        }
        await fleet.stop()
    }
}

/// The parts of a small fleet: server, origin and agents. The agents and the server are processes that end with this one.
struct FleetDemo: Sendable {
    let address: String
    /// What to type in another terminal, from its fullest form to its shortest.
    let tip: [String]
    private let server: PrivatePostgres
    private let origin: DemoServer
    private let agents: TiedScript

    static func start(
        _ origin: DemoServer, agents count: Int, channels: Int, viewers: Int, note: (String) -> Void
    ) async throws -> FleetDemo {
        guard let program = Bundle.main.executablePath else {
            throw CommandFailure(.usage, "agents: the path of this program is not known; run it by its whole path")
        }
        let server: PrivatePostgres
        do throws(PrivatePostgres.Problem) {
            server = try PrivatePostgres()
        } catch {
            throw CommandFailure(.usage, "\(error.description) (scripts/setup fleet installs it)")
        }
        let address = server.address()
        note("PostgreSQL in \(server.folder), which is removed at the end")
        do throws(PrivatePostgres.Problem) {
            try await server.waitUntilReady()
        } catch {
            throw CommandFailure(.network, error.description)
        }
        let url = try await OriginSetup.start(origin).streamURL
        try await withStoreProblems { () async throws(StoreProblem) in
            try await fill(address, (1...channels).map { FleetChannel(name: "ch\($0)", url: url, viewers: viewers) })
        }
        note("origin at \(url)")
        let script = try agentScript(program, address, (1...count).map { "a\($0)" })
        await waitForAgents(count, at: address)
        return FleetDemo(
            address: address, tip: tip(for: server.folder), server: server, origin: origin, agents: script)
    }

    /// Above the keys, because the screen covers what was printed before it, and after it there is no fleet. 80 columns have the whole
    /// address.
    private static func tip(for folder: String) -> [String] {
        // In the usual form the name of the role would be masked, as it is in every message.
        let address = "postgres:///postgres?host=\(folder)&user=\(PrivatePostgres.owner)"
        let export = "export \(FleetStoreOptions.variable)='\(address)'"
        return ["in another terminal:  \(export); adtop fleet drain a1", "\(export); adtop fleet drain a1", export]
    }

    /// Makes the schema and the list. The beacons go to the collector of the origin, so the fleet fires.
    private static func fill(_ address: String, _ channels: [FleetChannel]) async throws(StoreProblem) {
        let register = FleetRegister(try PostgresAddress(address), for: .create)
        _ = try await register.create()
        _ = try await register.add(channels)
        try await register.setMode("fire")
    }

    /// How long the screen waits for agents: without them its first words would be an error that is over at once.
    private static let patience = Duration.seconds(10)

    private static func waitForAgents(_ count: Int, at address: String) async {
        guard let address = try? PostgresAddress(address) else { return }
        let (register, end) = (FleetRegister(address, for: .read), ContinuousClock.now + patience)
        guard (try? await register.open()) != nil else { return }
        while ContinuousClock.now < end, let agents = try? await register.agents(), agents.count < count {
            guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
        }
    }

    private static func agentScript(
        _ program: String, _ address: String, _ names: [String]
    ) throws(CommandFailure) -> TiedScript {
        var template = Array("/tmp/adtop-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw CommandFailure(.usage, "/tmp: \(SystemErrorText.words(errno)); make room there")
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(TiedScript.Failure) {
            return try TiedScript(
                script, [folder, program, address] + names, named: "adtop-agents",
                environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": folder, "XDG_STATE_HOME": folder],
                folder: folder)
        } catch {
            throw CommandFailure(.usage, "agents: \(SystemErrorText.words(error.code)); end other programs")
        }
    }

    /// Ends agents, server and origin, in this order, as far as there is time.
    func stop() async {
        _ = await WayOut.within(.seconds(2)) { [agents] in agents.stop() }
        _ = await WayOut.within(.milliseconds(800)) { [server, origin] in
            server.stop()
            await origin.stop()
        }
    }

    /// Arguments: folder, program, address of the store, names of agents. The outputs of the agents are files in the folder.
    private static let script = """
        folder=$1 program=$2 store=$3
        shift 3
        trap '' HUP INT TERM
        agents=
        for name in "$@"; do
            "$program" fleet agent --store "$store" --name "$name" </dev/null >"$folder/$name.log" 2>&1 &
            agents="$agents $!"
        done
        cat >/dev/null
        kill -TERM $agents
        { sleep 3; kill -KILL $agents; } 2>/dev/null &
        guard=$!
        for agent in $agents; do wait $agent; done
        kill $guard
        rm -rf "$folder"
        """
}
