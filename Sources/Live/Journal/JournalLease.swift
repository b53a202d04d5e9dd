import GRDB
import Ports
import Session

/// The right to use a session: one row, valid while its process is running.
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

    /// Starts a run of the session, or returns its holder.
    func take(_ key: SessionKey, at: UnixTime, in database: Database) throws -> Taking {
        let session = try JournalPlaces.session(key, at: at, in: database)
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

    /// The holder of the session in words; nil if no running process holds it.
    private func other(of session: Int64, in database: Database) throws -> String? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT process.id, process.pid, process.host, process.lockFile, run.openedAt FROM lease
                JOIN process ON process.id = lease.process JOIN run ON run.id = lease.run WHERE lease.session = ?
                """, arguments: [session])
        guard let row else { return nil }
        let id: Int64 = row[0]
        if id == process { return "this adtop already has this session open" }
        let lockFile: String = row[3]
        // Rows of an ended process that had the same lock file.
        guard lockFile != holder else { return nil }
        guard JournalHolder.isAlive("\(folder)/\(lockFile)") else { return nil }
        let (pid, host, since): (Int, String, Int64) = (row[1], row[2], row[4])
        return "another adtop (pid \(pid) on \(host), since \(UnixTime(microseconds: since).iso8601)) has this "
            + "session open; this one sends when that one has ended"
    }
}
