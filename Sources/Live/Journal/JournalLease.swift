import GRDB
import Ports
import Session

/// The right to use a session: one row, valid while its process is running. It is checked again with every transaction
/// that claims something, because a process whose lock file was removed counts as ended.
struct JournalLease: Sendable {
    /// Row of this process.
    let process: Int64
    /// Generation of the connection.
    let generation: Int
    /// Name of this process's lock file.
    let holder: String
    /// Folder of the journal, with the lock files of processes.
    let folder: String

    /// The result of requesting a session.
    enum Taking {
        case taken(JournalRun)
        /// Another holder has it; a clause names the holder and the remedy.
        case heldBy(String)
    }

    /// The end of a run and of its lease.
    struct End: Sendable, Hashable {
        let run: Int64
        let at: UnixTime

        func write(in database: Database) throws {
            try database.execute(sql: "UPDATE run SET closedAt = ? WHERE id = ?", arguments: [at.microseconds, run])
            try database.execute(sql: "DELETE FROM lease WHERE run = ?", arguments: [run])
        }
    }

    /// Who has the session, in words; nil when it may be taken, or must be tried. Nothing is written for that: it is asked once a second.
    func owner(of key: SessionKey, on connection: JournalConnection) async -> String? {
        guard connection.isStillThere else { return nil }
        // The transaction that takes the session reports what is wrong with the file.
        return try? await connection.queue.read { database in
            // The lock file may be a new one since the connection was opened; the transaction writes that.
            let known = try String.fetchOne(
                database.cachedStatement(sql: "SELECT lockFile FROM process WHERE id = ?"), arguments: [process])
            guard known == holder else { return nil }
            let session = try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM session WHERE key = ?"), arguments: [key.text])
            return try session.flatMap { try other(of: $0, in: database) }
        }
    }

    /// Starts a run of the session, or returns its holder.
    func take(_ key: SessionKey, at: UnixTime, in database: Database) throws -> Taking {
        let session = try JournalPlaces.session(key, at: at, in: database)
        // The lock file may be a new one since the connection was opened.
        try database.execute(sql: "UPDATE process SET lockFile = ? WHERE id = ?", arguments: [holder, process])
        if let other = try other(of: session, in: database) { return .heldBy(other) }
        try database.execute(
            sql: "INSERT INTO run (session, process, openedAt) VALUES (?, ?, ?)",
            arguments: [session, process, at.microseconds])
        let run = JournalRun(
            id: database.lastInsertedRowID, session: session, generation: generation)
        try database.execute(
            sql: "INSERT OR REPLACE INTO lease (session, run, process) VALUES (?, ?, ?)",
            arguments: [session, run.id, process])
        return .taken(run)
    }

    /// Who has the session instead of this run, in words; nil while the run has it. Another process takes the session of one
    /// whose lock file is gone, for example because a cleaner removed it.
    static func loss(of run: JournalRun, in database: Database) throws -> String? {
        let owner = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT run FROM lease WHERE session = ?"), arguments: [run.session])
        guard owner != run.id else { return nil }
        return try Holder(of: run.session, in: database)?.words ?? "another adtop had this session open meanwhile"
    }

    /// The holder of the session in words; nil if no running process holds it.
    private func other(of session: Int64, in database: Database) throws -> String? {
        guard let other = try Holder(of: session, in: database) else { return nil }
        if other.process == process { return "this adtop already has this session open" }
        // Rows of an ended process that had the same lock file.
        guard other.lockFile != holder else { return nil }
        return JournalHolder.isAlive("\(folder)/\(other.lockFile)") ? other.words : nil
    }

    /// The process that a lease names.
    private struct Holder {
        /// Its row in `process`.
        let process: Int64
        let lockFile: String
        let words: String

        /// Nil where the session has no lease.
        init?(of session: Int64, in database: Database) throws {
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT process.id, process.pid, process.host, process.lockFile, run.openedAt FROM lease
                    JOIN process ON process.id = lease.process JOIN run ON run.id = lease.run WHERE lease.session = ?
                    """, arguments: [session])
            guard let row else { return nil }
            (process, lockFile) = (row[0], row[3])
            let (pid, host, since): (Int, String, Int64) = (row[1], row[2], row[4])
            words =
                "another adtop (pid \(pid) on \(host), since \(UnixTime(microseconds: since).iso8601)) has this "
                + "session open; this one sends when that one has ended"
        }
    }
}
