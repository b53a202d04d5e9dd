import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

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

/// The options for the folder and the settings that all cache verbs use.
struct CacheFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Creative folder (default $XDG_CACHE_HOME/adtop/creatives).", valueName: "folder"))
    var folder: String?

    @Option(help: ArgumentHelp("Config file (default $XDG_CONFIG_HOME/adtop/config.yaml).", valueName: "file"))
    var config: String?

    /// The cache settings; `flagNames` holds the flags whose names differ from their settings.
    func settings(
        flags: [Setting: String] = [:], flagNames: [Setting: String] = [:]
    ) throws(CommandFailure) -> CacheSettings {
        let (texts, file) = try SettingsLoader(configPath: config).texts(flags: flags)
        file?.warnings.forEach(Output.error)
        return try Settings.cache(texts, flagNames: flagNames)
    }

    /// The cache in the folder. Every verb uses the limits of the settings: a verb with smaller limits would delete
    /// creatives that the others may keep.
    func shelf() throws(CommandFailure) -> CreativeShelf {
        var limits = try settings().limits
        if limits.diskBytes == nil { limits.diskBytes = StoreLimits.defaultDiskBytes }
        return try shelf(rules: LoopbackRules(), limits: limits)
    }

    /// The cache in the folder. Each problem with its files is one line on stderr.
    func shelf(rules: LoopbackRules, limits: StoreLimits) throws(CommandFailure) -> CreativeShelf {
        let shelf = CreativeShelf(
            limits: limits, rules: rules, disk: try disk(limits), wallClock: { SystemTimeSource().now().wall })
        shelf.report().problems.forEach { Output.error($0) }
        return shelf
    }

    private func disk(_ limits: StoreLimits) throws(CommandFailure) -> CreativeDisk? {
        guard limits.diskBytes != nil else { return nil }
        let environment = ProcessInfo.processInfo.environment
        guard let path = folder.map(Self.absolute) ?? CreativeDisk.defaultPath(environment: environment) else {
            throw CommandFailure(
                .usage, "no creative folder: neither XDG_CACHE_HOME nor HOME is set; set one, or use --folder")
        }
        do throws(FileProblem) {
            return CreativeDisk(folder: try PlainFolder(making: path), entryBytes: limits.entryBytes)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }

    /// An absolute path: missing folders are created from the root down.
    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
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
