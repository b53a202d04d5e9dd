import GRDB
import Ports
import Session

/// A claim without an outcome: where its outcome is written.
struct OpenClaim: Sendable {
    /// The session in which it was claimed.
    private let session: SessionKey
    private let beacon: JournalBeacon
    private let round: Int
    private let attempt: Int
    /// Its row; nil once the journal was opened again, which may be another file.
    private var row: Int64?
    /// Row of its copy in a session that followed.
    private var copy: Int64?

    init(_ claim: JournalClaim, row: Int64, of session: SessionKey) {
        self.session = session
        (beacon, round, attempt) = (claim.beacon, claim.round, claim.attempt)
        self.row = row
    }

    /// A claim that was made while there was no journal.
    init(_ entry: JournalEntry, of session: SessionKey) {
        self.session = session
        (beacon, round, attempt) = (entry.beacon, entry.round, entry.attempt)
    }

    /// The journal was opened with this claim in it.
    mutating func opened(row: Int64, in session: SessionKey) {
        if session == self.session { self.row = row } else { copy = row }
    }

    /// The same claim, to be looked for by its beacon.
    var withoutRows: OpenClaim {
        var claim = self
        (claim.row, claim.copy) = (nil, nil)
        return claim
    }

    /// Writes the outcome, unless the claim has one or does not exist.
    func end(_ outcome: JournalOutcome, in database: Database) throws {
        for row in [try row ?? found(in: database), copy] {
            if let row { try JournalRows.insert(outcome, claim: row, in: database) }
        }
    }

    private func found(in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT claim.id FROM session JOIN adBreak ON adBreak.session = session.id
                    JOIN ad ON ad.adBreak = adBreak.id JOIN event ON event.ad = ad.id
                    JOIN beacon ON beacon.event = event.id JOIN claim ON claim.beacon = beacon.id
                    WHERE session.key = ? AND adBreak.name = ? AND ad.name = ? AND ad.firstStart = ? AND event.type = ?
                        AND event.start = ? AND beacon.url = ? AND claim.round = ? AND claim.attempt = ?
                        AND claim.state IS NULL ORDER BY claim.id LIMIT 1
                    """),
            arguments: [
                session.text, beacon.breakName, beacon.adName, beacon.adStart.microseconds, beacon.type,
                beacon.start.microseconds, beacon.url, round, attempt,
            ])
    }
}

/// A claim with its outcome, which is not in the journal yet.
struct EndedClaim: Sendable {
    let claim: OpenClaim
    let outcome: JournalOutcome

    func write(in database: Database) throws { try claim.end(outcome, in: database) }
}
