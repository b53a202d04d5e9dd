import Live
import Monitoring
import Ports

/// Many sessions from their list to their end: one HTTP client, one clock, one journal, one event stream and one metrics
/// server for all of them, and a monitor for each.
struct MonitorRun {
    /// Log lines that a session keeps where there are many.
    static let logLines = 200

    /// One line of the list with everything that holds for it.
    struct Session {
        var name: String
        var url: WebURL
        var settings: Settings
    }

    let sessions: [Session]
    /// What holds for all of them together.
    let settings: Settings
    /// Nil: the table in a terminal.
    let dump: DumpPlan?
    let eventsPath: String?
    /// Over which the sessions begin; nil chooses by their number.
    let spread: Duration?

    func run() async throws {
        let time = SystemTimeSource()
        let configurations = try configurations()
        let events = try eventsPath.map { try SessionRun.openEvents($0, isHeadless: dump != nil) }
        let journals = try settings.usesJournal ? JournalPlace.file(settings) : nil
        let transport = try transport()
        let members = zip(sessions, configurations).map { session, configuration in
            let base: any Journal = journals?.session() ?? InMemoryJournal()
            let journal = events.map {
                EventStreamJournal(base, stream: $0, isRedacted: dump?.isRedacted ?? true) as any Journal
            }
            return SessionGroup.Member(
                name: session.name,
                monitor: Monitor(configuration, transport: transport, time: time, journal: journal ?? base))
        }
        let polls = sessions.map(\.settings.poll).max() ?? .zero
        let group = SessionGroup(
            members, spread: spread ?? SessionGroup.spread(of: members.count, polling: polls),
            seed: configurations.first?.seed ?? 0, time: time)
        var metrics: MetricsServer?
        do {
            metrics = try await SessionRun.startMetrics(settings) {
                MetricsText.render(await group.health(), version: Adtop.version, namesSessions: true)
            }
            try await show(group, time)
        } catch {
            await finish(transport, events, metrics)
            throw error
        }
        await finish(transport, events, metrics)
    }

    private func show(_ group: SessionGroup, _ time: SystemTimeSource) async throws {
        if let dump {
            try await MonitorDump(plan: dump, settings: settings, time: time, printsTable: eventsPath != "-").run(group)
        } else {
            try await DashboardRun(settings: settings).run(group, time: time)
        }
    }

    private func finish(_ transport: LiveHTTPTransport, _ events: EventStream?, _ metrics: MetricsServer?) async {
        await metrics?.stop()
        await transport.shutdown()
        if let problem = await events?.finish() { Output.error(problem) }
    }

    private func configurations() throws(CommandFailure) -> [MonitorConfiguration] {
        var configurations: [MonitorConfiguration] = []
        for (index, session) in sessions.enumerated() {
            var configuration = try SessionRun(settings: session.settings, dump: nil, recording: nil)
                .configuration(for: session.url)
            configuration.writesHistory = settings.usesJournal || eventsPath != nil
            configuration.logLines = Self.logLines
            // One seed for all must not make all of them poll alike.
            if session.settings.seed != nil { configuration.seed &+= UInt64(index) }
            configurations.append(configuration)
        }
        return configurations
    }

    private func transport() throws(CommandFailure) -> LiveHTTPTransport {
        let files = OpenFiles.raise()
        do throws(FileProblem) {
            return try LiveHTTPTransport(sessions: sessions.count, openFiles: files)
        } catch {
            throw CommandFailure(.network, "\(error)")
        }
    }
}
