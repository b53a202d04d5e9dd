import GRDB
import Session

/// What sessions want written while a transaction runs: it shares the next ones.
struct WaitingWrites {
    /// Work of a session in the database.
    typealias Work = @Sendable (Database) throws -> [Int64]

    struct Write {
        var rows: Int
        /// Whether it must be on disk, and not only committed.
        var isFlushed: Bool
        var work: Work
        var continuation: CheckedContinuation<Result<[Int64], JournalProblem>, Never>
    }

    /// Maximum number of rows in one transaction of notes, and so the longest delay of a claim behind it.
    private static let rowsAtOnce = 1_000

    private var writes: [Write] = []

    var isEmpty: Bool { writes.isEmpty }

    mutating func append(_ write: Write) { writes.append(write) }

    /// Takes what one transaction has: all that must be flushed, else some of the rest.
    mutating func takeBatch() -> [Write] {
        let flushed = writes.filter(\.isFlushed)
        if !flushed.isEmpty {
            writes.removeAll(where: \.isFlushed)
            return flushed
        }
        var rows = 0
        let batch = writes.prefix { one in
            defer { rows += one.rows }
            return rows == 0 || rows + one.rows <= Self.rowsAtOnce
        }
        writes.removeFirst(batch.count)
        return Array(batch)
    }
}
