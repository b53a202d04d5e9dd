import GRDB
import Monitoring
import Ports

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The journal that versions before 0.2 kept of a session in a file of its own, taken into the common one when the
/// session is opened again, so that at most once holds across the update.
struct EarlierJournal {
    private let path: String
    private let key: SessionKey

    init(folder: String, key: SessionKey) {
        var hash = StableHash()
        hash.add(key.text)
        let digits = String(hash.value, radix: 16)
        path = folder + "/" + String(repeating: "0", count: 16 - digits.count) + digits + ".sqlite"
        self.key = key
    }

    /// What it knows, and how to say that it was taken over.
    struct Entries {
        var holdings: [JournalHolding] = []
        /// Nil where there is no file.
        var path: String?

        /// It is in the common journal now, flushed: the file is not read again.
        func wasTaken() {
            guard let path else { return }
            // Should this fail it is taken in once more, which changes nothing.
            rename(path, path + ".taken")
        }
    }

    /// The last claim of every beacon. A file that cannot be read is left alone and counts as none: it was moved aside
    /// by the version that wrote it, too.
    func entries() throws(JournalProblem) -> Entries {
        guard access(path, F_OK) == 0 else { return Entries() }
        do throws(FileProblem) {
            guard let lock = try JournalLock(path: path + ".lock") else {
                throw FileProblem(path: path, reason: .system("an adtop of an earlier version works on this session"))
            }
            guard let entries = lock.held({ try? read() }) else { return Entries() }  // damaged: see above
            return Entries(holdings: entries.map { JournalHolding(entry: $0) }, path: path)
        } catch {
            throw JournalProblem(.inUse, "journal \(error)")
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
                    """, arguments: [key.text]
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
