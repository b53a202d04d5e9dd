import ArgumentParser

/// What the viewer follows, and which hosts may get a request.
struct StreamOptions: ParsableArguments {
    @Option(help: .of(.provider), completion: .of(.provider))
    var provider: String?

    @Option(
        help: ArgumentHelp(
            "Send beacons only to this host, wherever it is: a private address too (repeatable).", valueName: "host"))
    var allowHost: [String] = []

    @Flag(help: "Let a public stream name private and loopback addresses, for its playlists as well as its beacons.")
    var allowPrivate = false

    @Option(help: .of(.poll, "duration"))
    var poll: String?

    @Option(help: .of(.keep, "duration"))
    var keep: String?

    @Option(help: .of(.rate, "number"))
    var rate: String?

    @Option(parsing: .unconditional, help: .of(.start, "point"), completion: .list(["live"]))
    var start: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.provider] = provider
        settings.give(.allowHost, allowHost)
        settings[.allowPrivate] = allowPrivate ? "yes" : nil
        settings[.poll] = poll
        settings[.keep] = keep
        settings[.rate] = rate
        settings[.start] = start
        return settings
    }
}
