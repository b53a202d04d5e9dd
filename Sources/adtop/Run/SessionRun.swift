import AdTracking
import Bidding
import CreativeServer
import Dashboard
import Live
import Logging
import Monitoring
import Ports
import Screen
import Session

/// One session from its settings to its end: creates the live ports, starts the monitor, and shows it in a dump or the
/// dashboard.
struct SessionRun {
    let settings: Settings
    /// Nil shows the dashboard.
    let dump: DumpPlan?
    /// Nil records nothing.
    let recording: RecordingOrder?
    /// Name of the session; nil for that of its URL.
    var name: String?
    /// The auction to run when the settings name none.
    var auctionDocument: String?
    /// The file that receives one line for every event; `-` is standard output, which then carries nothing else.
    var eventsPath: String?
    /// Where the time comes from in a session that is attached to its tracking data; nil for a stream.
    var attached: AttachedClock?
    /// The session's creative cache.
    var cache: SessionCache?
    /// Whether the dashboard may watch another stream after this one.
    var opensStreams = false

    /// Runs the session on a URL, which may have user and password; `remembers`: whether sent beacons are recorded on disk for the next start.
    /// Returns the stream that the user opened in its place.
    @discardableResult
    func follow(_ typed: WebURL, remembers: Bool) async throws -> WebURL? {
        let time = SystemTimeSource()
        try checkFiles(remembers: remembers)
        let plan = try settings.connection.plan()
        let parts = try parts(for: typed, over: plan, time, remembers: remembers)
        let library = LibraryLines(level: settings.log.level)
        SQLiteLog.pass(to: library.sqlite)
        let client = LiveHTTPTransport(plan: plan, logger: library.http)
        let monitor = monitor(of: parts, over: client, time)
        // Cancelled at the end of this function.
        let messages = Task { await library.pass(to: monitor) }
        defer { messages.cancel() }
        let pages = StartPages.releaseWhenSettled()
        defer { pages.cancel() }
        // Cancelled at the end of this function.
        let reports = cache.map { cache in Task { await cache.report(to: monitor) } }
        defer { reports?.cancel() }
        var opened = OpenedParts(
            client: client, log: parts.log, requests: [parts.requests],
            recordings: parts.recorder.map { [OpenedParts.Recording(session: nil, file: $0)] } ?? [],
            events: parts.events, plugins: parts.slots.plugins.map { [$0] } ?? [])
        let next: WebURL?
        do {
            opened.metrics = try await Self.startMetrics(port: settings.metricsPort) {
                MetricsText.render([await monitor.health(countsEvents: true)], version: Version.current)
            }
            next = try await show(monitor, time, events: parts.events, remembers: remembers)
        } catch {
            if !(error is CommandFailure) { await reportLackOfJournal(monitor) }
            await opened.close(at: time)
            throw error
        }
        await reportLackOfJournal(monitor)
        await opened.close(at: time)
        return next
    }

    /// What the monitor needs. All of it is read, checked or opened, and may fail, before it is created.
    private struct Parts {
        let requests: SessionRequests
        let configuration: MonitorConfiguration
        let slots: SessionSlots
        /// Nil keeps no zones.
        let zones: ZoneStore?
        /// Nil records nothing.
        let recorder: RecordingFile?
        /// Nil writes no events.
        let events: EventStream?
        let journal: any Journal
        let log: LogFile?
    }

    private func parts(
        for typed: WebURL, over plan: ConnectionPlan, _ time: SystemTimeSource, remembers: Bool
    ) throws -> Parts {
        let requests = try SessionRequests(settings.requests, typed: typed, over: plan, time: time)
        var configuration = try configuration(for: requests.url)
        configuration.additions = requests.additions
        configuration.name = name
        configuration.log.hidden = settings.screen.hiddenLog
        let slots = try SessionSlots(settings.adSpaces, auction: &configuration.auction)
        configuration.formats = slots.configuration
        let zones = try slots.zoneStore(settings.adSpaces, remembers: remembers)
        configuration.formats?.keepsZones = zones != nil
        configuration.writesHistory = remembers || eventsPath != nil
        configuration.warmsCache = cache != nil
        let recorder = try recording.map { try openRecording($0, configuration) }
        let events = try eventsPath.map { try Self.openEvents($0, isHeadless: dump?.isPlain == false) }
        return Parts(
            requests: requests, configuration: configuration, slots: slots, zones: zones, recorder: recorder,
            events: events, journal: try makeJournal(remembers: remembers, events: events),
            log: try Self.openLog(settings.log))
    }

