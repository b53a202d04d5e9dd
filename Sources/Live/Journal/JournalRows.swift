import GRDB
import Ports
import Session

/// Journal records as rows.
enum JournalRows {
    /// Inserts a claim; returns its row, which its outcome refers to.
    static func insert(_ claim: JournalClaim, run: JournalRun, in database: Database) throws -> Int64 {
        let place = try JournalPlaces.beacon(claim.beacon, of: run, at: claim.at, in: database)
        try supersede(place.beacon, round: claim.round, in: database)
        try database.cachedStatement(
            sql: """
                INSERT INTO claim (beacon, ad, host, run, round, attempt, at, late) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            place.beacon, place.ad, place.host, run.id, claim.round, claim.attempt, claim.at.microseconds,
            claim.late?.inMicroseconds,
        ])
        return database.lastInsertedRowID
    }

    /// A later try of a beacon follows.
    private static func supersede(_ beacon: Int64, round: Int, in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE claim SET superseded = 1 WHERE beacon = ? AND round = ? AND superseded = 0"
        ).execute(arguments: [beacon, round])
    }

    /// Inserts an outcome, unless the claim has one or does not exist. How late the beacon was is known better then.
    static func insert(_ outcome: JournalOutcome, claim row: Int64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE claim SET state = ?, status = ?, endedAt = ?, late = coalesce(?, late)
                WHERE id = ? AND state IS NULL
                """
        ).execute(arguments: [
            outcome.state, outcome.status, outcome.at.microseconds, outcome.late?.inMicroseconds, row,
        ])
    }

    /// Adds a beacon, or a further try of it, that the journal does not have, as after a loss or in a session that follows another one, or
    /// the outcome of a claim that has none in the journal.
    /// - Returns: the row of the claim in progress, if there is one.
    static func hold(
        _ holding: JournalHolding, run: JournalRun, at: UnixTime, in database: Database
    ) throws -> Int64? {
        let entry = holding.entry
        let place = try JournalPlaces.beacon(entry.beacon, of: run, at: at, in: database)
        let known = try Int64.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT max(id) FROM claim WHERE beacon = ? AND (round > ? OR round = ? AND attempt >= ?)
                    """),
            arguments: [place.beacon, entry.round, entry.round, entry.attempt])
        if let known {
            if entry.outcome != nil { try end(known, as: holding, in: database) }
            return known
        }
        try supersede(place.beacon, round: entry.round, in: database)
        try database.cachedStatement(
            sql: """
                INSERT INTO claim (beacon, ad, host, run, round, attempt, superseded, at, state, status, endedAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            place.beacon, place.ad, place.host, run.id, entry.round, entry.attempt, holding.isCopy, at.microseconds,
            entry.outcome, holding.status, entry.outcome.map { _ in at.microseconds },
        ])
        return database.lastInsertedRowID
    }

    /// Ends the claim as it is held, unless it has an outcome or is of another try; when it ended is not known here.
    private static func end(_ row: Int64, as holding: JournalHolding, in database: Database) throws {
        let entry = holding.entry
        try database.cachedStatement(
            sql: """
                UPDATE claim SET state = ?, status = ? WHERE id = ? AND round = ? AND attempt = ? AND state IS NULL
                """
        ).execute(arguments: [entry.outcome, holding.status, row, entry.round, entry.attempt])
    }

    /// The newest claim; 0 if there is none. The newest ones are never deleted.
    static func lastClaim(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM claim")) ?? 0
    }

    /// Whether a beacon of the session was ever claimed.
    static func hasClaims(of session: Int64, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM adBreak JOIN ad ON ad.adBreak = adBreak.id
                    JOIN event ON event.ad = ad.id JOIN beacon ON beacon.event = event.id
                    JOIN claim ON claim.beacon = beacon.id WHERE adBreak.session = ?)
                """, arguments: [session]) ?? false
    }

    /// Events whose claims are read when a session is opened, if it has more; and the span that is read at least.
    static let eventsRead = 4_096
    static let spanRead: Duration = .seconds(3 * 3_600)

    /// The media date from which on ``entries(of:from:key:in:)`` are needed: a stream that runs for a month has a million
    /// claims, and those of its last hours can still matter. Nil for all of them.
    static func firstNeeded(of session: Int64, in database: Database) throws -> UnixTime? {
        let claimed = """
            FROM adBreak JOIN ad ON ad.adBreak = adBreak.id JOIN event ON event.ad = ad.id
            WHERE adBreak.session = ? AND event.start <> 0 AND EXISTS (SELECT 1 FROM beacon
                JOIN claim ON claim.beacon = beacon.id WHERE beacon.event = event.id)
            """
        let count = eventsRead
        let edge = try Int64.fetchOne(
            database, sql: "SELECT event.start \(claimed) ORDER BY event.start DESC LIMIT 1 OFFSET \(count)",
            arguments: [session])
        guard let edge else { return nil }
        let last = try Int64.fetchOne(database, sql: "SELECT max(event.start) \(claimed)", arguments: [session]) ?? edge
        return min(UnixTime(microseconds: edge), UnixTime(microseconds: last) - spanRead)
    }

    /// The last claim of every beacon of a session with its outcome, in the order first claimed.
    /// - Parameter first: events due before this date are left out, except notices of auctions, which have no date.
    static func entries(
        of session: Int64, from first: UnixTime?, key: SessionKey, in database: Database
    ) throws -> [JournalEntry] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT adBreak.name, ad.name, ad.firstStart, event.type, event.start, beacon.url, claim.round,
                    claim.attempt, claim.state
                FROM adBreak JOIN ad ON ad.adBreak = adBreak.id JOIN event ON event.ad = ad.id
                JOIN beacon ON beacon.event = event.id
                JOIN claim ON claim.id = (SELECT max(id) FROM claim WHERE claim.beacon = beacon.id)
                WHERE adBreak.session = ? AND (event.start >= ? OR event.start = 0)
                ORDER BY (SELECT min(id) FROM claim WHERE claim.beacon = beacon.id)
                """, arguments: [session, first?.microseconds ?? .min])
        var entries: [JournalEntry] = []
        while let row = try rows.next() {
            let beacon = JournalBeacon(
                session: key.text, breakName: try row.decode(atIndex: 0), adName: try row.decode(atIndex: 1),
                adStart: UnixTime(microseconds: try row.decode(atIndex: 2)), type: try row.decode(atIndex: 3),
                start: UnixTime(microseconds: try row.decode(atIndex: 4)), url: try row.decode(atIndex: 5))
            entries.append(
                JournalEntry(
                    beacon: beacon, round: try row.decode(atIndex: 6), attempt: try row.decode(atIndex: 7),
                    outcome: try row.decode(String?.self, atIndex: 8)))
        }
        return entries
    }
}

/// One opening of a session.
struct JournalRun: Sendable {
    /// Row of the run in `run`.
    var id: Int64
    /// Row of the session in `session`.
    var session: Int64
    /// Generation of the connection that has these rows.
    var generation: Int
}
