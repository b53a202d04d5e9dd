import ArgumentParser
import DemoOrigin
import Live
import OriginServer
import Ports
import Session

/// The options that only `adtop demo` has; a group of their own, because the parser puts options without one below all others.
struct DemoOptions: ParsableArguments {
    @Option(
        help: "Scenario: name or YAML file (default: \(BuiltinScenarios.demoName) with a tracker that fails).",
        completion: .files("yaml", "yml", or: BuiltinScenarios.names))
    var scenario: String?

    @Flag(help: "List the scenarios, each with a sentence, and exit.")
    var list = false

    @Option(help: "Port of the origin on 127.0.0.1; 0 selects a free port.")
    var port = 0
}

/// `adtop demo`
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Watch a live stream with ads from the embedded origin on this machine.",
        discussion: """
            Beacons are sent to the origin's own collector. Each run starts a new stream.

            Examples:
              adtop demo
              adtop demo --scenario flaky-trackers
              adtop demo --dump --until break-end --format json

            Without --scenario it is rush with a break at once and one tracker that fails on purpose; --list names all \
            scenarios.

            Exit codes: 0 success, 2 usage error or port in use, 5 an output file is incomplete. With --dump or --plain \
            also 3 the stream was not opened, 4 the origin ended the session (--no-renew), 5 interrupted, --until was \
            not reached, or --fire could send nothing.
            """)

    @OptionGroup(title: "Demo") var own: DemoOptions
    @OptionGroup(title: "Session") var session: SessionOptions
    @OptionGroup(title: "Session") var creatives: SessionCacheOptions
    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: DumpOptions

    func run() async throws {
        guard !own.list else { return Self.listScenarios() }
        var settings = try SettingsLoader(configPath: screen.config)
            .load(flags: .joining([session.settings, creatives.settings, screen.settings]), warn: Output.error)
        let plan = try dump.plan(of: .stream, events: session.files.events)
        let origin = try OriginSetup.server(scenario: own.scenario, port: own.port, seed: settings.session.seed ?? 1)
        let address = try await OriginSetup.start(origin)
        let input = settings.input
        let cache = try SessionCache(settings.cache, input: input)
        let transport = LiveHTTPTransport(plan: try settings.connection.plan())
        let traffic = DemoCacheTraffic(
            cache: cache, origin: "http://\(address.authority)", transport: transport)
        // Ended below, with the session.
        let pages = Task { await traffic.run() }
        do {
            let url = try WebURL(address.streamURL)
            // For breaks that the viewer fills itself, the scenario gives the VAST tag.
            if !settings.clientSide.hasSource { settings.clientSide.vast = address.vastTag }
            if settings.adSpaces.adServer == nil { settings.adSpaces.adServer = try WebURL(address.zonesURL) }
            if settings.adSpaces.slots.isEmpty { settings.adSpaces.slots = SlotText.demo }
            // The beacons are what the demo is about; :log all shows the rest.
            settings.screen.showsTip = own.scenario == nil
            settings.screen.hiddenLog = [.formats, .auction]
            // The stream ends with this process, so a journal is kept only on request.
            var run = SessionRun(
                settings: settings, dump: plan, recording: session.files.recording, eventsPath: session.files.events,
                cache: cache)
            // The address of the origin does not tell one scenario from another.
            run.name = (own.scenario ?? BuiltinScenarios.demoName).split(separator: "/").last
                .map { String($0.prefix { $0 != "." }) }
            run.auctionDocument = DemoAuctionText.document(base: "http://\(address.authority)")
            try await run.follow(url, remembers: settings.journal.place.path != nil)
        } catch {
            await stop(pages, transport, cache, origin)
            throw error
        }
        await stop(pages, transport, cache, origin)
    }

    private static func listScenarios() {
        let columns = (BuiltinScenarios.names.map(\.count).max() ?? 0) + 2
        for (name, summary) in BuiltinScenarios.summaries {
            guard Output.line(name.padding(to: columns) + summary) else { return }
        }
    }

    private func stop(
        _ pages: Task<Void, Never>, _ transport: LiveHTTPTransport, _ cache: SessionCache, _ origin: DemoServer
    ) async {
        pages.cancel()
        _ = await WayOut.within(WayOut.origin) {
            await pages.value
            await transport.shutdown()
            cache.stop()
            await origin.stop()
        }
    }
}
