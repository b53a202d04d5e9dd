import ArgumentParser

/// The creative cache of a session. Many sessions have none.
struct SessionCacheOptions: ParsableArguments {
    @Flag(help: "Cache the creatives of auctions and serve them to pages on this computer.")
    var cache = false

    @Option(help: .of(.cachePort, "port"))
    var cachePort: String?

    /// The settings given as flags.
    var settings: [Setting: String] {
        var settings: [Setting: String] = [:]
        settings[.cache] = cache ? "yes" : nil
        settings[.cachePort] = cachePort
        return settings
    }

    /// Throws for a port without a cache that listens on it.
    func rejectPortAlone(_ settings: Settings) throws(CommandFailure) {
        guard cachePort != nil, !settings.servesCache else { return }
        throw CommandFailure(.usage, "--cache-port: has an effect only with --cache; add it")
    }

    /// Throws where many sessions are followed: a cache would be of none of them.
    func reject() throws(CommandFailure) {
        guard let flag = cache ? "--cache" : cachePort.map({ _ in "--cache-port" }) else { return }
        throw CommandFailure(.usage, "\(flag): needs a single stream, whose creatives it caches; give one URL")
    }
}
