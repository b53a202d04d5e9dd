import ArgumentParser

/// What is remembered about beacons, and which of them are repeated.
struct JournalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Journal of sessions and beacons (default $XDG_STATE_HOME/adtop/journal.sqlite).", valueName: "file"),
        completion: .files("sqlite"))
    var journal: String?

    @Flag(help: "Keep no journal: a restart does not resume sessions.")
    var noJournal = false

    @Option(help: .of(.journalLoss, "stop|send"), completion: .of(.journalLoss))
    var journalLoss: String?

    @Option(help: .of(.retry, "safe|standard|never"), completion: .of(.retry))
    var retry: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.journal] = noJournal ? "no" : journal
        settings[.journalLoss] = journalLoss
        settings[.retry] = retry
        return settings
    }
}
