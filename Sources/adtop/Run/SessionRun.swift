import AdTracking
import Bidding
import Live
import Logging
import Monitoring
import Ports

/// One session from settings to its end: makes the live ports, starts the monitor, and lets a dump or the dashboard show it.
struct SessionRun {
    let settings: Settings
    /// Nil: the dashboard.
    let dump: DumpPlan?
    /// Nil: nothing is recorded.
    let recording: RecordingOrder?
    /// The auction that is held where the settings name none.
    var auctionDocument: String?
    /// Gets a line for everything that happens; `-` is standard output, which then has nothing else.
    var eventsPath: String?
    /// The creative cache that is shown with it.
    var cache: SessionCache?

    /// `remembers`: whether sent beacons are kept on disk across restarts.
    func follow(_ mediaURL: WebURL, remembers: Bool) async throws {
        let time = SystemTimeSource()
        var configuration = try configuration(for: mediaURL)
        let slots = try SessionSlots(settings, auction: &configuration.auction)
        configuration.formats = slots.configuration
        let zoneStore = try slots.zoneStore(settings, remembers: remembers)
        configuration.formats?.keepsZones = zoneStore != nil
        configuration.writesHistory = remembers || eventsPath != nil
        configuration.warmsCache = cache != nil
        let recorder = try recording.map { try openRecording($0, configuration) }
        let events = try eventsPath.map { try Self.openEvents($0, isHeadless: dump != nil) }
        let journal = try makeJournal(remembers: remembers, events: events)
        let log = try Self.openLog(settings)
        let library = LibraryLines(level: settings.logLevel)
        SQLiteLog.pass(to: library.sqlite)
        let transport = try makeTransport(library.http)
        let monitor = Monitor(
            configuration, transport: transport, time: time, journal: journal, recorder: recorder,
            logSink: log?.session(SessionView.name(of: mediaURL)), plugins: slots.plugins,
            keeper: cache.map { ShelfKeeper(shelf: $0.shelf, time: time) },
            zones: zoneStore.map { SessionZones(store: $0, transport: transport, time: time) },
            opener: settings.openCommand.map { command in { @Sendable address in _ = command.open(address) } })
        // Ended below, as the next.
        let said = Task { await library.pass(to: monitor) }
        defer { said.cancel() }
        // Ended below, whatever becomes of the session.
        let reports = cache.map { cache in Task { await cache.report(to: monitor) } }
        defer { reports?.cancel() }
        var metrics: MetricsServer?
        do {
            metrics = try await Self.startMetrics(settings) {
                MetricsText.render([await monitor.health()], version: Adtop.version)
            }
            if let dump {
                try await DumpRun(plan: dump, settings: settings, time: time, printsFrame: eventsPath != "-")
                    .run(monitor)
            } else {
                try await DashboardRun(settings: settings).run(
                    LiveSession(monitor: monitor, time: time, cache: cache))
            }
        } catch {
            await finish(transport, recorder, events, metrics, log)
            throw error
        }
        await finish(transport, recorder, events, metrics, log)
    }

    private func finish(
        _ transport: LiveHTTPTransport, _ recorder: RecordingFile?, _ events: EventStream?, _ metrics: MetricsServer?,
        _ log: LogFile?
    ) async {
        await metrics?.stop()
        await transport.shutdown()
        if let problem = await recorder?.finish() { Output.error(problem) }
        if let problem = await events?.finish() { Output.error(problem) }
        if let problem = await log?.finish() { Output.error(problem) }
    }

    /// Nil where the settings name none.
    static func openLog(_ settings: Settings) throws(CommandFailure) -> LogFile? {
        guard let path = settings.logFile else { return nil }
        return try LogFile(path: path, level: settings.logLevel)
    }

    private func makeJournal(remembers: Bool, events: EventStream?) throws(CommandFailure) -> any Journal {
        let base: any Journal = remembers ? try JournalPlace.file(settings).session() : InMemoryJournal()
        guard let events else { return base }
        return EventStreamJournal(base, stream: events, isRedacted: dump?.isRedacted ?? true)
    }

    static func openEvents(_ path: String, isHeadless: Bool) throws(CommandFailure) -> EventStream {
        // On a terminal the dashboard has standard output.
        guard path != "-" || isHeadless else {
            throw CommandFailure(.usage, "--events - needs --dump; name a file to have both")
        }
        do throws(FileProblem) {
            return try EventStream(path: path)
        } catch {
            throw CommandFailure(.usage, "cannot write events: \(error)")
        }
    }

    /// Nil where none are wanted. A free port is named on stderr: nobody else knows it.
    static func startMetrics(
        _ settings: Settings, text: @escaping @Sendable () async -> String
    ) async throws(CommandFailure) -> MetricsServer? {
        guard let wanted = settings.metricsPort else { return nil }
        let server = MetricsServer(port: wanted, text: text)
        do throws(MetricsServer.Problem) {
            let port = try await server.start()
            if wanted == 0 { Output.note("metrics http://127.0.0.1:\(port)/metrics") }
            return server
        } catch {
            throw CommandFailure(.usage, "cannot serve metrics: \(error.message)")
        }
    }

    /// What a session on `mediaURL` is told at its start.
    func configuration(for mediaURL: WebURL) throws(CommandFailure) -> MonitorConfiguration {
        var configuration = MonitorConfiguration(mediaURL: mediaURL)
        configuration.provider = settings.provider
        configuration.isInitRequest = settings.isInitRequest
        configuration.keep = settings.keep
        configuration.metadataInterval = settings.poll
        if let mode = settings.mode { configuration.mode = mode }
        configuration.isReadonly = settings.isReadonly
        configuration.allowHosts = settings.allowHosts
        configuration.userAgent = settings.userAgent ?? MonitorConfiguration.defaultUserAgent(version: Adtop.version)
        configuration.rate = settings.rate
        configuration.start = settings.start
        configuration.prefersLowLatency = settings.isLowLatency
        configuration.playsInterstitials = settings.playsInterstitials
        configuration.decision = try decisionSource()
        configuration.macros = settings.macros
        configuration.sendsWithoutJournal = settings.sendsWithoutJournal
        configuration.auction = try auctionSetup()
        // Different processes must not poll in step; a recording holds the seed, so a replay does not ask again.
        configuration.seed = settings.seed ?? UInt64.random(in: .min ... .max)
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
                .usage, "--auction: \(place):\(problem.line):\(problem.column): is not JSON: \(problem.message)")
        } catch {
            throw CommandFailure(.usage, "--auction: \(place): \(error) (docs/auction.md describes the document)")
        }
    }

    private func decisionSource() throws(CommandFailure) -> DecisionSource? {
        if let tag = settings.vast { return .vast(tag: tag) }
        guard let place = settings.vmap else { return nil }
        if place.hasPrefix("http:") || place.hasPrefix("https:") { return .vmap(tag: place) }
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
            throw CommandFailure(.usage, "cannot record: \(error)")
        }
    }

    private func makeTransport(_ logger: Logger) throws(CommandFailure) -> LiveHTTPTransport {
        do throws(FileProblem) {
            return try LiveHTTPTransport(logger: logger)
        } catch {
            throw CommandFailure(.network, "\(error)")
        }
    }
}
