import ArgumentParser

/// What is remembered about beacons.
struct JournalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Journal of sessions and beacons (default $XDG_STATE_HOME/adtop/journal.sqlite).", valueName: "file"),
        completion: .files("sqlite"))
    var journal: String?

    @Flag(help: "Keep no journal: a restart does not resume sessions.")
    var noJournal = false

    mutating func validate() throws {
        if journal != nil, noJournal {
            throw ValidationError("--journal and --no-journal exclude each other; give one")
        }
    }

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.journal] = noJournal ? "no" : journal
        return settings
    }
}
