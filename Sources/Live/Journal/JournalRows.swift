import GRDB
import Monitoring
import Ports

/// Journal records to rows and back.
enum JournalRows {
    static func insert(_ claim: JournalClaim, run: Int64, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO claim (run, number, beacon, round, attempt, at) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                run, claim.number, try row(of: claim.beacon, in: database), claim.round, claim.attempt,
                claim.at.microseconds,
            ])
    }

    /// Does nothing for a claim that is not there: its transaction failed.
    static func insert(_ outcome: JournalOutcome, run: Int64, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO outcome (claim, state, status, at)
                SELECT id, ?, ?, ? FROM claim WHERE run = ? AND number = ?
                """,
            arguments: [
                outcome.state, outcome.status, outcome.at.microseconds, run, outcome.claim,
            ])
    }

    /// The last claim of every beacon with its outcome, in the order first claimed.
    static func restored(from database: Database) throws -> [JournalEntry] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT beacon.*, claim.round, claim.attempt, outcome.state FROM beacon
                JOIN claim ON claim.id = (SELECT max(id) FROM claim WHERE claim.beacon = beacon.id)
                LEFT JOIN outcome ON outcome.claim = claim.id ORDER BY beacon.id
                """)
        var entries: [JournalEntry] = []
        while let row = try rows.next() {
            entries.append(
                JournalEntry(beacon: beacon(row), round: row["round"], attempt: row["attempt"], outcome: row["state"]))
        }
        return entries
    }

    /// The row of that identity, added when it is new.
    private static func row(of beacon: JournalBeacon, in database: Database) throws -> Int64 {
        let digest = digest(of: beacon)
        let rows = try Row.fetchCursor(database, sql: "SELECT * FROM beacon WHERE digest = ?", arguments: [digest])
        while let row = try rows.next() {
            if self.beacon(row) == beacon { return row["id"] }
        }
        try database.execute(
            sql: """
                INSERT INTO beacon (digest, session, breakName, adName, adStart, type, start, url)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                digest, beacon.session, beacon.breakName, beacon.adName, beacon.adStart.microseconds, beacon.type,
                beacon.start.microseconds, beacon.url,
            ])
        return database.lastInsertedRowID
    }

    private static func beacon(_ row: Row) -> JournalBeacon {
        JournalBeacon(
            session: row["session"], breakName: row["breakName"], adName: row["adName"],
            adStart: UnixTime(microseconds: row["adStart"]), type: row["type"],
            start: UnixTime(microseconds: row["start"]), url: row["url"])
    }

    private static func digest(of beacon: JournalBeacon) -> Int64 {
        var hash = StableHash()
        for text in [beacon.session, beacon.breakName, beacon.adName, beacon.type, beacon.url] { hash.add(text) }
        hash.add("\(beacon.adStart.microseconds) \(beacon.start.microseconds)")
        return Int64(bitPattern: hash.value)
    }
}
