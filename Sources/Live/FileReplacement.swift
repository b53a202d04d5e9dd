package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that takes the place of another one when it is complete: a reader sees the old bytes or the new ones, and a disk that becomes
/// full costs neither.
///
/// Where the file system can, it has no name until then, so that a process that is ended on the way leaves nothing behind. Elsewhere it
/// is written beside the file that it replaces.
package struct FileReplacement {
    package let descriptor: Int32
    private let path: String
    /// Where a link at `path` leads.
    private let place: String
    private let temporary: String
    /// Whether the file has no name yet.
    private let isUnnamed: Bool

    /// Whether there is a file at `path`, or nothing: devices and pipes are written to, not replaced.
    package static func isPossible(for path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    /// - Parameter mode: permission bits of a file that did not exist, before the process's mask.
    package init(of path: String, mode: UInt32) throws(FileProblem) {
        self.path = path
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        place = resolved.map { String(cString: $0) } ?? path
        temporary = "\(place).\(UInt32.random(in: 0 ... .max).hexadecimal)"
        let unnamed = Self.openUnnamed(in: LinkedPath.folder(of: place), mode: mode)
        isUnnamed = unnamed != nil
        descriptor =
            unnamed ?? open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
        guard descriptor >= 0 else { throw FileProblem(creating: path, code: errno) }
        var old = stat()
        // A file that others may not read stays so.
        if stat(place, &old) == 0 { _ = fchmod(descriptor, old.st_mode & mode_t(mode)) }
    }

    /// Puts the file in its place, unless writing it failed: then the old one stays.
    /// - Parameter failure: the system's error number of a write that failed.
    package func finish(_ failure: Int32?) throws(FileProblem) {
        var code = failure
        if code == nil, fsync(descriptor) != 0 { code = errno }
        // Only an open file can be given a name.
        if code == nil, isUnnamed { code = nameIt() }
        if close(descriptor) != 0, code == nil { code = errno }
        if code == nil, !isUnnamed, rename(temporary, place) != 0 { code = errno }
        guard let code else { return }
        unlink(temporary)
        throw FileProblem(path: path, code: code)
    }

    #if os(Linux)
        /// `O_TMPFILE` of Linux, whose macro Swift cannot read.
        private static let withoutName = O_DIRECTORY | 0o20_000_000

        /// Opens a file without a name; nil where the file system has none, or where it could not be named later.
        private static func openUnnamed(in folder: String, mode: UInt32) -> Int32? {
            let descriptor = open(folder, O_WRONLY | O_CLOEXEC | withoutName, mode_t(mode))
            guard descriptor >= 0 else { return nil }
            guard access(source(of: descriptor), F_OK) == 0 else {
                close(descriptor)
                return nil
            }
            return descriptor
        }

        private static func source(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

        /// Gives the file its place, at once where there is none yet; else by way of a name beside it, because a link replaces nothing.
        /// - Returns: the system's error number; nil for success.
        private func nameIt() -> Int32? {
            let source = Self.source(of: descriptor)
            if linkat(AT_FDCWD, source, AT_FDCWD, place, AT_SYMLINK_FOLLOW) == 0 { return nil }
            guard errno == EEXIST else { return errno }
            guard linkat(AT_FDCWD, source, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) == 0 else { return errno }
            return rename(temporary, place) == 0 ? nil : errno
        }
    #else
        private static func openUnnamed(in folder: String, mode: UInt32) -> Int32? { nil }

        private func nameIt() -> Int32? { nil }
    #endif
}
