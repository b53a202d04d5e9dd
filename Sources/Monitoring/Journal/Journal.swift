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
        /// Another process holds this session's journal.
        case inUse
        case cannotOpen
        case cannotWrite
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
/// open in one place at a time.
package protocol Journal: Sendable {
    /// Opens the session and returns what earlier runs left, with a sentence when something had to be repaired.
    func open(_ session: SessionKey) async throws(JournalProblem) -> JournalOpening
    func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem)
    func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem)
    func close() async
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
