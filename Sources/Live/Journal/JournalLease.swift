import GRDB
import Monitoring
import Ports

/// The right to work on a session: one row, good as long as the process that has it lives.
struct JournalLease: Sendable {
    /// Row of this process.
    let process: Int64
    /// Of the connection.
    let generation: Int
    /// Of the journal, where processes keep their lock files.
    let folder: String

    /// What comes of asking for a session.
    enum Taking {
        case taken(JournalRun)
        /// Somebody has it; a clause that says who and what to do.
        case heldBy(String)
    }

    /// Begins a run of the session, or says who has it.
    func take(_ key: SessionKey, at: UnixTime, in database: Database) throws -> Taking {
        let session = try JournalPlaces.session(key, at: at, in: database)
        if let holder = try holder(of: session, in: database) { return .heldBy(holder) }
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

    /// Who works on the session, in words; nil when nobody who lives does.
    private func holder(of session: Int64, in database: Database) throws -> String? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT process.id, process.pid, process.host, process.lockFile, run.openedAt FROM lease
                JOIN process ON process.id = lease.process JOIN run ON run.id = lease.run WHERE lease.session = ?
                """, arguments: [session])
        guard let row else { return nil }
        let id: Int64 = row[0]
        if id == process { return "this adtop works on this session already" }
        let lockFile: String = row[3]
        guard JournalHolder.isAlive("\(folder)/\(lockFile)") else { return nil }
        let (pid, host, since): (Int, String, Int64) = (row[1], row[2], row[4])
        return "another adtop (pid \(pid) on \(host), since \(UnixTime(microseconds: since).iso8601)) works on this "
            + "session; stop it, or use --no-journal"
    }
}
