package import AdTracking
package import Session

/// The record of claimed and sent beacons, across restarts.
///
/// Contract (checked by the journal contract test): when `writeClaims` returns, the claims that it does not name survive the end of the
/// process and the machine; of a journal that grants all, all or none of a batch. `open` returns the last claim of each beacon with its outcome,
/// ordered by the first claim. After `close` all written entries are kept and the session may be opened again. A
/// session is open in one place at a time. Opening a session that this journal has open closes it first.
package protocol Journal: Sendable {
    /// Opens the session and returns the entries of earlier runs, with a sentence if something had to be repaired.
    /// - Parameter holdings: what this run has sent so far. Those missing from the journal, because it was lost in the
    ///   meantime, are written and flushed before it returns, and so are outcomes of those without one; later outcomes find the
    ///   claims they refer to.
    func open(_ session: SessionKey, holding holdings: [JournalHolding]) async throws(JournalProblem) -> JournalOpening
    /// Writes claims before their requests leave.
    /// - Returns: those that are not granted, because several processes share the journal; their requests must not leave.
    func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) -> [RefusedClaim]
    /// Whether the request of a granted claim may leave at this moment. It is asked immediately before, because a process may have stood
    /// still since the grant.
    nonisolated func lets(_ claim: ClaimID) -> Bool
    /// Writes outcomes; those that it cannot write now, because the session is not open or the write fails, are in the journal
    /// once the session is open again.
    func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem)
    /// Writes history notes with low priority.
    func writeNotes(_ notes: [JournalNote]) async throws(JournalProblem)
    func close() async
}

extension Journal {
    /// Opens a session from which this run has sent nothing.
    package func open(_ session: SessionKey) async throws(JournalProblem) -> JournalOpening {
        try await open(session, holding: [])
    }

    /// A grant of a journal with one owner does not end.
    package nonisolated func lets(_ claim: ClaimID) -> Bool { true }
}
