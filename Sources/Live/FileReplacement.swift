package import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is written beside the one it replaces and takes its place when it is complete: a reader sees the old bytes or the new
/// ones, and a disk that becomes full costs neither.
package struct FileReplacement {
    package let descriptor: Int32
    private let path: String
    /// Where a link at `path` leads.
    private let place: String
    private let temporary: String

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
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode_t(mode))
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
        if close(descriptor) != 0, code == nil { code = errno }
        if code == nil, rename(temporary, place) != 0 { code = errno }
        guard let code else { return }
        unlink(temporary)
        throw FileProblem(path: path, code: code)
    }
}
