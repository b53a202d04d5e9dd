package import CreativeCache
import Foundation
package import Ports

/// The disk tier of the creative cache: one file per creative, named by the hash of its id, in a private folder.
package struct CreativeDisk: Sendable {
    /// Most damaged files kept for inspection.
    static let maximumDamaged = 32

    package let folder: PlainFolder
    private let maximumBytes: Int

    /// `entryBytes` is the size limit of one creative.
    package init(folder: PlainFolder, entryBytes: Int) {
        self.folder = folder
        maximumBytes = entryBytes.addingSaturating(CreativeFile.maximumHeaderBytes)
    }

    /// `$XDG_CACHE_HOME/adtop/creatives`, else below `~/.cache`; nil when neither is an absolute path.
    package static func defaultPath(environment: [String: String]) -> String? {
        CacheFolder.path("creatives", environment: environment)
    }

    /// All creatives on disk, least recently used first, and the problems of damaged files, which are set aside. Files
    /// that a crash left incomplete are removed.
    package func found() throws(FileProblem) -> (records: [CreativeRecord], problems: [FileProblem]) {
        var records: [CreativeRecord] = []
        var problems: [FileProblem] = []
        for name in try folder.names() {
            if name.hasPrefix(PlainFolder.temporaryPrefix) { folder.remove(name) }
            guard name.hasSuffix(CreativeFile.suffix) else { continue }
            do throws(FileProblem) {
                records.append(try record(inFile: name))
            } catch {
                problems.append(error)
            }
        }
        return (records.sorted { $0.lastUsed < $1.lastUsed }, problems)
    }

    /// Reads the creative with that id, if it exists; a damaged file is set aside.
    package func read(
        _ id: CreativeID
    ) throws(FileProblem) -> (record: CreativeRecord, content: CachedCreative.Content) {
        let name = CreativeFile.name(of: id)
        let file = try folder.read(name, limit: maximumBytes)
        do throws(CreativeFile.Damage) {
            let header = try CreativeFile.header(file.bytes, size: file.size, name: name)
            return (header.record, try CreativeFile.content(file.bytes, header))
        } catch {
            throw setAside(name, error)
        }
    }

    package func write(_ record: CreativeRecord, _ content: CachedCreative.Content) throws(FileProblem) {
        try folder.replace(CreativeFile.name(of: record.id), with: CreativeFile.bytes(record, content))
    }

    package func delete(_ id: CreativeID) {
        folder.remove(CreativeFile.name(of: id))
    }

    /// The ids whose files are missing because another program deleted them.
    func missing(of ids: [CreativeID]) throws(FileProblem) -> [CreativeID] {
        let names = Set(try folder.names())
        return ids.filter { !names.contains(CreativeFile.name(of: $0)) }
    }

    private func record(inFile name: String) throws(FileProblem) -> CreativeRecord {
        let file = try folder.read(name, limit: CreativeFile.maximumHeaderBytes, isHead: true)
        do throws(CreativeFile.Damage) {
            var record = try CreativeFile.header(file.bytes, size: file.size, name: name).record
            record.lastUsed = UnixTime(milliseconds: file.changedMilliseconds)
            return record
        } catch {
            throw setAside(name, error)
        }
    }

    private func setAside(_ name: String, _ damage: CreativeFile.Damage) -> FileProblem {
        folder.setAside(name, limit: Self.maximumDamaged)
        return FileProblem(
            path: folder.file(name), reason: .malformed("is damaged: \(damage.clause); the file was moved to damaged/"))
    }
}

/// The folder for data that can be recreated (XDG Base Directory Specification 0.8).
package enum CacheFolder {
    /// `$XDG_CACHE_HOME/adtop/NAME`, else `~/.cache/adtop/NAME`.
    package static func path(_ name: String, environment: [String: String]) -> String? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return "\(cache)/adtop/\(name)" }
        if let home = environment["HOME"], home.hasPrefix("/") { return "\(home)/.cache/adtop/\(name)" }
        return nil
    }
}
