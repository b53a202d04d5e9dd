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

    /// All creatives on disk, least recently used first, with the marks of their files, and the problems of damaged files, which
    /// are set aside. Files that a crash left incomplete are removed.
    package func found() throws(FileProblem) -> (
        records: [CreativeRecord], marks: [CreativeID: FileMark], problems: [FileProblem]
    ) {
        var records: [CreativeRecord] = []
        var marks: [CreativeID: FileMark] = [:]
        var problems: [FileProblem] = []
        for name in try folder.names() {
            if name.hasPrefix(PlainFolder.temporaryPrefix) { folder.remove(name) }
            guard name.hasSuffix(CreativeFile.suffix) else { continue }
            do throws(FileProblem) {
                let (record, mark) = try record(inFile: name)
                records.append(record)
                marks[record.id] = mark
            } catch {
                problems.append(error)
            }
        }
        return (records.sorted { $0.lastUsed < $1.lastUsed }, marks, problems)
    }

    /// Reads the creative with that id, if it exists; a damaged file is set aside.
    package func read(
        _ id: CreativeID
    ) throws(FileProblem) -> (record: CreativeRecord, content: CachedCreative.Content, mark: FileMark) {
        let name = CreativeFile.name(of: id)
        let file = try folder.read(name, limit: maximumBytes)
        do throws(CreativeFile.Damage) {
            let header = try CreativeFile.header(file.bytes, size: file.size, name: name)
            return (header.record, try CreativeFile.content(file.bytes, header), file.mark)
        } catch {
            throw setAside(name, error)
        }
    }

    /// The creative with that id if its file exists and is whole; a damaged file is left where it is.
    func whole(
        _ id: CreativeID
    ) -> (record: CreativeRecord, content: CachedCreative.Content, mark: FileMark)? {
        let name = CreativeFile.name(of: id)
        // Why it cannot be read does not matter: the caller keeps what it has.
        guard let file = try? folder.read(name, limit: maximumBytes),
            let header = try? CreativeFile.header(file.bytes, size: file.size, name: name),
            let content = try? CreativeFile.content(file.bytes, header)
        else { return nil }
        return (header.record, content, file.mark)
    }

    @discardableResult
    package func write(_ record: CreativeRecord, _ content: CachedCreative.Content) throws(FileProblem) -> FileMark {
        try folder.replace(CreativeFile.name(of: record.id), with: CreativeFile.bytes(record, content))
    }

    package func delete(_ id: CreativeID) {
        folder.remove(CreativeFile.name(of: id))
    }

    /// The mark of the file of a creative; nil when another program deleted it. Throws when the folder cannot be read.
    func mark(of id: CreativeID) throws(FileProblem) -> FileMark? {
        do throws(FileProblem) {
            return try folder.mark(CreativeFile.name(of: id))
        } catch {
            // Without the folder, no creative is known to be deleted.
            guard error.reason == .missing, folder.changeMark != nil else { throw error }
            return nil
        }
    }

    private func record(inFile name: String) throws(FileProblem) -> (CreativeRecord, FileMark) {
        let file = try folder.read(name, limit: CreativeFile.maximumHeaderBytes, isHead: true)
        do throws(CreativeFile.Damage) {
            var record = try CreativeFile.header(file.bytes, size: file.size, name: name).record
            // The times of files are up to a clock tick older than the clock.
            record.lastUsed = max(record.storedAt, UnixTime(milliseconds: file.changedMilliseconds))
            return (record, file.mark)
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
