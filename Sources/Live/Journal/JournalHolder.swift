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
        var file = try Self.locked(beside: journal)
        // Another process may look at a file before it is locked, and takes it for that of an ended one.
        for _ in 0..<16 where file == nil { file = try Self.locked(beside: journal) }
        guard let file else { throw FileProblem(path: journal, code: EWOULDBLOCK) }
        (path, descriptor) = file
        name = String(path.split(separator: "/").last ?? "")
    }

    private static func locked(beside journal: String) throws(FileProblem) -> (path: String, descriptor: Int32)? {
        let path = "\(journal)\(mark)\(getpid())-\(UInt64.random(in: .min ... .max).hexadecimal)"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        let code = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
        if code == 0, access(path, F_OK) == 0 { return (path, descriptor) }
        unlink(path)
        close(descriptor)
        guard code == 0 || code == EWOULDBLOCK else { throw FileProblem(path: path, code: code) }
        return nil
    }

    /// What the names of these files have behind that of the journal.
    static let mark = "-holder-"

    deinit {
        unlink(path)
        close(descriptor)
    }

    /// Notes the newest claim that is on disk, so that the next process notices if the journal lacks it by then. It is not flushed: it is
    /// there after a kill, and after a power loss it is older than what the journal has.
    func note(lastClaim: Int64) {
        let text = String(lastClaim)
        let line = Array((String(repeating: "0", count: max(0, 19 - text.utf8.count)) + text + "\n").utf8)
        // Where that fails, a loss would not be noticed; nothing is lost yet.
        _ = pwrite(descriptor, line, line.count, 0)
    }

    /// Whether the file is still there; without it other processes take this one for ended.
    var isThere: Bool { access(path, F_OK) == 0 }

    /// Whether the process that locked the file is running. The file of an ended one stays until its claims were looked for
    /// (``EndedHolders``).
    static func isAlive(_ path: String) -> Bool {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        // A file that exists and cannot be opened may be locked.
        guard descriptor >= 0 else { return errno != ENOENT }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }
}
