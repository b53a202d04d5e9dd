package import AdTracking
import Locks
import Monitoring
package import Session

/// One session's journal in a file shared by many.
package actor SQLiteJournal: Journal {
    private let file: JournalFile
    private var run: JournalRun?
    /// The session opened last.
    private var session: SessionKey?
    /// The claims without an outcome, by number.
    private var claims: [Int: OpenClaim] = [:]
    /// Outcomes that could not be written yet; the oldest are dropped.
    private var waitingOutcomes: [EndedClaim] = []
    static let outcomesWaiting = 10_000
    /// Whether a write failed since the session was opened. It will be opened again, and its outcomes wait for that.
    private var hasFailed = false
    /// Notes of a session that is not open yet; the oldest are dropped.
    private var waitingNotes: [JournalNote] = []
    private static let notesWaiting = 1_000

    init(_ file: JournalFile) {
        self.file = file
    }

    package func open(
        _ session: SessionKey, holding holdings: [JournalHolding]
    ) async throws(JournalProblem) -> JournalOpening {
        await leave()
        let ended = waitingOutcomes
        let opened = try await file.open(session, holding: holdings, ended: ended)
        (run, self.session, hasFailed) = (opened.run, session, false)
        waitingOutcomes.removeFirst(min(ended.count, waitingOutcomes.count))
        for holding in holdings {
            guard let number = holding.claim, let row = opened.claims[number] else { continue }
            claims[number, default: OpenClaim(holding.entry, of: session)].opened(row: row, in: session)
        }
        let notes = waitingNotes
        waitingNotes = []
        // If they cannot be written, nothing else suffers: the next claim reports what is wrong.
        if !notes.isEmpty { try? await writeNotes(notes) }
        return opened.opening
    }

    /// Grants all, unless another process has the session by now: none is then written.
    @discardableResult
    package func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) -> [RefusedClaim] {
        let (run, session) = try openRun()
        // Set on the database's queue and read after it. An error there would end the transaction of other sessions too.
        let loss = Locked<String?>(nil)
        let rows = try await write(rows: claims.count, isFlushed: true, in: run) { database in
            let holder = try JournalLease.loss(of: run, in: database)
            loss.withLock { $0 = holder }
            guard holder == nil else { return [] }
            return try claims.map { try JournalRows.insert($0, run: run, in: database) }
        }
        if let holder = loss.withLock({ $0 }) { throw JournalProblem(.inUse, "journal \(file.path): \(holder)") }
        for (claim, row) in zip(claims, rows) {
            self.claims[claim.number] = OpenClaim(claim, row: row, of: session)
        }
        return []
    }

    /// Those that cannot be written, and those of a session that could not be opened again, are written when it is opened.
    package func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem) {
        let ended = outcomes.compactMap { outcome in
            claims.removeValue(forKey: outcome.claim).map { EndedClaim(claim: $0, outcome: outcome) }
        }
        guard let run, !hasFailed else { return wait(ended) }
        do throws(JournalProblem) {
            try await write(ended, in: run)
        } catch {
            wait(ended)
            throw error
        }
    }

    private func wait(_ ended: [EndedClaim]) {
        // The next opening may be of another file.
        let found = ended.map { EndedClaim(claim: $0.claim.withoutRows, outcome: $0.outcome) }
        waitingOutcomes = Array((waitingOutcomes + found).suffix(Self.outcomesWaiting))
    }

    private func write(_ ended: [EndedClaim], in run: JournalRun) async throws(JournalProblem) {
        _ = try await write(rows: ended.count, isFlushed: false, in: run) { database in
            for one in ended { try one.write(in: database) }
            return []
        }
    }

    private func write(
        rows: Int, isFlushed: Bool, in run: JournalRun, _ work: @escaping WaitingWrites.Work
    ) async throws(JournalProblem) -> [Int64] {
        do throws(JournalProblem) {
            return try await file.write(in: run.generation, isFlushed: isFlushed, rows: rows, work)
        } catch {
            hasFailed = true
            throw error
        }
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
        // The last chance for them: if this fails, their claims stay without an outcome.
        if let run, !waitingOutcomes.isEmpty { try? await write(waitingOutcomes, in: run) }
        await leave()
        claims = [:]
        waitingOutcomes = []
    }

    /// Closes the run. Its claims may still end, in the next one.
    private func leave() async {
        if let run { await file.close(run) }
        run = nil
        claims = claims.mapValues(\.withoutRows)
    }

    private func openRun() throws(JournalProblem) -> (JournalRun, SessionKey) {
        guard let run, let session else { throw JournalProblem(.cannotWrite, "journal is not open") }
        return (run, session)
    }
}
