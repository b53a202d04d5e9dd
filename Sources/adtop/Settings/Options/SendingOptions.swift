import ArgumentParser

/// Whether the beacons that are due are sent.
struct SendingOptions: ParsableArguments {
    @Flag(help: "Show the beacons that are due but send none (default for streams that are not on loopback).")
    var observe = false

    @Flag(help: "Send the beacons that are due (default for streams on loopback).")
    var fire = false

    @Flag(
        help: """
            Send beacons to public hosts in spite of --insecure, and those that another party may report too: they may then \
            count twice.
            """)
    var fireAnyway = false

    mutating func validate() throws {
        if observe, fire { throw ValidationError("--observe and --fire exclude each other; give one") }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.mode] = observe ? "observe" : fire ? "fire" : nil
        settings[.fireAnyway] = fireAnyway ? "yes" : nil
        return settings
    }
}
