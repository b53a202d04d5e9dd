import ArgumentParser
import CreativeCache
import CreativeServer

/// `adtop cache`
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Cache winning creatives on this computer and serve them to pages.",
        discussion: """
            The server replaces Prebid Cache: https://localhost:16257/ID returns the creative, /cache?uuid=ID the \
            bid. All verbs use one folder ($XDG_CACHE_HOME/adtop/creatives); a running server sees their changes.

            Examples:
              adtop cache serve
              adtop cache put banner.html --id 0a6f0a3e --ttl 5m
              curl --cacert "$(adtop cache cert show --path)" https://localhost:16257/ID
            """,
        subcommands: [
            CacheServeCommand.self, CachePutCommand.self, CacheWarmCommand.self, CacheGetCommand.self,
            CacheListCommand.self,
            CacheRemoveCommand.self, CachePurgeCommand.self, CacheCertificateCommand.self, CacheCreativeCommand.self,
            CacheBenchCommand.self,
        ])
}

/// A creative id on the command line.
extension CreativeID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension CreativeShelf {
    /// Throws the newest problem of the disk as an error; `path` names what was being done.
    func checkDisk(_ path: String) throws(CommandFailure) {
        if let problem = report().problems.last { throw CommandFailure(.unreadable, "\(path): \(problem)") }
    }
}
