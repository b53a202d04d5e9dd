import ArgumentParser

/// How a session is opened and its playlist followed. A session that is attached to its tracking data has neither.
struct PlaylistOptions: ParsableArguments {
    @Flag(help: "Do not request a session with initSession=true.")
    var noInitRequest = false

    @Flag(
        help: """
            Open no new session when the server ends the session. With --dump or --plain a single stream then ends with \
            exit code 4; otherwise it stays as it is, with the state over.
            """)
    var noRenew = false

    @Option(help: .of(.variant, "variant"), completion: .of(.variant))
    var variant: String?

    @Flag(help: "Do not use blocking reloads, delta updates and parts, even if the server offers them.")
    var noLowLatency = false

    @Flag(help: "List interstitials without playing them and without requesting their assets.")
    var noInterstitials = false

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.initRequest] = noInitRequest ? "no" : nil
        settings[.renew] = noRenew ? "no" : nil
        settings[.variant] = variant
        settings[.lowLatency] = noLowLatency ? "no" : nil
        settings[.interstitials] = noInterstitials ? "no" : nil
        return settings
    }
}
