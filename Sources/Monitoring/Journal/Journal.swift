/// What makes two runs the same session: the journal file is named after it.
package struct SessionKey: Sendable, Hashable {
    /// The session's own address, with its session identifier.
    package var text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// Why a journal cannot be used; the text says what and where in one line.
package struct JournalProblem: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Another process holds this session.
        case inUse
        case cannotOpen
        case cannotWrite
        /// What was written is gone, or cannot be read any more: damaged, deleted, replaced.
        case lost
    }

    package var kind: Kind
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// The memory of what was claimed and sent, across restarts.
///
/// Contract (checked by the journal contract test): when `writeClaims` returns, its records survive the death of
/// process and machine, all or none of a batch; `open` returns the last claim of each beacon with its outcome, in the
/// order first claimed; after `close` everything written is kept and the session may be opened again; one session is
/// open in one place at a time. Opening a session that this journal has open already closes it first.
package protocol Journal: Sendable {
    /// Opens the session and returns what earlier runs left, with a sentence when something had to be repaired.
    /// - Parameter holdings: what this run has sent so far. Those the journal does not know, because it was lost
    ///   meanwhile, are written and flushed before it returns; outcomes find the claims they name.
    func open(_ session: SessionKey, holding holdings: [JournalHolding]) async throws(JournalProblem) -> JournalOpening
    func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem)
    func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem)
    /// Keeps notes for people, without hurry.
    func writeNotes(_ notes: [JournalNote]) async throws(JournalProblem)
    func close() async
}

extension Journal {
    /// Opens a session of which this run has sent nothing.
    package func open(_ session: SessionKey) async throws(JournalProblem) -> JournalOpening {
        try await open(session, holding: [])
    }
}

/// What opening a journal found.
package struct JournalOpening: Sendable, Hashable {
    package var entries: [JournalEntry]
    /// What was repaired or moved aside, for the log.
    package var notice: String?

    package init(entries: [JournalEntry] = [], notice: String? = nil) {
        self.entries = entries
        self.notice = notice
    }
}
