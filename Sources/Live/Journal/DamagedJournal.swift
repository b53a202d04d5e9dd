#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A journal that cannot be read.
enum DamagedJournal {
    /// Renames it, with its write-ahead log, to the first free name.
    static func moveAside(_ path: String) -> String {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0, number < 1_000 { number += 1 }
        let target = "\(path).damaged-\(number)"
        rename(path, target)
        rename(path + "-wal", target + "-wal")
        unlink(path + "-shm")
        return target
    }
}
