import ArgumentParser
import Fleet
import Live
import Monitoring
import Ports

/// `adtop fleet agent`
struct FleetAgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Follow viewers of the fleet's list, without a terminal.",
        discussion: """
            The agent takes viewers that have no agent, and those of agents that died, up to its capacity and its share. \
            Each beacon is claimed in the store before it is sent, so that none is sent twice, even if an agent dies. \
            Options apply to all channels; those of a channel's line in the list override them. Without the store nothing is \
            sent: what becomes due is only observed, and the agent waits until the store is back, also at its start. SIGTERM \
            gives all viewers and ends within seconds.

            Examples:
              adtop fleet agent --store postgres://agent@db.example.com/adtop --name a1
              adtop fleet agent --store service=adtop --name eu1 --region eu

            Exit codes: 0 stopped by a signal, 2 usage error, name or place in use, no state folder, 3 wrong password or no rights, \
            4 no fleet, unknown schema or protocol, another server.
            """)

    @OptionGroup var store: FleetStoreOptions

    @Option(help: ArgumentHelp("Name of the agent, one at work for each.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("Region: takes channels of this region besides those of any.", valueName: "name"))
    var region = ""

    @Option(help: ArgumentHelp("Most viewers at once.", valueName: "number"))
    var capacity = 2_000

    @Option(
        help: ArgumentHelp(
            "Key of 32 bytes, the same for all agents, that seals what is handed on of sessions (default: in clear).",
            valueName: "file"), completion: .file())
    var stateKey: String?

    @Option(help: .of(.metricsPort, "port"))
    var metricsPort: String?

    @Option(help: .of(.logFile, "file"), completion: .file())
    var logFile: String?

    @Option(help: .of(.logLevel, "level"), completion: .of(.logLevel))
    var logLevel: String?

    @Option(
        help: ArgumentHelp("Config file (default $XDG_CONFIG_HOME/adtop/config.yaml).", valueName: "file"),
        completion: .files("yaml", "yml"))
    var config: String?

    @OptionGroup(title: "Sessions") var sending: SendingOptions
    @OptionGroup(title: "Sessions") var stream: StreamOptions
    @OptionGroup(title: "Sessions") var playlist: PlaylistOptions
    @OptionGroup(title: "Requests") var requests: RequestOptions
    @OptionGroup(title: "Requests") var identity: IdentityOptions
    @OptionGroup var way: WayOptions
    @OptionGroup var connection: ConnectionOptions

    mutating func validate() throws {
        guard (1...100_000).contains(capacity) else {
            throw ValidationError("--capacity: \(capacity) is not a number from 1 to 100000")
        }
        // It is the name of a folder, too.
        guard !["", ".", ".."].contains(name), name.utf8.count <= 100,
            name.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "/") })
        else {
            throw ValidationError("--name: '\(name)' has blanks or a slash, or is no name; write one short word")
        }
    }

    func run() async throws {
        var flags: [Setting: String] = [:]
        flags[.metricsPort] = metricsPort
        flags[.logFile] = logFile
        flags[.logLevel] = logLevel
        let groups = [
            flags, sending.settings, stream.settings, playlist.settings, requests.settings, identity.settings,
            way.settings, connection.settings,
        ]
        let loader = SettingsLoader(configPath: config)
        let (texts, file) = try loader.texts(flags: .joining(groups), warn: Output.error)
        let settings = try Settings(texts, file: file)
        try settings.log.rejectLevelAlone(flags)
        try await FleetAgentRun(
            address: try withAddress(), name: name, region: region, capacity: capacity,
            seal: try seal(), settings: settings, flags: .joining(groups),
            environment: loader.environment, file: file
        ).run()
    }

    private func seal() throws(CommandFailure) -> SessionSeal? {
        guard let stateKey else { return nil }
        let size = SessionSeal.keyBytes
        let bytes: [UInt8]
        do throws(FileProblem) {
            bytes = try FileText.read(stateKey, maximumBytes: 4_096)
        } catch {
            throw CommandFailure(.usage, "agent: \(error); --state-key names a file of \(size) bytes")
        }
        guard let seal = SessionSeal(bytes) else {
            throw CommandFailure(
                .usage,
                "agent: \(stateKey) has \(bytes.count) bytes, and a state key has \(size); "
                    + "make one with head -c \(size) /dev/urandom")
        }
        return seal
    }

    private func withAddress() throws(CommandFailure) -> PostgresAddress {
        do throws(StoreProblem) {
            return try store.address()
        } catch {
            throw CommandFailure(error)
        }
    }
}
