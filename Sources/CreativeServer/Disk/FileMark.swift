import Foundation

/// Identifies the file that a name refers to. A file that is replaced by renaming another over it has another mark; both parts are
/// compared because the number of a deleted file is used again.
package struct FileMark: Hashable, Sendable {
    /// The inode number.
    var number: UInt64
    /// Modification time since the epoch.
    var changedNanoseconds: Int64

    init(_ status: stat) {
        number = UInt64(status.st_ino)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        changedNanoseconds = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
