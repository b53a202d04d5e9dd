import ArgumentParser

/// How the viewer follows the stream, and what it may send.
struct StreamOptions: ParsableArguments {
    @Option(help: .of(.provider), completion: .of(.provider))
    var provider: String?

    @Flag(help: "Show the beacons that are due but send none (default for streams that are not on loopback).")
    var observe = false

    @Flag(help: "Send the beacons that are due (default for streams on loopback).")
    var fire = false

    @Option(
        help: ArgumentHelp(
            "Send beacons only to this host, wherever it is: a private address too (repeatable).", valueName: "host"))
    var allowHost: [String] = []

    @Flag(help: "Let a public stream name private and loopback addresses, for its playlists as well as its beacons.")
    var allowPrivate = false

    @Flag(help: "Do not request a session with initSession=true.")
    var noInitRequest = false

    @Flag(help: "Request no new session when the server ends the session; --dump then ends with exit code 4.")
    var noRenew = false

    @Option(help: .of(.poll, "duration"))
    var poll: String?

    @Option(help: .of(.keep, "duration"))
    var keep: String?

    @Option(help: .of(.rate, "number"))
    var rate: String?

    @Option(parsing: .unconditional, help: .of(.start, "point"), completion: .list(["live"]))
    var start: String?

    @Option(help: .of(.variant, "variant"), completion: .of(.variant))
    var variant: String?

    @Flag(help: "Do not use blocking reloads, delta updates and parts, even if the server offers them.")
    var noLowLatency = false

    @Flag(help: "List interstitials without playing them and without requesting their assets.")
    var noInterstitials = false

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.provider] = provider
        settings[.mode] = observe ? "observe" : fire ? "fire" : nil
        settings[.allowPrivate] = allowPrivate ? "yes" : nil
        settings.give(.allowHost, allowHost)
        settings[.initRequest] = noInitRequest ? "no" : nil
        settings[.renew] = noRenew ? "no" : nil
        settings[.poll] = poll
        settings[.keep] = keep
        settings[.rate] = rate
        settings[.start] = start
        settings[.variant] = variant
        settings[.lowLatency] = noLowLatency ? "no" : nil
        settings[.interstitials] = noInterstitials ? "no" : nil
        return settings
    }
}
