import ArgumentParser

/// What runs beside a session, and its seed.
struct BesideOptions: ParsableArguments {
    @Option(help: .of(.metricsPort, "port"))
    var metricsPort: String?

    @Flag(help: "Cache the creatives of auctions and serve them to pages on this computer.")
    var cache = false

    @Option(help: .of(.cachePort, "port"))
    var cachePort: String?

    @Option(help: .of(.seed, "number"))
    var seed: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.metricsPort] = metricsPort
        settings[.cache] = cache ? "yes" : nil
        settings[.cachePort] = cachePort
        settings[.seed] = seed
        return settings
    }
}
