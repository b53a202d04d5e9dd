import GRDB
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Runs that ended before a limit and of which nothing is left, and then the sessions and processes without a run.
///
/// A run has ended when it was closed, or when its process has: the process recorded its end, or its lock file is free. An open run
/// is never deleted, however long nothing was written in it: its lease keeps other processes away from its session.
struct EndedRuns {
    private let limit: Int64
    private let rows: Int
    /// The journal; lock files are beside it.
    private let path: String
    /// Row of this process in `process`.
    private let own: Int64

    init(before limit: UnixTime, rows: Int, path: String, own: Int64) {
        self.limit = limit.microseconds
        (self.rows, self.path, self.own) = (rows, path, own)
    }

    /// Deletes some of them.
    /// - Returns: whether there may be more.
    func delete(in database: Database) throws -> Bool {
        let gone = try killedProcesses(in: database)
        let isAnyRun = try deleteRuns(of: gone, in: database)
        try database.execute(
            sql: """
                DELETE FROM session WHERE firstAt < ?
                    AND NOT EXISTS (SELECT 1 FROM run WHERE run.session = session.id)
                    AND NOT EXISTS (SELECT 1 FROM adBreak WHERE adBreak.session = session.id)
                """, arguments: [limit])
        try database.execute(
            sql: """
                DELETE FROM process WHERE id <> ? AND (endedAt < ? OR id IN (\(gone)))
                    AND NOT EXISTS (SELECT 1 FROM run WHERE run.process = process.id)
                """, arguments: [own, limit])
        return isAnyRun
    }

    /// The processes that began before the limit and ended without a word, as a list for SQL.
    private func killedProcesses(in database: Database) throws -> String {
        let silent = try Row.fetchAll(
            database,
            sql: "SELECT id, lockFile, pid, host FROM process WHERE endedAt IS NULL AND startedAt < ? AND id <> ?",
            arguments: [limit, own])
        let folder = LinkedPath.folder(of: path)
        let gone = silent.filter { row in
            !JournalHolder.isAlive("\(folder)/\(row[1] as String)") && !Self.isRunning(row[2], on: row[3])
        }
        return gone.map { "\($0[0] as Int64)" }.joined(separator: ",")
    }

    /// Whether another process of this machine runs that has the number of one without a lock file: a cleaner may have removed that. Without
    /// its row it could not open a session again. Numbers repeat, so some rows are kept longer; that costs nothing.
    private static func isRunning(_ number: Int64, on host: String) -> Bool {
        guard host == JournalConnection.hostName, let pid = pid_t(exactly: number), pid > 0, pid != getpid() else {
            return false
        }
        return kill(pid, 0) == 0 || errno == EPERM
    }

    /// Deletes runs without an entry, and the leases of those that ended without closing.
    private func deleteRuns(of gone: String, in database: Database) throws -> Bool {
        let entries = ["claim", "unsent", "log", "poll", "finding", "action"]
            .map { "AND NOT EXISTS (SELECT 1 FROM \($0) WHERE \($0).run = run.id)" }.joined(separator: " ")
        let ended = try Int64.fetchAll(
            database,
            sql: """
                SELECT run.id FROM run JOIN process ON process.id = run.process
                WHERE (run.closedAt < ? OR run.closedAt IS NULL AND run.openedAt < ?
                    AND (process.endedAt < ? OR process.id IN (\(gone)))) \(entries) LIMIT ?
                """, arguments: [limit, limit, limit, rows])
        for run in ended {
            try database.cachedStatement(sql: "DELETE FROM lease WHERE run = ?").execute(arguments: [run])
            try database.cachedStatement(sql: "DELETE FROM run WHERE id = ?").execute(arguments: [run])
        }
        return !ended.isEmpty
    }
}