    private func monitor(of parts: Parts, over client: LiveHTTPTransport, _ time: SystemTimeSource) -> Monitor {
        let transport = parts.requests.transport(over: client)
        return Monitor(
            parts.configuration, transport: transport, time: time, journal: parts.journal, recorder: parts.recorder,
            logSink: parts.log?.session(SessionView.name(of: parts.requests.url)), plugins: parts.slots.plugins,
            keeper: cache.map { ShelfKeeper(shelf: $0.shelf, time: time) },
            zones: parts.zones.map { SessionZones(store: $0, transport: transport, time: time) },
            opener: OpenCommand.opener(settings.adSpaces.openCommand))
    }

    private func checkFiles(remembers: Bool) throws(CommandFailure) {
        try WrittenFiles.check([
            "--journal": WrittenFiles.journal(settings.journal, isKept: remembers), "--record": recording?.path,
            "--events": eventsPath, "--log-file": settings.log.file, "--cookie-jar": settings.requests.cookieJar,
        ])
    }

    /// Shows the session until it ends or the user leaves. Returns the stream that the user opened in its place.
    private func show(
        _ monitor: Monitor, _ time: SystemTimeSource, events: EventStream?, remembers: Bool
    ) async throws -> WebURL? {
        let live = LiveSession(monitor: monitor, time: time, cache: cache)
        if let dump, dump.isPlain {
            try await PlainRun(plan: dump, settings: settings).run(live)
        } else if let dump {
            try await DumpRun(
                plan: dump, settings: settings, time: time, printsFrame: eventsPath != "-", events: events
            ).run(monitor)
        } else {
            let screen = DashboardRun(
                settings: settings.screen, opensStreams: opensStreams, headless: ["--plain", "--dump"])
            let next = try await screen.run(live)
            let last = await monitor.snapshot()
            Output.summary(ExitSummary.line(last))
            ClosingAdvice(
                journal: remembers ? settings.journal : nil, recordings: recording.map { [$0.path] } ?? [],
                hasBeacons: Verdict(last).beacons.due > 0
            ).lines.forEach(Output.note)
            return next
        }
        return nil
    }

    /// Why a session that could have sent its beacons did not.
    private func reportLackOfJournal(_ monitor: Monitor) async {
        let snapshot = await monitor.snapshot()
        guard snapshot.session.lacksJournal, settings.session.mode != .observe, !settings.session.isReadonly else {
            return
        }
        let rules = [SessionRule.journalFailed, .sessionInUse].map(\.rawValue)
        let finding = snapshot.findings.last { rules.contains($0.finding.rule) }
        Output.error("\(finding?.finding.message ?? "the journal cannot be written"); beacons were not sent")
    }

    /// The log file; nil when the settings name none.
    static func openLog(_ settings: LogSettings) throws(CommandFailure) -> LogFile? {
        guard let path = settings.file else { return nil }
        return try LogFile(path: path, level: settings.level)
    }

    private func makeJournal(remembers: Bool, events: EventStream?) throws(CommandFailure) -> any Journal {
        let base: any Journal = remembers ? try JournalPlace.file(settings.journal).session() : InMemoryJournal()
        guard let events else { return base }
        return EventStreamJournal(base, stream: events, isRedacted: dump?.isRedacted ?? true)
    }

    static func openEvents(_ path: String, isHeadless: Bool) throws(CommandFailure) -> EventStream {
        // On a terminal the dashboard uses standard output.
        guard path != "-" || isHeadless else {
            throw CommandFailure(.usage, "--events -: needs --dump; give a file to use the dashboard or --plain")
        }
        do throws(FileProblem) {
            return try EventStream(path: path)
        } catch {
            throw CommandFailure(.usage, "--events: \(error)")
        }
    }

