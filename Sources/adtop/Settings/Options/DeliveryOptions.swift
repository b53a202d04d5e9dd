import ArgumentParser

/// How beacons are sent, and what keeps them from being sent.
struct DeliveryOptions: ParsableArguments {
    @Option(help: .of(.retry, "safe|standard|never"), completion: .of(.retry))
    var retry: String?

    @Option(help: .of(.journalLoss, "stop|send"), completion: .of(.journalLoss))
    var journalLoss: String?

    @Flag(help: "Disable the keys that arm the session or send beacons.")
    var readonly = false

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.retry] = retry
        settings[.journalLoss] = journalLoss
        settings[.readonly] = readonly ? "yes" : nil
        return settings
    }
}
