import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is locked while this value lives, for example while a damaged journal is moved aside. The system releases the lock when
/// the process ends for any reason.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Creates the file if it is missing; nil when another process, or another lock of this one, has it.
    init?(path: String) throws(FileProblem) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw FileProblem(path: path, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw FileProblem(path: path, code: code)
        }
        self.descriptor = descriptor
    }

    /// Runs `body` with the lock held.
    borrowing func held<Value, Problem: Error>(_ body: () throws(Problem) -> Value) throws(Problem) -> Value {
        try body()
    }

    deinit {
        close(descriptor)
    }
}
