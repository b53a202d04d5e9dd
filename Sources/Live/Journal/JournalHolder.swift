import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Shows other processes that this one is running: a locked file beside the journal. The system releases the lock when
/// the process ends for any reason; a stopped process keeps it.
struct JournalHolder: ~Copyable {
    private let descriptor: Int32
    private let path: String
    /// Name of the file, without its folder.
    let name: String

    /// Creates a file with a new name beside the journal and locks it. The name is random: process numbers repeat (in
    /// a container each first process has the number 1), and a lease of an ended process must not name a new one's file.
    init(beside journal: String) throws(FileProblem) {
        let path = "\(journal)-holder-\(getpid())-\(UInt64.random(in: .min ... .max).hexadecimal)"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw FileProblem(path: path, code: code)
        }
        self.descriptor = descriptor
        self.path = path
        name = String(path.split(separator: "/").last ?? "")
    }

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Whether the file is still there; without it other processes take this one for ended.
    var isThere: Bool { access(path, F_OK) == 0 }

    /// Whether the process that locked the file is running. The file of an ended process is removed, unless the caller
    /// may not change anything.
    static func isAlive(_ path: String, removesDead: Bool = true) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        // A file that exists and cannot be opened may be locked.
        guard descriptor >= 0 else { return errno != ENOENT }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return true }
        if removesDead { unlink(path) }
        return false
    }
}
