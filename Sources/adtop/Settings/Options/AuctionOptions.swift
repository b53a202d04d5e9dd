import ArgumentParser

/// The auction beside a session.
struct AuctionOptions: ParsableArguments {
    @Option(help: .of(.auction, "file"), completion: .files("json"))
    var auction: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.auction] = auction
        return settings
    }
}
