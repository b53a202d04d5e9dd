import GRDB
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Keeps a journal small while nothing else is waiting: runs checkpoints, and deletes old or excess rows in small
/// steps.
struct JournalUpkeep {
    /// Number of pages in the log (of 4 KiB) at which a checkpoint runs.
    private static let logPages = 1_000
    /// Number of rows deleted in one transaction.
    private static let rowsAtOnce = 1_000
    /// Minimum age at which claims are deleted, whatever the size: a running session needs them.
    private static let guarded: Duration = .seconds(2 * 86_400)

    let path: String
    let settings: JournalFile.Settings
    private var nextLook: UnixTime?

    init(path: String, settings: JournalFile.Settings) {
        self.path = path
        self.settings = settings
    }

    /// One small step; returns the work for after the next write.
    func step(on connection: JournalConnection, at now: UnixTime) async -> Self {
        // A failed step is repeated with the next write: the journal is complete without it.
        try? await carryLogOver(connection)
        guard nextLook.map({ $0 <= now }) ?? true else { return self }
        let isMore = (try? await prune(connection, at: now)) ?? false
        var next = self
        next.nextLook = isMore ? now : now + settings.lookEvery
        return next
    }

    private func carryLogOver(_ connection: JournalConnection) async throws {
        guard FileSize.bytes(path + "-wal") > Self.logPages * 4_096 else { return }
        try await connection.queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
        }
    }

    /// The size of what the journal has, with its log: the file itself shrinks only when the log is carried over.
    private static func bytesInUse(in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: """
                SELECT (page_count - freelist_count) * page_size
                FROM pragma_page_count, pragma_freelist_count, pragma_page_size
                """) ?? 0
    }

    /// - Returns: whether there is more to delete.
    private func prune(_ connection: JournalConnection, at now: UnixTime) async throws -> Bool {
        let (settings, path, process) = (settings, path, connection.process)
        return try await connection.queue.write { database in
            let byAge = try JournalPruning(
                before: now - settings.age, at: now, rows: Self.rowsAtOnce, keptClaims: settings.keptClaims
            )
            .notesAndBeacons(in: database)
            guard !byAge else { return true }
            let ended = EndedRuns(before: now - settings.age, rows: Self.rowsAtOnce, path: path, own: process)
            if try ended.delete(in: database) { return true }
            guard try Self.bytesInUse(in: database) > settings.bytes else { return false }
            if try JournalPruning.oldestNotes(Self.rowsAtOnce, in: database) { return true }
            return try JournalPruning(
                before: now - Self.guarded, at: now, rows: Self.rowsAtOnce, keptClaims: settings.keptClaims
            )
            .beacons(in: database)
        }
    }
}

/// The size of a file.
enum FileSize {
    /// Size in bytes; 0 for a missing file.
    static func bytes(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
