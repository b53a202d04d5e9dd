import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// `adtop cache`
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Keep winning creatives on this computer and serve them to pages.",
        discussion: """
            The server is a stand-in for Prebid Cache: https://localhost:16257/ID gives the creative, /cache?uuid=ID the \
            bid. All verbs work on one folder ($XDG_CACHE_HOME/adtop/creatives); a server that runs sees what they do.

            Examples:
              adtop cache serve
              adtop cache put banner.html --id 0a6f0a3e --ttl 5m
              curl --cacert "$(adtop cache cert show --path)" https://localhost:16257/0a6f0a3e
            """,
        subcommands: [
            CacheServeCommand.self, CachePutCommand.self, CacheWarmCommand.self, CacheGetCommand.self,
            CacheListCommand.self,
            CacheRemoveCommand.self, CachePurgeCommand.self, CacheCertificateCommand.self, CacheCreativeCommand.self,
            CacheBenchCommand.self,
        ])
}

/// The folder that all verbs of the cache work on.
struct CacheFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Folder of the creatives; default $XDG_CACHE_HOME/adtop/creatives.", valueName: "folder"))
    var folder: String?

    @Option(help: ArgumentHelp("Config file instead of the one in the XDG folder.", valueName: "file"))
    var config: String?

    /// Of the cache; `flagNames` are of flags that are not called as their settings are.
    func settings(
        flags: [Setting: String] = [:], flagNames: [Setting: String] = [:]
    ) throws(CommandFailure) -> CacheSettings {
        let (texts, file) = try SettingsLoader(configPath: config).texts(flags: flags)
        file?.warnings.forEach(Output.error)
        return try CacheSettings(texts, flagNames: flagNames)
    }

    /// The cache as the folder has it, for verbs that work on it. All go by the settings' limits: a program with smaller ones
    /// would delete what others may keep.
    func shelf() throws(CommandFailure) -> CreativeShelf {
        var limits = try settings().limits
        if limits.diskBytes == nil { limits.diskBytes = StoreLimits.defaultDiskBytes }
        return try shelf(rules: LoopbackRules(), limits: limits)
    }

    /// The cache as the folder has it. What is wrong with files is a line on stderr each.
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
                .usage, "neither XDG_CACHE_HOME nor HOME names a folder for the cache; set one, or use --folder")
        }
        do throws(FileProblem) {
            return CreativeDisk(folder: try PlainFolder(making: path), entryBytes: limits.entryBytes)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }

    /// Folders are made from the root down.
    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

/// An id on the command line.
extension CreativeID: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }
}

extension CreativeShelf {
    /// Ends with the first problem that came up since, as an error.
    func checkDisk(_ path: String) throws(CommandFailure) {
        if let problem = report().problems.last { throw CommandFailure(.unreadable, "\(path): \(problem)") }
    }
}