    /// The metrics server; nil without a port. A port that the system selected is reported on stderr.
    static func startMetrics(
        port wanted: Int?, text: @escaping @Sendable () async -> String
    ) async throws(CommandFailure) -> MetricsServer? {
        guard let wanted else { return nil }
        let server = MetricsServer(port: wanted, text: text)
        do throws(ListenProblem) {
            let port = try await server.start()
            if wanted == 0 { Output.note("metrics http://127.0.0.1:\(port)/metrics") }
            return server
        } catch {
            throw CommandFailure(.usage, error.text(flag: "--\(Setting.metricsPort.rawValue)"))
        }
    }

    /// The configuration of a session on `mediaURL`.
    func configuration(for mediaURL: WebURL) throws(CommandFailure) -> MonitorConfiguration {
        let session = settings.session
        var configuration = MonitorConfiguration(mediaURL: mediaURL)
        configuration.provider = session.provider
        configuration.following.attached = attached
        configuration.isInitRequest = session.isInitRequest
        configuration.keep = session.keep
        configuration.metadataInterval = session.poll
        if let mode = session.mode { (configuration.mode, configuration.sending.firesByDefault) = (mode, false) }
        configuration.sending.allowsPrivate = session.allowsPrivate
        let certificates = settings.connection.certificates
        try certificates.check(session.mode, mediaURL)
        configuration.sending.isReadonly = session.isReadonly || !certificates.mayFire(for: mediaURL)
        configuration.sending.allowHosts = session.allowHosts
        configuration.sending.reportsAnyway = certificates.firesAnyway
        configuration.userAgent = session.userAgent ?? MonitorConfiguration.defaultUserAgent(version: Version.current)
        configuration.rate = session.rate
        configuration.start = session.start
        configuration.following.variant = session.variant
        configuration.following.prefersLowLatency = session.isLowLatency
        configuration.playsInterstitials = session.playsInterstitials
        configuration.decision = try decisionSource()
        configuration.macros = settings.clientSide.macros
        configuration.retry = session.retry
        configuration.renewal = session.renews ? .automatic : .never
        configuration.sending.sendsWithoutJournal = settings.journal.loss == .send
        configuration.auction = try auctionSetup()
        // Different processes must not poll in step. A recording holds the seed, so a replay uses the same one.
        configuration.seed = session.seed ?? UInt64.random(in: .min ... .max)
        return configuration
    }

    private func auctionSetup() throws(CommandFailure) -> AuctionSetup? {
        var document = auctionDocument
        if let place = settings.auction {
            do throws(FileProblem) {
                document = String(
                    decoding: try FileText.read(place, maximumBytes: Auction.maximumBytes), as: UTF8.self)
            } catch {
                throw CommandFailure(.usage, "--auction: \(error)")
            }
        }
        guard let document else { return nil }
        let place = settings.auction ?? "auction"
        do {
            return try AuctionSetup(try JSONReader.read(document))
        } catch let problem as JSONProblem {
            throw CommandFailure(
                .usage, "--auction: \(place):\(problem.line):\(problem.column): not JSON: \(problem.message)")
        } catch {
            throw CommandFailure(.usage, "--auction: \(place): \(error) (docs/auction.md describes the document)")
        }
    }

    private func decisionSource() throws(CommandFailure) -> DecisionSource? {
        if let tag = settings.clientSide.vast { return .vast(tag: tag) }
        guard let place = settings.clientSide.vmap else { return nil }
        if InputFile.isAddress(place) { return .vmap(tag: place) }
        do throws(FileProblem) {
            return .vmapDocument(try FileText.read(place, maximumBytes: Limits.vastBytes))
        } catch {
            throw CommandFailure(.usage, "--vmap: \(error)")
        }
    }

    private func openRecording(
        _ order: RecordingOrder, _ configuration: MonitorConfiguration
    ) throws(CommandFailure) -> RecordingFile {
        do throws(FileProblem) {
            return try RecordingFile(path: order.path, configuration: configuration, redaction: order.redaction)
        } catch {
            throw CommandFailure(.usage, "--record: \(error)")
        }
    }
}
