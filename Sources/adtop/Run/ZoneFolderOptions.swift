import ArgumentParser
import CreativeCache
import CreativeServer
import Foundation
import Live
import Ports

/// The options for the zone folder.
struct ZoneFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Zone folder (default $XDG_CACHE_HOME/adtop/zones).", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @Option(help: ArgumentHelp("Disk space for videos; the least recently used are deleted first.", valueName: "MiB"))
    var quota = ZonePlan.defaultQuota >> 20

    mutating func validate() throws { try CacheFolderOptions.rejectEmpty(folder, flag: "--folder") }

    private static let quotas = 1...1_000_000

    /// The zones in the folder for a verb that saves none: a folder that is named and does not exist is a mistyped one.
    func existingStore() throws(CommandFailure) -> ZoneStore {
        try folder.map(CacheFolderOptions.checkExists)
        return try store()
    }

    /// The zones in the folder, which is created.
    func store() throws(CommandFailure) -> ZoneStore {
        guard Self.quotas.contains(quota) else {
            throw CommandFailure(
                .usage, "--quota: \(quota) is not \(Self.quotas.lowerBound) to \(Self.quotas.upperBound) MiB")
        }
        guard let store = try Self.store(in: folder, quota: quota << 20) else {
            throw CommandFailure(
                .usage, "no zone folder: neither XDG_CACHE_HOME nor HOME is an absolute path; set one, or use --folder")
        }
        return store
    }

    /// The zones in `folder`, else in the default folder; nil when there is none.
    static func store(
        in folder: String?, quota: Int = ZonePlan.defaultQuota
    ) throws(CommandFailure) -> ZoneStore? {
        let usual = CacheFolder.path("zones", environment: ProcessInfo.processInfo.environment)
        guard let path = folder.map(CacheFolderOptions.absolute) ?? usual else { return nil }
        do throws(FileProblem) {
            return ZoneStore(folder: try PlainFolder(making: path), quota: quota)
        } catch {
            throw CommandFailure(.unreadable, "\(error)")
        }
    }
}
