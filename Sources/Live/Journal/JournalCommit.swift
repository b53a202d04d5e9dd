import GRDB
import Ports

extension JournalConnection {
    /// Runs the works in one transaction. What another program locks for a while, such as a backup, is waited for.
    /// - Returns: the rows of each, and the newest claim that is on disk, if it is known.
    func commit(
        _ works: [WaitingWrites.Work], isFlushed: Bool, within patience: Duration
    ) async throws -> (rows: [[Int64]], lastClaim: Int64?) {
        let time = SystemTimeSource()
        let end = time.now().uptime + patience
        while true {
            do {
                return try await queue.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA synchronous = \(isFlushed ? "FULL" : "NORMAL")")
                    var (rows, lastClaim): ([[Int64]], Int64?) = ([], nil)
                    try database.inTransaction(.immediate) {
                        rows = try works.map { try $0(database) }
                        if isFlushed { lastClaim = try JournalRows.lastClaim(in: database) }
                        return .commit
                    }
                    return (rows, lastClaim)
                }
            } catch let error where DatabaseFault.isLocked(error) && time.now().uptime < end {
                continue
            }
        }
    }
}
