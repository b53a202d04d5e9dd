#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A journal that could not be read, though it may have entries.
enum UnreadJournal {
    /// Whether there may be entries at `path`: the file or its write-ahead log has bytes, or this process may not look.
    static func isThere(at path: String) -> Bool {
        [path, path + "-wal"].contains { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
            return status.st_size > 0
        }
    }
}
