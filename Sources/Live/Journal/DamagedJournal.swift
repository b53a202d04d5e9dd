import Foundation
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A journal that cannot be read.
enum DamagedJournal {
    /// Renames it, with its write-ahead log and that log's index, to the first free name.
    static func moveAside(_ path: String) -> String {
        var number = 1
        while access("\(path)\(mark)\(number)", F_OK) == 0, number < 1_000 { number += 1 }
        let target = "\(path)\(mark)\(number)"
        rename(path, target)
        rename(path + "-wal", target + "-wal")
        rename(path + "-shm", target + "-shm")
        return target
    }

    /// The newest journal that was moved aside from `path` and last written at `since` or later; nil for none. As long
    /// as it is there, sessions without an entry in the new journal may have entries in it.
    static func newest(of path: String, since: UnixTime) -> String? {
        let folder = LinkedPath.folder(of: path)
        let prefix = String(path.split(separator: "/").last ?? "") + mark
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let numbers = names.compactMap { name in
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
        }
        return numbers.sorted(by: >).lazy.map { "\(path)\(mark)\($0)" }.first { isWritten($0, since: since) }
    }

    private static let mark = ".damaged-"

    /// Whether the file was last written at `since` or later.
    static func isWritten(_ path: String, since: UnixTime) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        #if canImport(Glibc)
            let seconds = Int64(status.st_mtim.tv_sec)
        #else
            let seconds = Int64(status.st_mtimespec.tv_sec)
        #endif
        // Two seconds, as some file systems round.
        return seconds.addingReportingOverflow(2).partialValue >= since.microseconds / 1_000_000
    }
}
