package import Ports

/// The identity of a session across runs; the journal file is named after it.
package struct SessionKey: Sendable, Hashable {
    /// The session's own address, with its session identifier.
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// Why a journal cannot be used, with the place, in one line.
package struct JournalProblem: Error, Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        /// Another process has this session open.
        case inUse
        case cannotOpen
        /// Another program has locked the file for a while.
        case busy
        case cannotWrite
        /// Written entries are lost or unreadable: damaged, deleted or replaced.
        case lost
        /// The file is damaged and cannot be moved aside.
        case damaged
    }

    package var kind: Kind
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// The record of claimed and sent beacons, across restarts.
///
/// Contract (checked by the journal contract test): when `writeClaims` returns, its records survive the end of the
/// process and the machine, all or none of a batch. `open` returns the last claim of each beacon with its outcome,
/// ordered by the first claim. After `close` all written entries are kept and the session may be opened again. A
/// session is open in one place at a time. Opening a session that this journal has open closes it first.
package protocol Journal: Sendable {
    /// Opens the session and returns the entries of earlier runs, with a sentence if something had to be repaired.
    /// - Parameter holdings: what this run has sent so far. Those missing from the journal, because it was lost in the
    ///   meantime, are written and flushed before it returns; later outcomes find the claims they refer to.
    func open(_ session: SessionKey, holding holdings: [JournalHolding]) async throws(JournalProblem) -> JournalOpening
    func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem)
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
}

/// The result of opening a journal.
package struct JournalOpening: Sendable, Hashable {
    package var entries: [JournalEntry]
    /// What was repaired or moved aside, for the log.
    package var notice: String?
    /// The damaged journal that was moved aside and may hold entries of this session; nil if none does.
    package var damagedFile: String?
    /// The entries are complete for beacons due from this media date on; nil if they are complete.
    package var completeFrom: UnixTime?

    package init(
        entries: [JournalEntry] = [], notice: String? = nil, damagedFile: String? = nil, completeFrom: UnixTime? = nil
    ) {
        self.entries = entries
        self.notice = notice
        self.damagedFile = damagedFile
        self.completeFrom = completeFrom
    }
}
