import GRDB
import Ports
import Session

/// A session that is to be opened in a journal, as the work of one transaction.
struct JournalRequest: Sendable {
    let key: SessionKey
    let at: UnixTime
    let lease: JournalLease
    /// What the session holds, and what the journal of an earlier version has of it.
    let holdings: [JournalHolding]
    /// Runs that ended while the journal could not be written.
    let ends: [JournalLease.End]
    /// Outcomes that could not be written before.
    let ended: [EndedClaim]
    /// Whether a damaged journal precedes this one.
    let isAfterDamage: Bool

    /// The result of the transaction.
    enum Answer {
        case taken(JournalRun, Found)
        /// Another holder has the session; a clause names the holder and the remedy.
        case heldBy(String)
    }

    /// What the journal has of the session.
    struct Found {
        let entries: [JournalEntry]
        /// The media date from which on the entries are complete; nil if they are complete.
        let completeFrom: UnixTime?
        /// Rows of the claims in progress by number.
        let claims: [Int: Int64]
        /// Whether the journal, and no damaged one before it, has the session's earlier entries.
        let isKnown: Bool
    }

    /// Writes what is waiting, takes the session and reads its entries.
    func perform(in database: Database) throws -> Answer {
        for end in ends { try end.write(in: database) }
        // The outcome of a claim holds, no matter which process has the session now.
        for one in ended { try one.write(in: database) }
        switch try lease.take(key, at: at, in: database) {
        case .heldBy(let holder): return .heldBy(holder)
        case .taken(let run): return .taken(run, try found(by: run, in: database))
        }
    }

    private func found(by run: JournalRun, in database: Database) throws -> Found {
        let isKnown = try !isAfterDamage || JournalRows.hasClaims(of: run.session, in: database)
        var claims: [Int: Int64] = [:]
        for holding in holdings {
            let row = try JournalRows.hold(holding, run: run, at: at, in: database)
            if let number = holding.claim, let row { claims[number] = row }
        }
        let first = try JournalRows.firstNeeded(of: run.session, in: database)
        return Found(
            entries: try JournalRows.entries(of: run.session, from: first, key: key, in: database),
            completeFrom: first, claims: claims, isKnown: isKnown)
    }
}
