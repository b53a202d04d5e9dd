import GRDB
import Ports
import Session

/// What an error of the database means for a journal.
enum DatabaseFault {
    /// Whether another program holds a lock on the file.
    static func isLocked(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
    }

    /// Whether the file itself is damaged; values of wrong types come from pages that were overwritten.
    static func isDamage(_ error: any Error) -> Bool {
        if error is RowDecodingError { return true }
        if case JournalKind.incomplete = error { return true }
        return (error as? DatabaseError).map { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains($0.resultCode) } ?? false
    }

    /// Why the journal at `path` could not be opened.
    static func problem(_ error: any Error, opening path: String) -> JournalProblem {
        switch error {
        case let problem as JournalProblem: problem
        case let problem as FileProblem: JournalProblem(.cannotOpen, "journal \(problem)")
        case JournalKind.foreign:
            JournalProblem(.cannotOpen, "journal \(path): is a database of another program; name another file")
        case JournalKind.noDatabase:
            JournalProblem(.cannotOpen, "journal \(path): is no database; name another file")
        case JournalKind.incomplete:
            JournalProblem(.damaged, "journal \(path): lacks beacons that an ended process had written")
        case JournalKind.newer:
            JournalProblem(
                .cannotOpen, "journal \(path): was written by a later version of adtop; update, or name another file")
        case _ where isLocked(error):
            JournalProblem(.busy, "journal \(path): another program has locked it")
        case _ where isDamage(error):
            JournalProblem(.damaged, "journal \(path): \(DatabaseErrorText.sentence(error))")
        default: JournalProblem(.cannotOpen, "journal \(path): \(DatabaseErrorText.sentence(error))")
        }
    }
}
