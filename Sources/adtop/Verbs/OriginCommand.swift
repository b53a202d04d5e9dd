import ArgumentParser
import DemoOrigin
import Live
import OriginServer
import Ports

/// `adtop origin`
struct OriginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "origin",
        abstract: "Run only the embedded origin on loopback: live HLS, ad metadata and a beacon collector.",
        discussion: """
            Every built-in scenario is also served below /s/NAME/. The page at / lists all paths.

            Examples:
              adtop origin --scenario rush --port 8080
              curl -s http://127.0.0.1:8080/receipts

            Scenarios: \(BuiltinScenarios.names.joined(separator: ", ")), or a YAML file.

            Exit codes: 0 stopped by a signal, 2 usage error or port in use.
            """)

    @Option(
        help: "Scenario at the default paths: name or YAML file.",
        completion: .files("yaml", "yml", or: BuiltinScenarios.names))
    var scenario = "steady"

    @Option(help: "Port on 127.0.0.1; 0 selects a free port.")
    var port = 0

    @Option(help: "Seed: the same seed gives the same stream.")
    var seed: UInt64 = 1

    func run() async throws {
        let origin = try OriginSetup.server(scenario: scenario, port: port, seed: seed)
        let signals = StopSignals.stream()
        let address = try await OriginSetup.start(origin)
        Output.line("stream    \(address.streamURL)")
        Output.line("receipts  \(address.receiptsURL)")
        Output.line("scenarios http://\(address.authority)/")
        for await _ in signals { break }
        _ = await WayOut.within(WayOut.session) { await origin.stop() }
    }
}

/// Creates and starts the origin for the verbs that need it, with errors for the command line.
enum OriginSetup {
    /// Nil is the first run of the demo.
    static func server(scenario: String?, port: Int, seed: UInt64) throws(CommandFailure) -> DemoServer {
        var configuration = DemoServer.Configuration(scenario: try load(scenario), seed: seed)
        configuration.port = port
        return DemoServer(configuration, clock: { SystemTimeSource().now().wall.milliseconds })
    }

    static func start(_ server: DemoServer) async throws(CommandFailure) -> DemoServer.Address {
        do throws(DemoServerError) {
            return try await server.start()
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }

    /// The built-in scenario `name`, the one in the file `name`, or without a name that of a first run.
    static func load(_ name: String?) throws(CommandFailure) -> Scenario {
        do {
            guard let name else {
                guard let first = try BuiltinScenarios.firstRun() else {
                    throw CommandFailure(.usage, "--scenario: no scenario \(BuiltinScenarios.demoName)")
                }
                return first
            }
            if let builtin = try BuiltinScenarios.load(name) { return builtin.scenario }
            let text = try InputFile.text(name, or: "one of \(BuiltinScenarios.names.joined(separator: ", "))")
            let loaded = try ScenarioReader.read(text, file: name)
            loaded.warnings.forEach { Output.error("\($0)") }
            return loaded.scenario
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}
