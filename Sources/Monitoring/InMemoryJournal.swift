package import AdTracking
package import Session

/// A journal that lives as long as its storage, for simulations and sessions that may not write to disk.
package actor InMemoryJournal: Journal {
    /// Takes the place of the disk; journals on one storage share their sessions.
    package actor Storage {
        fileprivate struct Session {
            var entries: [JournalEntry] = []
            /// Index of each beacon in `entries`.
            var places: [JournalBeacon: Int] = [:]
            /// Index of the claim with that number in the current run.
            var claims: [Int: Int] = [:]
            /// Number of the newest claim at each index in the current run.
            var newest: [Int: Int] = [:]
            var isOpen = false
        }

        private var sessions: [SessionKey: Session] = [:]

        package init() {}

        fileprivate func open(_ key: SessionKey, holding holdings: [JournalHolding]) -> [JournalEntry]? {
            var session = sessions[key] ?? Session()
            guard !session.isOpen else { return nil }
            session.isOpen = true
            session.claims = [:]
            session.newest = [:]
            for holding in holdings {
                let place = session.places[holding.entry.beacon] ?? session.entries.count
                if place == session.entries.count {
                    session.entries.append(holding.entry)
                } else if session.entries[place].isBefore(holding.entry) {
                    session.entries[place] = holding.entry
                } else if session.entries[place].isOpenTry(of: holding.entry) {
                    session.entries[place].outcome = holding.entry.outcome
                }
                session.places[holding.entry.beacon] = place
                guard let claim = holding.claim else { continue }
                session.claims[claim] = place
                session.newest[place] = claim
            }
            sessions[key] = session
            return session.entries
        }

        fileprivate func close(_ key: SessionKey) {
            sessions[key]?.isOpen = false
        }

        fileprivate func add(_ claims: [JournalClaim], to key: SessionKey) {
            guard var session = sessions[key] else { return }
            for claim in claims {
                let entry = JournalEntry(beacon: claim.beacon, round: claim.round, attempt: claim.attempt, outcome: nil)
                let place = session.places[claim.beacon] ?? session.entries.count
                if place == session.entries.count {
                    session.entries.append(entry)
                } else {
                    session.entries[place] = entry
                }
                session.places[claim.beacon] = place
                session.claims[claim.number] = place
                session.newest[place] = claim.number
            }
            sessions[key] = session
        }

        fileprivate func add(_ outcomes: [JournalOutcome], to key: SessionKey) {
            for outcome in outcomes {
                guard let place = sessions[key]?.claims[outcome.claim],
                    sessions[key]?.newest[place] == outcome.claim
                else { continue }
                sessions[key]?.entries[place].outcome = outcome.state
            }
        }
    }

    private let storage: Storage
    private var session: SessionKey?

    package init(storage: Storage = Storage()) {
        self.storage = storage
    }

    package func open(
        _ session: SessionKey, holding holdings: [JournalHolding]
    ) async throws(JournalProblem) -> JournalOpening {
        await close()
        guard let entries = await storage.open(session, holding: holdings) else {
            throw JournalProblem(.inUse, "journal: another monitor has this session open")
        }
        self.session = session
        return JournalOpening(entries: entries)
    }

    /// Grants all.
    @discardableResult
    package func writeClaims(_ claims: [JournalClaim]) async throws(JournalProblem) -> [RefusedClaim] {
        await storage.add(claims, to: try openSession())
        return []
    }

    /// Those of a session that is not open are held by it.
    package func writeOutcomes(_ outcomes: [JournalOutcome]) async throws(JournalProblem) {
        if let session { await storage.add(outcomes, to: session) }
    }

    /// Notes have no reader here.
    package func writeNotes(_ notes: [JournalNote]) async throws(JournalProblem) {
        _ = try openSession()
    }

    package func close() async {
        if let session { await storage.close(session) }
        session = nil
    }

    private func openSession() throws(JournalProblem) -> SessionKey {
        guard let session else { throw JournalProblem(.cannotWrite, "journal is not open") }
        return session
    }
}

extension JournalEntry {
    /// Whether the other one is of a later try.
    fileprivate func isBefore(_ other: JournalEntry) -> Bool { (round, attempt) < (other.round, other.attempt) }

    /// Whether it has no outcome yet, and the other one is of the same try.
    fileprivate func isOpenTry(of other: JournalEntry) -> Bool {
        outcome == nil && (round, attempt) == (other.round, other.attempt)
    }
}
