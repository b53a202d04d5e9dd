import GRDB
package import Monitoring
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The journal in SQLite files, one per session, in a folder of its own.
///
/// WAL with `synchronous=FULL` for claims: a returned `writeClaims` has reached the disk. Outcomes are committed
/// without a flush of their own; the next claim's flush carries them. All work runs on the database's queue.
package actor SQLiteJournal: Journal {
    private let folder: String
    private var database: DatabaseQueue?
    private var run: Int64 = 0
    private var lock: JournalLock?

    /// `folder` is made when the first session opens.
    package init(folder: String) {
        self.folder = folder
    }

    package func open(_ session: SessionKey) async throws(JournalProblem) -> JournalOpening {
        let path = folder + "/" + Self.fileName(of: session)
        do throws(FileProblem) {
            try StateFolder.make(folder)
            guard let lock = try JournalLock(path: path + ".lock") else {
                throw FileProblem(path: path, reason: .system("another adtop works on this session"))
            }
            self.lock = consume lock
        } catch {
            let isHeld = error.reason == .system("another adtop works on this session")
            throw JournalProblem(isHeld ? .inUse : .cannotOpen, "journal \(error)")
        }
        var notice: String?
        do {
            return try await load(path, session, notice: nil)
        } catch let error as DatabaseError where Self.isDamage(error) {
            notice = "journal was damaged, moved aside to \(Self.moveAside(path)): what was sent before is not known"
        } catch {
            throw JournalProblem(.cannotOpen, "journal \(path): \(Self.words(error))")
        }
        do {
            return try await load(path, session, notice: notice)
        } catch {
            throw JournalProblem(.cannotOpen, "journal \(path): \(Self.words(error))")
        }
    }

    package func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) {
        let run = run
        try await write(isFlushed: true) { database in
            for claim in claims { try JournalRows.insert(claim, run: run, in: database) }
        }
    }

    package func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem) {
        let run = run
        try await write(isFlushed: false) { database in
            for outcome in outcomes { try JournalRows.insert(outcome, run: run, in: database) }
        }
    }

    package func close() async {
        // A database that does not close is closed by the end of the process; everything in it is committed.
        try? database?.close()
        database = nil
        lock = nil
    }

    private func load(_ path: String, _ session: SessionKey, notice: String?) async throws -> JournalOpening {
        database = nil
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        makePrivate(path)
        let database = try DatabaseQueue(path: path, configuration: configuration)
        try JournalSchema.migrator.migrate(database)
        let openedAt = SystemTimeSource().now().wall.microseconds
        let (run, entries) = try await database.write { database in
            let entries = try JournalRows.restored(from: database)
            try database.execute(
                sql: "INSERT INTO run (session, openedAt) VALUES (?, ?)", arguments: [session.text, openedAt])
            return (database.lastInsertedRowID, entries)
        }
        self.database = database
        self.run = run
        return JournalOpening(entries: entries, notice: notice)
    }

    /// Makes the file for its owner only; SQLite gives its side files the same rights. Where this fails, opening will
    /// too.
    private func makePrivate(_ path: String) {
        let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR)
        if descriptor >= 0 { systemClose(descriptor) }
    }

    private func write(
        isFlushed: Bool, _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws(JournalProblem) {
        guard let database else { throw JournalProblem(.cannotWrite, "journal is not open") }
        do {
            try await database.writeWithoutTransaction { database in
                if !isFlushed { try database.execute(sql: "PRAGMA synchronous = NORMAL") }
                // Should this fail, the next write flushes as well: the pragma below is repeated with every write.
                defer { if !isFlushed { try? database.execute(sql: "PRAGMA synchronous = FULL") } }
                try database.inTransaction {
                    try body(database)
                    return .commit
                }
            }
        } catch {
            throw JournalProblem(.cannotWrite, "journal: \(Self.words(error))")
        }
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? DatabaseError else { return "\(error)" }
        return error.message ?? "\(error.resultCode)"
    }

    private static func isDamage(_ error: DatabaseError) -> Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
    }

    /// Renames a file that cannot be read, with its write-ahead log, to the first free name.
    private static func moveAside(_ path: String) -> String {
        var number = 1
        while access("\(path).damaged-\(number)", F_OK) == 0, number < 1_000 { number += 1 }
        let target = "\(path).damaged-\(number)"
        rename(path, target)
        rename(path + "-wal", target + "-wal")
        unlink(path + "-shm")
        return target
    }

    /// A name that gives nothing away of the session.
    static func fileName(of session: SessionKey) -> String {
        var hash = StableHash()
        hash.add(session.text)
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits + ".sqlite"
    }
}

/// `open` and `close` by other names, because the journal's own hide them.
private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}

private func systemClose(_ descriptor: Int32) {
    close(descriptor)
}
