import GRDB
package import Ports

/// Reads a journal without changing it, even while sessions write to it.
package struct JournalReader {
    private let queue: DatabaseQueue
    private let path: String

    /// Opens the journal at `path`.
    package init(path: String) throws(FileProblem) {
        self.path = path
        guard let file = FileIdentity(path) else { throw FileProblem(path: path, reason: .missing) }
        // SQLite opens a folder and reports a fault of the disk at the first read.
        guard !file.isFolder else { throw FileProblem(path: path, reason: .isFolder) }
        do {
            queue = try Self.queue(reading: path, patience: .seconds(5))
            try Self.check(queue)
        } catch let reason as FileProblem.Reason {
            throw FileProblem(path: path, reason: reason)
        } catch {
            throw FileProblem(path: path, reason: .system(DatabaseErrorText.clause(error)))
        }
    }

    /// A report of everything, or of the claims, unsent beacons and findings from `since` on.
    package func report(since: UnixTime? = nil) throws(FileProblem) -> JournalReport {
        let folder = LinkedPath.folder(of: LinkedPath.resolved(path))
        do {
            return try queue.read { try JournalReportQuery(since: since, folder: folder, database: $0).report() }
        } catch {
            throw FileProblem(path: path, reason: .system(DatabaseErrorText.clause(error)))
        }
    }

    /// In a read-only folder the log of a journal cannot be shared: such a file is read without it.
    static func queue(reading path: String, patience: Duration) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(patience / .seconds(1))
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") }
            return queue
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            let escaped = path.replacingScalars { $0 == "%" ? "%25" : $0 == "?" ? "%3f" : $0 == "#" ? "%23" : nil }
            return try DatabaseQueue(path: "file:\(escaped)?immutable=1", configuration: configuration)
        }
    }

    private static func check(_ queue: DatabaseQueue) throws {
        let (kind, version, isEarlier) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0,
                try database.tableExists("outcome")
            )
        }
        if kind != JournalSchema.applicationID {
            throw FileProblem.Reason.malformed(
                isEarlier
                    ? "is a journal of an earlier version; it is imported when its session is monitored again"
                    : "is not a journal of adtop")
        }
        if version > JournalSchema.version {
            throw FileProblem.Reason.malformed("was written by a later version of adtop; update to read it")
        }
    }
}

extension FileProblem.Reason: Error {}
