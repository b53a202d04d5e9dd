import GRDB
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An open journal file: its connection, this process's row in it, and which file on disk it is.
final class JournalConnection: Sendable {
    /// Another process that writes is waited for so long.
    static let busyTimeout: Duration = .seconds(5)
    /// SQLite keeps the write-ahead log at this size after it was carried over.
    private static let keptLogBytes = 8 << 20

    let queue: DatabaseQueue
    /// Row of `process`.
    let process: Int64
    private let path: String
    private let identities: [FileIdentity?]

    /// Opens the journal at `path`, made where it is missing, and brings it up to date.
    init(path: String, holder: String, version: String, at: UnixTime) throws {
        self.path = path
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(Self.busyTimeout / .seconds(1))
        configuration.prepareDatabase { database in
            // Before the first table, or it has no effect: what is deleted gives its space back.
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            // Carrying the log over is done beside the claims (`JournalUpkeep`), never in one of them.
            try database.execute(
                sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = \(Self.keptLogBytes)")
        }
        Self.makePrivate(path)
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try Self.checkKind(queue, path: path)
        try JournalSchema.migrator.migrate(queue)
        process = try queue.write { database in
            try database.execute(
                sql: "INSERT INTO process (pid, host, version, lockFile, startedAt) VALUES (?, ?, ?, ?, ?)",
                arguments: [Int(getpid()), Self.hostName, version, holder, at.microseconds])
            return database.lastInsertedRowID
        }
        identities = Self.identities(path)
    }

    /// Whether the file that is open is still the one at its path: one that was deleted or replaced keeps nothing for
    /// the next process.
    var isStillThere: Bool { !identities.contains(nil) && Self.identities(path) == identities }

    /// Whether the path still names the open file, whatever became of its log.
    var isSameFile: Bool { FileIdentity(path) == identities.first }

    func close(at: UnixTime) {
        // What fails here is done by whoever opens the journal next: everything in it is committed.
        try? queue.write { database in
            try database.execute(
                sql: "UPDATE process SET endedAt = ? WHERE id = ?", arguments: [at.microseconds, process])
        }
        try? queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try? queue.close()
    }

    /// The journal and its write-ahead log.
    private static func identities(_ path: String) -> [FileIdentity?] {
        [FileIdentity(path), FileIdentity(path + "-wal")]
    }

    /// A database that is none of ours is not to be filled with tables; nor is a journal of a later version.
    private static func checkKind(_ queue: DatabaseQueue, path: String) throws {
        let (kind, version, tables) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            )
        }
        guard tables == 0 || kind == JournalSchema.applicationID else { throw JournalKind.foreign }
        guard version <= JournalSchema.version else { throw JournalKind.newer }
    }

    /// Makes the file for its owner only; SQLite gives its side files the same rights. Where this fails, opening will
    /// too.
    private static func makePrivate(_ path: String) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)
        if descriptor >= 0 { closeDescriptor(descriptor) }
    }

    private static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Why a file is not used as a journal although it is a good database.
enum JournalKind: Error {
    case foreign, newer
}

/// Which file a path names now.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// `close` by another name, because the connection's own hides it.
private func closeDescriptor(_ descriptor: Int32) {
    close(descriptor)
}
