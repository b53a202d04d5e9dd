package import AdTracking
import Locks
import Monitoring
package import Session

/// One session's journal in a file shared by many.
package actor SQLiteJournal: Journal {
    private let file: JournalFile
    private var run: JournalRun?
    /// Rows of the claims without an outcome, by number.
    private var claims: [Int: Int64] = [:]
    /// Notes of a session that is not open yet; the oldest are dropped.
    private var waitingNotes: [JournalNote] = []
    private static let notesWaiting = 1_000

    init(_ file: JournalFile) {
        self.file = file
    }

    package func open(
        _ session: SessionKey, holding holdings: [JournalHolding]
    ) async throws(JournalProblem) -> JournalOpening {
        await close()
        let opened = try await file.open(session, holding: holdings)
        run = opened.run
        claims = opened.claims
        let notes = waitingNotes
        waitingNotes = []
        // If they cannot be written, nothing else suffers: the next claim reports what is wrong.
        if !notes.isEmpty { try? await writeNotes(notes) }
        return opened.opening
    }

    /// Grants all, unless another process has the session by now: none is then written.
    @discardableResult
    package func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) -> [RefusedClaim] {
        let run = try openRun()
        // Set on the database's queue and read after it. An error there would end the transaction of other sessions too.
        let loss = Locked<String?>(nil)
        let rows = try await file.write(in: run.generation, isFlushed: true, rows: claims.count) { database in
            let holder = try JournalLease.loss(of: run, in: database)
            loss.withLock { $0 = holder }
            guard holder == nil else { return [] }
            return try claims.map { try JournalRows.insert($0, run: run, in: database) }
        }
        if let holder = loss.withLock({ $0 }) { throw JournalProblem(.inUse, "journal \(file.path): \(holder)") }
        for (claim, row) in zip(claims, rows) { self.claims[claim.number] = row }
        return []
    }

    package func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem) {
        let run = try openRun()
        let rows = outcomes.compactMap { outcome in claims[outcome.claim].map { (outcome, $0) } }
        _ = try await file.write(in: run.generation, isFlushed: false, rows: rows.count) { database in
            for (outcome, row) in rows { try JournalRows.insert(outcome, claim: row, in: database) }
            return []
        }
        for outcome in outcomes { claims[outcome.claim] = nil }
    }

    /// Notes of a session that could not be opened yet are written when it is.
    package func writeNotes(_ notes: [JournalNote]) async throws(JournalProblem) {
        guard let run else {
            waitingNotes = Array((waitingNotes + notes).suffix(Self.notesWaiting))
            return
        }
        _ = try await file.write(in: run.generation, isFlushed: false, rows: notes.count) { database in
            for note in notes { try JournalNoteRows.insert(note, run: run, in: database) }
            return []
        }
    }

    package func close() async {
        if let run { await file.close(run) }
        run = nil
        claims = [:]
    }

    private func openRun() throws(JournalProblem) -> JournalRun {
        guard let run else { throw JournalProblem(.cannotWrite, "journal is not open") }
        return run
    }
}
