import GRDB
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Why a file is not used as a journal.
enum JournalKind: Error {
    /// A database of another program.
    case foreign
    /// A journal of a later version.
    case newer
    /// No database, and nothing says that it was one.
    case noDatabase
    /// A journal that lacks claims of ended processes: what they sent is unknown.
    case incomplete

    /// Rejects the file of another program, and a journal of a later version, before anything in it is changed.
    static func check(_ path: String, patience: Duration) throws {
        guard FileSize.bytes(path) > 0 else { return }
        guard isDatabase(path) else {
            // The journal was damaged where it says what it is: its name or its log still tells.
            guard path.hasSuffix(".sqlite") || access(path + "-wal", F_OK) == 0 else { throw JournalKind.noDatabase }
            return
        }
        do {
            let queue = try JournalReader.queue(reading: path, patience: patience)
            defer { try? queue.close() }
            try check(queue)
        } catch let error where error is JournalKind || DatabaseFault.isLocked(error) {
            throw error
        } catch {
            // What is wrong with it is reported when it is opened.
        }
    }

    /// The same in the open database. What a full disk left of a new journal has the table of migrations alone, which is made before
    /// the first of them.
    static func check(_ queue: DatabaseQueue) throws {
        let (kind, version, tables) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
                try Int.fetchOne(
                    database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") ?? 0
            )
        }
        guard tables == 0 || kind == JournalSchema.applicationID else { throw JournalKind.foreign }
        guard version <= JournalSchema.version else { throw JournalKind.newer }
    }

    /// Whether the file begins as each database of SQLite does.
    private static func isDatabase(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        // What is wrong with it is reported when it is opened.
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard read(descriptor, &bytes, bytes.count) == bytes.count else { return false }
        return bytes == Array("SQLite format 3\0".utf8)
    }
}
