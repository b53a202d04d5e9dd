import AdTracking
import ArgumentParser
import Live
import Ports
import Session

/// `adtop attach TRACKING_URL`
struct AttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Follow a running session from the address of its tracking data alone.",
        discussion: """
            There is no playlist: what is on air follows from the wall clock. --pdt-offset corrects it for a viewer behind \
            the live edge, or gives the date of second 0 of a session whose answers have no dates. Nothing is sent: \
            the player of the session reports. adtop providers names the services whose answers have times.

            Examples:
              adtop attach 'https://example.com/v1/tracking/HASH/NAME/SESSION'
              adtop attach 'https://example.com/live/metadata?sessid=1' --pdt-offset -20s
              adtop attach URL --pdt-offset 2027-01-01T20:15:00Z --dump --until ad-start

            Exit codes: 0 success, 2 usage error, 5 an output file is incomplete. With --dump or --plain also 3 network \
            error, 4 the session is over, or the answers are not its tracking data, 5 interrupted, or --until was not \
            reached.
            """)

    @Argument(help: ArgumentHelp("Address of the tracking data of a running session.", valueName: "url"))
    var place: String

    // A span behind the clock begins like an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Program dates minus wall clock, such as -20s, or the date of second 0 of the session (default 0s).",
            valueName: "time"))
    var pdtOffset: String?

    @OptionGroup(title: "Session") var session: AttachOptions
    @OptionGroup(title: "Screen") var screen: ScreenOptions
    @OptionGroup(title: "Headless") var dump: DumpOptions

    func run() async throws {
        let url = try Self.url(place)
        let clock = try pdtOffset.map { try Self.clock($0, at: SystemTimeSource().now()) } ?? .offset(.zero)
        try rejectSending()
        try rejectRequestsForAds()
        var settings = try SettingsLoader(configPath: screen.config)
            .load(flags: session.settings.merging(screen.settings) { first, _ in first }, warn: Output.error)
        if let problem = settings.session.provider.attachProblem(of: url) {
            throw CommandFailure(.usage, "attach: '\(Redaction.url(url.text))' \(problem)")
        }
        try session.cache.rejectPortAlone(settings)
        settings.session.observes()
        // The config file may name a schedule for streams, which would be requested and never used.
        settings.clientSide = ClientSideSettings()
        let plan = try dump.plan(of: .stream, events: session.files.events)
        let cache = settings.servesCache ? try SessionCache(settings.cache, input: settings.input) : nil
        defer { cache?.stop() }
        var run = SessionRun(
            settings: settings, dump: plan, recording: session.files.recording, eventsPath: session.files.events,
            cache: cache)
        run.attached = clock
        try await run.follow(url, remembers: settings.journal.isKept)
    }

    /// The player of the session reports, and a second report would be a view that never was.
    private func rejectSending() throws(CommandFailure) {
        let given = [(session.sending.fire, "--fire"), (session.sending.fireAnyway, "--fire-anyway")]
        guard let flag = given.first(where: \.0)?.1 else { return }
        throw CommandFailure(
            .usage, "attach: \(flag): another player reports this session; 'adtop URL' opens one to report")
    }

    /// The viewer requests ads for the breaks of a playlist.
    private func rejectRequestsForAds() throws(CommandFailure) {
        guard let flag = session.clientSide.given else { return }
        throw CommandFailure(
            .usage, "attach: \(flag): there is no playlist with breaks to request ads for; 'adtop URL' has one")
    }

    /// The address; one sentence for anything else.
    static func url(_ text: String) throws(CommandFailure) -> WebURL {
        switch try Door([text]) {
        case .stream(let url): return url
        case .recording, .streams:
            throw CommandFailure(.usage, "attach: '\(text)' is a recording; 'adtop replay' replays it")
        }
    }

    /// Reads `--pdt-offset`.
    static func clock(_ text: String, at now: Moment) throws(CommandFailure) -> AttachedClock {
        let limit: Duration = .seconds(7 * 86_400)
        if let date = UnixTime(typed: text) {
            guard date <= now.wall, now.wall - date <= limit else {
                throw CommandFailure(.usage, "--pdt-offset: '\(text)' is not within the last 7 days")
            }
            return .zero(date)
        }
        // The error of the duration parser would mislead a user who meant a date.
        guard let span = try? Duration(text: text), span.magnitude <= limit else {
            throw CommandFailure(
                .usage,
                "--pdt-offset: '\(text)' is not a duration such as -20s, up to 7d, or a date such as "
                    + "2027-01-01T20:15:00Z")
        }
        return .offset(span)
    }
}

extension SessionSettings {
    /// Nothing of the session is sent, and none replaces it.
    fileprivate mutating func observes() {
        (mode, isReadonly, renews) = (.observe, true, false)
    }
}
