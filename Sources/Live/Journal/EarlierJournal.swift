import GRDB
import Ports
import Session

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The journal that versions before 0.2 kept for a session in a file of its own. It is imported into the common one
/// when the session is opened again, so that at-most-once delivery holds across the update.
struct EarlierJournal {
    private let path: String
    /// What the file calls the session.
    private let session: String

    init(folder: String, key: SessionKey) {
        let spellings = [key.earlierText, key.text].compactMap(\.self)
        session = spellings.first { access(Self.path(of: $0, in: folder), F_OK) == 0 } ?? key.text
        path = Self.path(of: session, in: folder)
    }

    private static func path(of session: String, in folder: String) -> String {
        var hash = StableHash()
        hash.add(session)
        return "\(folder)/\(hash.value.hexadecimal).sqlite"
    }

    /// The imported entries, and how to confirm the import.
    struct Entries {
        var holdings: [JournalHolding] = []
        /// Nil when there is nothing to import.
        var path: String?
        /// A file that cannot be read: what its session sent is unknown.
        var damagedFile: String?

        /// The entries are in the common journal and flushed: the file is not read again.
        func wasTaken() {
            guard let path else { return }
            // If this fails, the file is imported again, which changes nothing.
            rename(path, path + ".taken")
        }
    }

    /// The entries of the file that an earlier version kept of a session; none without a folder of such files.
    static func entries(of key: SessionKey, in folder: String?, since: UnixTime) throws(JournalProblem) -> Entries {
        guard let folder else { return Entries() }
        return try EarlierJournal(folder: folder, key: key).entries(since: since)
    }

    /// The last claim of every beacon. A file that cannot be read stays where it is; it counts like a damaged journal
    /// that was moved aside, until it is deleted or was last written before `since`.
    func entries(since: UnixTime) throws(JournalProblem) -> Entries {
        // Before its tables exist, a process has sent nothing.
        guard access(path, F_OK) == 0, !isEmpty else { return Entries() }
        do throws(FileProblem) {
            guard let lock = try FileLock(path: path + ".lock") else {
                throw FileProblem(
                    path: path, reason: .system("an adtop of an earlier version has this session open; stop it"))
            }
            // Whatever the reason, what the file has of this session is unknown.
            guard let entries = lock.held({ try? read() }) else {
                return Entries(damagedFile: DamagedJournal.isWritten(path, since: since) ? path : nil)
            }
            return Entries(holdings: entries.map { JournalHolding(entry: $0) }, path: path)
        } catch {
            throw JournalProblem(.inUse, "journal \(error)")
        }
    }

    /// Whether neither the file nor its log has a byte.
    private var isEmpty: Bool {
        [path, path + "-wal"].allSatisfy { path in
            var status = stat()
            return stat(path, &status) != 0 || status.st_size == 0
        }
    }

    private func read() throws -> [JournalEntry] {
        let queue = try DatabaseQueue(path: path)
        return try queue.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT beacon.*, claim.round, claim.attempt, outcome.state FROM beacon
                    JOIN claim ON claim.id = (SELECT max(id) FROM claim WHERE claim.beacon = beacon.id)
                    LEFT JOIN outcome ON outcome.claim = claim.id WHERE beacon.session = ? ORDER BY beacon.id
                    """, arguments: [session]
            ).map { row in
                let beacon = JournalBeacon(
                    session: row["session"], breakName: row["breakName"], adName: row["adName"],
                    adStart: UnixTime(microseconds: row["adStart"]), type: row["type"],
                    start: UnixTime(microseconds: row["start"]), url: row["url"])
                return JournalEntry(
                    beacon: beacon, round: row["round"], attempt: row["attempt"], outcome: row["state"])
            }
        }
    }
}
