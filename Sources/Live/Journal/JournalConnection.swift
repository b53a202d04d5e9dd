import GRDB
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open journal file: its connection, this process's row in it, and the identity of the file on disk.
final class JournalConnection: Sendable {
    /// Size at which SQLite keeps the write-ahead log after a checkpoint.
    private static let keptLogBytes = 8 << 20

    let queue: DatabaseQueue
    /// Row of this process in `process`.
    let process: Int64
    /// The newest claim in it when it was opened; 0 for none.
    let lastClaim: Int64
    /// The path that was named; it may be a symbolic link.
    private let named: String
    /// The path of the file itself.
    private let path: String
    private let identities: [FileIdentity?]

    /// Opens the journal at `path`, creates it if it is missing, and migrates it.
    /// - Parameter named: the path that the next process will open, perhaps a symbolic link to `path`.
    /// - Parameter patience: how long to wait at a time for another process that is writing.
    /// - Parameter ended: what ended processes had in it. It was looked up before.
    init(
        path: String, named: String, holder: String, after ended: EndedHolders, version: String, patience: Duration,
        at: UnixTime
    ) throws {
        self.named = named
        self.path = path
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(patience / .seconds(1))
        configuration.prepareDatabase { database in
            // Must precede the first table to have an effect: deleted rows then free their space.
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            // Checkpoints run separately (`JournalUpkeep`), never within a claim's transaction.
            try database.execute(
                sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = \(Self.keptLogBytes)")
        }
        try JournalKind.check(path, patience: patience)
        Self.makePrivate(path)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try JournalKind.check(queue)
        try JournalSchema.migrator.migrate(queue)
        lastClaim = try queue.read(JournalRows.lastClaim)
        guard ended.lastClaim <= lastClaim else { throw JournalKind.incomplete }
        process = try queue.write { database in
            try database.execute(
                sql: "INSERT INTO process (pid, host, version, lockFile, startedAt) VALUES (?, ?, ?, ?, ?)",
                arguments: [Int(getpid()), Self.hostName, version, holder, at.microseconds])
            return database.lastInsertedRowID
        }
        identities = Self.identities(named: named, path: path)
    }

    /// Whether the open file is still the one at its path; a deleted or replaced file keeps nothing for the next
    /// process.
    var isStillThere: Bool { !identities.contains(nil) && Self.identities(named: named, path: path) == identities }

    /// Whether both paths still are those of the open file, whatever the state of its log.
    var isSameFile: Bool { FileIdentity(named) == identities.first && FileIdentity(path) == identities.first }

    func close(at: UnixTime) {
        // If this fails, the next process to open the journal does it: everything in it is committed.
        try? queue.write { database in
            try database.execute(
                sql: "UPDATE process SET endedAt = ? WHERE id = ?", arguments: [at.microseconds, process])
        }
        try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try? queue.close()
    }

    /// The identities of the journal and its write-ahead log, which SQLite puts beside the file itself.
    private static func identities(named: String, path: String) -> [FileIdentity?] {
        [FileIdentity(named), FileIdentity(path + "-wal")]
    }

    /// Creates the file readable only by its owner; SQLite gives its side files the same permissions. If this fails,
    /// opening fails too.
    private static func makePrivate(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)
        if descriptor >= 0 { closeDescriptor(descriptor) }
    }

    /// The name of this machine.
    static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// The identity of the file that a path names now.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    let isFolder: Bool

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
}

/// `close` under another name, because the connection's own hides it.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
