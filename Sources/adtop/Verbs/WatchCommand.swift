import ArgumentParser
import Ports

/// `adtop [watch] URL`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Follow a live or VOD stream and its ad breaks.",
        discussion: """
            Examples:
              adtop https://example.com/live/master.m3u8
              adtop https://example.com/live/master.m3u8 --fire --allow-host t.example.com
              adtop https://example.com/live/master.m3u8 \\
                --vast 'https://ads.example.com/vast?d=[BREAKMAXDURATION]'
              adtop https://example.com/live/master.m3u8 --auction ads.json --view auction
              adtop https://example.com/live/master.m3u8 --dump --until 5-beacons

            Exit codes: 0 success, 2 usage error, 5 an output file is incomplete. With --dump or --plain also 3 the \
            stream was not opened, 4 the server ended the session (--no-renew), 5 interrupted, --until was not \
            reached, or --fire could send nothing.
            """)

    @Argument(
        help: ArgumentHelp(
            "URL of a multivariant or media playlist, or of a session endpoint; several are followed as by monitor. A "
                + "recording is replayed.", valueName: "url"), completion: .files("adtop"))
    var places: [String] = []

    @OptionGroup(title: "Session") var session: SessionOptions
    @OptionGroup(title: "Session") var creatives: SessionCacheOptions
    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: DumpOptions

    func run() async throws {
        switch try Door(places) {
        case .stream(let url): try await follow(url)
        case .streams(let urls):
            let start = MonitorStart(session: session, creatives: creatives, screen: screen, dump: dump)
            try await start.run { SessionList(urls) }
        case .recording(let file): try await ReplayRun(file: file, screen: screen, dump: dump).run()
        }
    }

    private func follow(_ mediaURL: WebURL) async throws {
        let settings = try SettingsLoader(configPath: screen.config)
            .load(flags: .joining([session.settings, creatives.settings, screen.settings]), warn: Output.error)
        let plan = try dump.plan(of: .stream, events: session.files.events)
        try creatives.rejectPortAlone(settings)
        let cache =
            settings.servesCache ? try SessionCache(settings.cache, input: settings.input) : nil
        defer { cache?.stop() }
        let files = session.files
        let run = SessionRun(
            settings: settings, dump: plan, recording: files.recording, eventsPath: files.events, cache: cache,
            // A recording, an event stream and a cache belong to one session.
            opensStreams: plan == nil && files.recording == nil && files.events == nil && cache == nil)
        var next: WebURL? = mediaURL
        while let url = next { next = try await run.follow(url, remembers: settings.journal.isKept) }
    }
}
