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

            Exit codes: 0 success, 2 usage error, 3 network error, 4 the session is over (--no-renew), 5 interrupted, or \
            --until was not reached.
            """)

    @Argument(help: "URL of a multivariant or media playlist, or of a session endpoint.")
    var url: String

    @OptionGroup(title: "Session") var session: SessionOptions
    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: DumpOptions

    func run() async throws {
        let mediaURL: WebURL
        do throws(WebURLProblem) {
            mediaURL = try WebURL(url)
        } catch {
            let problem = error == .notHTTP(scheme: nil) ? "is neither a command nor an http(s) URL" : error.explanation
            throw CommandFailure(.usage, "'\(url)' \(problem); give the URL of a stream, or see adtop --help")
        }
        let settings = try SettingsLoader(configPath: screen.config)
            .load(flags: session.settings.merging(screen.settings) { first, _ in first }, warn: Output.error)
        let plan = dump.dump ? try dump.plan() : nil
        let cache = settings.servesCache ? try SessionCache(settings.cache) : nil
        defer { cache?.stop() }
        try await SessionRun(
            settings: settings, dump: plan, recording: session.files.recording, eventsPath: session.files.events,
            cache: cache
        ).follow(mediaURL, remembers: settings.journal.isKept)
    }
}
