import ArgumentParser

/// The ads that the viewer requests itself, for the breaks of a playlist: for a tag or a schedule.
struct ClientSideOptions: ParsableArguments {
    @Option(help: .of(.vast, "tag"))
    var vast: String?

    @Option(help: .of(.vmap, "tag|file"), completion: .files("xml", "vmap"))
    var vmap: String?

    @Option(
        name: .customLong("macro"),
        help: ArgumentHelp(
            "Value of a macro in tags and beacons; commas separate list members (repeatable).", valueName: "name=value")
    )
    var macros: [String] = []

    mutating func validate() throws {
        if vast != nil, vmap != nil { throw ValidationError("--vast and --vmap exclude each other; give one") }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.vast] = vast
        settings[.vmap] = vmap
        settings.give(.macro, macros)
        return settings
    }

    /// The first flag that is given; nil without any.
    var given: String? {
        vast != nil ? "--vast" : vmap != nil ? "--vmap" : macros.isEmpty ? nil : "--macro"
    }
}
