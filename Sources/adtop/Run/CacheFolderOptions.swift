import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// The options for the folder and the settings that all cache verbs use.
struct CacheFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Creative folder (default $XDG_CACHE_HOME/adtop/creatives).", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp("Config file (default $XDG_CONFIG_HOME/adtop/config.yaml).", valueName: "file"),
        completion: .files("yaml", "yml"))
    var config: String?

    mutating func validate() throws { try Self.rejectEmpty(folder, flag: "--folder") }

    /// Throws for an empty name, such as that of a script's unset variable: it would be the working folder.
    static func rejectEmpty(_ folder: String?, flag: String) throws {
        if folder?.isEmpty == true { throw ValidationError("\(flag): '' is empty; name a folder, or omit it") }
    }

    /// The cache settings; `flagNames` holds the flags whose names differ from their settings.
    func settings(
        flags: [Setting: String] = [:], flagNames: [Setting: String] = [:]
    ) throws(CommandFailure) -> CacheSettings {
        let texts = try SettingsLoader(configPath: config).texts(flags: flags, warn: Output.error).texts
        return try Settings.cache(texts, flagNames: flagNames)
    }

    /// The cache in the folder for a verb that stores nothing: a folder that is named and does not exist is a mistyped one.
    func existingShelf() throws(CommandFailure) -> CreativeShelf {
        try folder.map(Self.checkExists)
        return try shelf()
    }

    /// The cache in the folder, which is created. Every verb uses the limits of the settings: a verb with smaller limits would
    /// delete creatives that the others may keep.
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
                .usage,
                "no creative folder: neither XDG_CACHE_HOME nor HOME is an absolute path; set one, or use --folder")
        }
        do throws(FileProblem) {
            return CreativeDisk(folder: try PlainFolder(making: path), entryBytes: limits.entryBytes)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }

    /// Throws for a folder that does not exist. What else is wrong with it is found when it is opened.
    static func checkExists(_ folder: String) throws(CommandFailure) {
        guard !FileManager.default.fileExists(atPath: absolute(folder)) else { return }
        throw CommandFailure(.unreadable, "\(folder): no such folder; check the name")
    }

    /// An absolute path: missing folders are created from the root down.
    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}
