import CreativeServer
import Dashboard
import Live
import Logging
import Monitoring
import Ports
import Session

/// Many sessions from their list to their end: one HTTP client, one clock, one journal, one event stream and one
/// metrics server for all of them, and a monitor for each.
struct MonitorRun {
    /// Log lines that each of many sessions keeps.
    static let logLines = 200

    /// One line of the list with its settings.
    struct Session {
        var name: String
        var url: WebURL
        var settings: Settings
        /// File and line of its options; nil where it has none.
        var place: String?
    }

    let sessions: [Session]
    /// The settings that all sessions share.
    let settings: Settings
    /// Nil shows the table in a terminal.
    let dump: DumpPlan?
    let eventsPath: String?
    /// Nil records nothing.
    let recording: RecordingOrder?
    /// Time over which session starts are spread; nil chooses it by the number of sessions.
    let spread: Duration?

    func run() async throws {
        try WrittenFiles.check([
            "--journal": WrittenFiles.journal(settings.journal, isKept: settings.journal.isKept),
            "--events": eventsPath, "--log-file": settings.log.file, "--cookie-jar": settings.requests.cookieJar,
        ])
        let plan = try settings.connection.plan()
        let time = SystemTimeSource()
        let parts = try parts(over: plan, time)
        // Created last of all that can fail: a client that is not shut down ends the process.
        let client = transport(plan, parts.log, time)
        let lines = SessionsLog()
        let members = members(of: parts, over: client, lines, time)
        let polls = sessions.map(\.settings.session.poll).max() ?? .zero
        let group = SessionGroup(
            members, log: lines, spread: spread ?? SessionGroup.spread(of: members.count, polling: polls),
            seed: parts.configurations.first?.seed ?? 0, time: time)
        let pages = StartPages.releaseWhenSettled()
        defer { pages.cancel() }
        var opened = OpenedParts(
            client: client, log: parts.log, requests: parts.requests,
            recordings: zip(sessions, parts.recorders ?? []).map { .init(session: $0.name, file: $1) },
            events: parts.events, plugins: parts.slots.compactMap(\.plugins))
        do {
            opened.metrics = try await SessionRun.startMetrics(port: settings.metricsPort) {
                MetricsText.render(
                    await group.health(countsEvents: true), version: Version.current, namesSessions: true)
            }
            try await show(
                group, time, events: parts.events,
                stderrSink: lines.sink(for: "adtop", with: parts.log?.session("adtop")))
        } catch {
            await opened.close(at: time)
            throw error
        }
        await opened.close(at: time)
    }

    /// What the monitors need. All of it is read, checked or opened, and may fail, before the first of them is created.
    private struct Parts {
        let requests: [SessionRequests]
        let configurations: [MonitorConfiguration]
        let slots: [SessionSlots]
        /// Nil writes no events.
        let events: EventStream?
        /// Nil keeps no journal on disk.
        let journals: JournalFile?
        let log: LogFile?
        /// Nil records nothing.
        let recorders: [RecordingFile]?
        let zones: [ZoneStore?]
    }

    private func parts(over plan: ConnectionPlan, _ time: SystemTimeSource) throws -> Parts {
        let requests = try requests(over: plan, time)
        let (configurations, slots) = try configurations(requests)
        return Parts(
            requests: requests, configurations: configurations, slots: slots,
            events: try eventsPath.map { try SessionRun.openEvents($0, isHeadless: dump != nil) },
            journals: try settings.journal.isKept ? JournalPlace.file(settings.journal) : nil,
            log: try SessionRun.openLog(settings.log), recorders: try recorders(configurations),
            zones: try sessions.indices.map { index throws(CommandFailure) in
                try slots[index].zoneStore(sessions[index].settings.adSpaces, remembers: settings.journal.isKept)
            })
    }

    /// A monitor for each session.
    private func members(
        of parts: Parts, over client: LiveHTTPTransport, _ lines: SessionsLog, _ time: SystemTimeSource
    ) -> [SessionGroup.Member] {
        // One for all lines: two equal ones are one session, which only one of them may send for.
        let storage = InMemoryJournal.Storage()
        return sessions.indices.map { index in
            let session = sessions[index]
            let transport = parts.requests[index].transport(over: client)
            let base: any Journal = parts.journals?.session() ?? InMemoryJournal(storage: storage)
            let journal = parts.events.map {
                EventStreamJournal(base, stream: $0, isRedacted: dump?.isRedacted ?? true) as any Journal
            }
            return SessionGroup.Member(
                name: session.name,
                monitor: Monitor(
                    parts.configurations[index], transport: transport, time: time, journal: journal ?? base,
                    recorder: parts.recorders?[index],
                    logSink: lines.sink(for: session.name, with: parts.log?.session(session.name)),
                    plugins: parts.slots[index].plugins,
                    zones: parts.zones[index].map { SessionZones(store: $0, transport: transport, time: time) },
                    opener: OpenCommand.opener(session.settings.adSpaces.openCommand)))
        }
    }

