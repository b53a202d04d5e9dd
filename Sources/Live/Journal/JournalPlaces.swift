import GRDB
import Ports
import Session

/// The rows that claims and notes refer to, created if they are missing: session → break → ad → event → beacon.
enum JournalPlaces {
    /// The place of a beacon.
    struct Place {
        var beacon: Int64
        var ad: Int64
        var host: Int64
    }

    static func beacon(
        _ beacon: JournalBeacon, of run: JournalRun, at: UnixTime, in database: Database
    ) throws -> Place {
        let adBreak = try adBreak(beacon.breakName, of: run, at: at, in: database)
        let ad = try ad(beacon.adName, firstStart: beacon.adStart, of: adBreak, in: database)
        let event = try event(beacon.type, start: beacon.start, of: ad, in: database)
        let host = try host(of: beacon.url, in: database)
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM beacon WHERE event = ? AND url = ?"),
            arguments: [event, beacon.url])
        if let known { return Place(beacon: known, ad: ad, host: host) }
        try database.cachedStatement(sql: "INSERT INTO beacon (event, url) VALUES (?, ?)")
            .execute(arguments: [event, beacon.url])
        return Place(beacon: database.lastInsertedRowID, ad: ad, host: host)
    }

    static func session(_ key: SessionKey, at: UnixTime, in database: Database) throws -> Int64 {
        if let earlier = key.earlierText {
            try database.cachedStatement(sql: "UPDATE OR IGNORE session SET key = ? WHERE key = ?")
                .execute(arguments: [key.text, earlier])
        }
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO session (key, firstAt) VALUES (?, ?)")
            .execute(arguments: [key.text, at.microseconds])
        return try row("SELECT id FROM session WHERE key = ?", [key.text], in: database)
    }

    static func adBreak(_ name: String, of run: JournalRun, at: UnixTime, in database: Database) throws -> Int64 {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM adBreak WHERE session = ? AND name = ?"),
            arguments: [run.session, name])
        if let known { return known }
        try database.cachedStatement(sql: "INSERT INTO adBreak (session, name, lastAt) VALUES (?, ?, ?)")
            .execute(arguments: [run.session, name, at.microseconds])
        return database.lastInsertedRowID
    }

    static func ad(
        _ name: String, firstStart: UnixTime, of adBreak: Int64, in database: Database
    ) throws -> Int64 {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM ad WHERE adBreak = ? AND name = ? AND firstStart = ?"),
            arguments: [adBreak, name, firstStart.microseconds])
        if let known { return known }
        try database.cachedStatement(sql: "INSERT INTO ad (adBreak, name, firstStart) VALUES (?, ?, ?)")
            .execute(arguments: [adBreak, name, firstStart.microseconds])
        return database.lastInsertedRowID
    }

    static func event(_ type: String, start: UnixTime, of ad: Int64, in database: Database) throws -> Int64 {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM event WHERE ad = ? AND start = ? AND type = ?"),
            arguments: [ad, start.microseconds, type])
        if let known { return known }
        try database.cachedStatement(sql: "INSERT INTO event (ad, type, start) VALUES (?, ?, ?)")
            .execute(arguments: [ad, type, start.microseconds])
        return database.lastInsertedRowID
    }

    /// A text that is not a URL belongs to the host without a name.
    private static func host(of url: String, in database: Database) throws -> Int64 {
        let reference = URIReference(url)
        let authority = reference.authority?.split(separator: "@").last
        let name = authority.map { $0.prefix(255).lowercased() } ?? ""
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM host WHERE name = ?"), arguments: [name])
        if let known { return known }
        try database.cachedStatement(sql: "INSERT INTO host (name) VALUES (?)").execute(arguments: [name])
        return database.lastInsertedRowID
    }

    private static func row(
        _ sql: String, _ arguments: StatementArguments, in database: Database
    ) throws -> Int64 {
        guard let row = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: arguments) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row that was just written is missing")
        }
        return row
    }
}
