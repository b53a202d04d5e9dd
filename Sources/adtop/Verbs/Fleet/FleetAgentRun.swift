import Fleet
import Foundation
import Live
import Logging
import Monitoring
import Ports
import Session

/// An agent of a fleet from its settings to its end: the ports, the runtime, and a session for each viewer that it gets.
struct FleetAgentRun {
    /// Log lines that each session keeps.
    static let logLines = 100

    let address: PostgresAddress
    let name: String
    let region: String
    let capacity: Int
    let seal: SessionSeal?
    /// Those of all channels.
    let settings: Settings
    let flags: [Setting: String]
    let environment: [String: String]
    let file: ConfigFile?

    func run() async throws {
        let place = try place()
        let time = ContinuousTimeSource()
        let plan = try settings.connection.plan()
        let log = try SessionRun.openLog(settings.log)
        let store = PostgresStore(address, for: agent, time: time, seal: seal)
        let client = LiveHTTPTransport(
            plan: plan, sessions: capacity, openFiles: OpenFiles.raise(), logger: LiveHTTPTransport.silence)
        let sink = FleetAgentLog(file: log?.session(name))
        let disk = try spool(place.folder)
        let switches = FleetAgentSwitch.given(in: environment)
        let runtime = FleetRuntime(
            FleetAgentSwitch.agent(name, place: place.name, with: switches), store: store, disk: disk, time: time,
            log: sink, usage: OwnUsage.read,
            makeSession: { viewer, journal in
                self.session(of: viewer, on: journal, over: client, plan, sink, log)
            })
        let metrics = try await SessionRun.startMetrics(port: settings.metricsPort) {
            MetricsText.render(await runtime.health(), version: Version.current)
                + FleetMetrics.render(await runtime.status)
        }
        let signals = StopSignals.stream()
        // Ends with the signal, or with the runtime below.
        let stopping = Task {
            for await _ in signals {
                await runtime.end()
                break
            }
        }
        if !switches.isEmpty {
            sink.write(.warning, "a test agent: \(switches.map(\.rawValue).joined(separator: ", "))")
        }
        sink.write(.info, "agent \(name) at \(place.name), pid \(ProcessInfo.processInfo.processIdentifier)")
        await runtime.run()
        stopping.cancel()
        await OpenedParts(client: client, log: log, metrics: metrics).close(at: time)
        if let problem = await runtime.problem { throw CommandFailure(problem) }
        if let refusal = await runtime.refusal { throw failure(refusal, store.problem) }
    }

    /// The agent as the store has it.
    private var agent: PostgresStore.Agent {
        PostgresStore.Agent(
            name: name, version: Version.current, region: region, capacity: capacity,
            process: ProcessInfo.processInfo.processIdentifier)
    }

    /// The state folder of the agent, locked.
    private func place() throws(CommandFailure) -> AgentPlace {
        guard let folder = StateFolder.path(environment: environment) else {
            throw CommandFailure(.usage, "agent: neither XDG_STATE_HOME nor HOME is an absolute path; set one")
        }
        let path = "\(folder)/fleet/\(name)"
        do throws(FileProblem) {
            if let place = try AgentPlace(folder: path) { return place }
        } catch {
            throw Self.failure(error)
        }
        throw CommandFailure(.usage, "agent: another adtop uses \(path); stop it, or choose another --name")
    }

    /// The state folder, or a file in it, cannot be used.
    private static func failure(_ problem: FileProblem) -> CommandFailure {
        let clause =
            switch problem.reason {
            // In its own words it asks for another file, which nobody can name here.
            case .isFolder: "\(problem.path): is a folder"
            default: "\(problem)"
            }
        let remedy =
            switch problem.reason {
            case .notPermitted: "let this user write there, or set XDG_STATE_HOME to another folder"
            case .full: "make room there, or set XDG_STATE_HOME to another folder"
            default: "set XDG_STATE_HOME to a folder that can be written"
            }
        return CommandFailure(.usage, "agent: \(clause); \(remedy)")
    }

    /// Outcomes and notes that the store does not have yet.
    private func spool(_ folder: String) throws(CommandFailure) -> SpoolFile {
        do throws(FileProblem) {
            return try SpoolFile("\(folder)/spool")
        } catch {
            throw Self.failure(error)
        }
    }

    /// The session of a viewer; nil, with a line in the log, where its channel cannot be followed.
    private func session(
        of viewer: StoreAnswer.TakenViewer, on journal: FleetJournal, over client: LiveHTTPTransport,
        _ plan: ConnectionPlan, _ sink: FleetAgentLog, _ log: LogFile?
    ) -> SessionGroup.Member? {
        guard let channel = viewer.channel else { return nil }
        let name = viewer.number > 1 ? "\(channel.name)-\(viewer.number)" : channel.name
        do {
            let time = SystemTimeSource()
            let settings = try settings(of: channel)
            let requests = try SessionRequests(
                settings.requests, typed: try WebURL(channel.url), over: plan, time: time)
            var configuration = try SessionRun(settings: settings, dump: nil, recording: nil)
                .configuration(for: requests.url)
            configuration.name = name
            configuration.additions = requests.additions
            configuration.log.lines = Self.logLines
            configuration.writesHistory = true
            configuration.take(over: viewer, at: time.now())
            let monitor = Monitor(
                configuration, transport: requests.transport(over: client), time: time, journal: journal,
                logSink: log?.session(name))
            return SessionGroup.Member(name: name, monitor: monitor)
        } catch {
            let problem = (error as? CommandFailure)?.message ?? "\(error)"
            sink.write(.error, "channel \(channel.name): \(problem)")
            return nil
        }
    }

    /// The settings of a channel: its own options over those of the command line.
    private func settings(of channel: FollowedChannel) throws(CommandFailure) -> Settings {
        var own: [Setting: String] = [:]
        for (name, value) in channel.options {
            guard let setting = Setting(rawValue: name), setting.spec.scope == .session else {
                throw CommandFailure(.unreadable, "unknown option '\(name)'")
            }
            own[setting] = value
        }
        let texts = SettingTexts(
            flags: flags.merging(own) { _, own in own }, environment: environment, file: file)
        return try Settings(texts)
    }

    private func failure(_ refusal: StoreRefusal, _ problem: StoreProblem?) -> CommandFailure {
        guard let problem else { return CommandFailure(.unreadable, "store: rejects this agent (\(refusal.rawValue))") }
        return CommandFailure(ExitStatus(rawValue: problem.exitCode) ?? .unreadable, problem.sentence)
    }
}

/// The lines of an agent: on standard error, with their date, and in the log file.
final class FleetAgentLog: SessionLogSink {
    private let file: (any SessionLogSink)?
    private let time = SystemTimeSource()

    init(file: (any SessionLogSink)?) {
        self.file = file
    }

    func append(_ entry: LogEntry) {
        Output.note("\(entry.at.wall.iso8601) \(entry.level.rawValue) \(entry.message)")
        file?.append(entry)
    }

    func write(_ level: LogLevel, _ message: String) {
        append(LogEntry(number: 0, at: time.now(), level: level, message: message))
    }
}