    /// What the requests of each session carry.
    private func requests(over plan: ConnectionPlan, _ time: SystemTimeSource) throws(CommandFailure)
        -> [SessionRequests]
    {
        try sessions.map { session throws(CommandFailure) in
            do throws(CommandFailure) {
                return try SessionRequests(session.settings.requests, typed: session.url, over: plan, time: time)
            } catch {
                throw CommandFailure(error.status, "\(session.name): \(error.message)")
            }
        }
    }

    private func show(
        _ group: SessionGroup, _ time: SystemTimeSource, events: EventStream?, stderrSink: any SessionLogSink
    ) async throws {
        if let dump {
            try await MonitorDump(
                plan: dump, settings: settings.screen, time: time, printsTable: eventsPath != "-", events: events
            ).run(group)
        } else {
            try await DashboardRun(settings: settings.screen).run(group, time: time, stderrSink: stderrSink)
            let last = await group.health()
            Output.summary(ExitSummary.line(last))
            advice(last).lines.forEach(Output.note)
        }
    }

    /// The recording that is named is that of the session with the most failed beacons, else the first. It has none of an earlier process.
    private func advice(_ last: [SessionHealth]) -> ClosingAdvice {
        let worst = last.indices.max { last[$0].counters.beaconsFailed < last[$1].counters.beaconsFailed }
        return ClosingAdvice(
            journal: settings.journal.isKept ? settings.journal : nil,
            recordings: recording?.paths(of: sessions.map(\.name)) ?? [], shown: worst ?? 0, recordsMany: true,
            hasBeacons: last.contains { $0.beacons.due > 0 })
    }

    private func configurations(
        _ requests: [SessionRequests]
    ) throws(CommandFailure) -> ([MonitorConfiguration], [SessionSlots]) {
        var (configurations, slots) = ([MonitorConfiguration](), [SessionSlots]())
        for (index, session) in sessions.enumerated() {
            var (configuration, own) = try configuration(of: session, requests[index])
            // Sessions with the same seed must not poll in step.
            if session.settings.session.seed != nil { configuration.seed &+= UInt64(index) }
            configurations.append(configuration)
            slots.append(own)
        }
        return (configurations, slots)
    }

    /// Files that options of its line name are read here.
    private func configuration(
        of session: Session, _ requests: SessionRequests
    ) throws(CommandFailure) -> (MonitorConfiguration, SessionSlots) {
        do throws(CommandFailure) {
            var configuration = try SessionRun(settings: session.settings, dump: nil, recording: nil)
                .configuration(for: requests.url)
            configuration.additions = requests.additions
            let slots = try SessionSlots(session.settings.adSpaces, auction: &configuration.auction)
            configuration.name = session.name
            configuration.formats = slots.configuration
            configuration.formats?.keepsZones =
                try slots.zoneStore(session.settings.adSpaces, remembers: settings.journal.isKept) != nil
            configuration.writesHistory = settings.journal.isKept || eventsPath != nil
            configuration.log.lines = Self.logLines
            return (configuration, slots)
        } catch {
            guard let place = session.place else { throw error }
            throw CommandFailure(error.status, "\(place): \(error.message)")
        }
    }

    private func recorders(_ configurations: [MonitorConfiguration]) throws(CommandFailure) -> [RecordingFile]? {
        guard let recording else { return nil }
        OpenFiles.raise()
        let named = zip(sessions, configurations).map { (name: $0.name, configuration: $1) }
        return try RecordingFolder(recording).recordings(of: named)
    }

    /// All sessions share the client and the journal, so the log lines of their libraries belong to the process and go
    /// only to the log file.
    private func transport(_ plan: ConnectionPlan, _ log: LogFile?, _ time: SystemTimeSource) -> LiveHTTPTransport {
        // Each recording keeps a file open.
        let files = OpenFiles.raise() - (recording == nil ? 0 : sessions.count)
        func logger(_ library: String) -> Logger? {
            log.map { log in
                LibraryLog.logger(library, level: settings.log.level) { log.append($0, $1, at: time.now().wall) }
            }
        }
        if let logger = logger("sqlite") { SQLiteLog.pass(to: logger) }
        return LiveHTTPTransport(
            plan: plan,
            sessions: sessions.count, openFiles: files, logger: logger("http") ?? LiveHTTPTransport.silence)
    }
}
