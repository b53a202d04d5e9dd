import ArgumentParser

/// What runs beside a session, and its seed.
struct BesideOptions: ParsableArguments {
    @Option(help: .of(.metricsPort, "port"))
    var metricsPort: String?

    @Option(help: .of(.seed, "number"))
    var seed: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.metricsPort] = metricsPort
        settings[.seed] = seed
        return settings
    }
}
