import GRDB
import Ports

/// Deletes rows older than a limit, in steps of a fixed size. Rows are mostly, and not always, in the order of time: a
/// start with a wrong clock leaves some that are dated in the future before others.
struct JournalPruning {
    let limit: UnixTime
    let now: UnixTime
    let rows: Int
    /// Number of newest claims kept whatever their age.
    let keptClaims: Int

    init(before limit: UnixTime, at now: UnixTime, rows: Int, keptClaims: Int) {
        (self.limit, self.now) = (limit, now)
        self.rows = rows
        self.keptClaims = keptClaims
    }

    /// Tables of notes, which are deleted before claims.
    private static let notes = ["log", "poll", "finding", "action"]

    /// - Returns: whether there may be more.
    func notesAndBeacons(in database: Database) throws -> Bool {
        for table in Self.notes where try delete(from: table, in: database) { return true }
        return try beacons(in: database)
    }

    /// Deletes claims and unsent beacons; then rows without references.
    func beacons(in database: Database) throws -> Bool {
        let newest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM claim") ?? 0
        let claims = try forget("claim", through: newest - Int64(keptClaims), in: database)
        let unsent = try forget("unsent", through: .max, in: database)
        if claims || unsent { try giveSpaceBack(in: database) }
        return claims || unsent
    }

    /// Deletes the oldest rows of a table of beacons that precede the limit, and the beacons with them. One that is dated
    /// in the future precedes it if one was written after it whose own date does: such rows go first, or nothing would
    /// tell their age any more.
    private func forget(_ table: String, through last: Int64, in database: Database) throws -> Bool {
        let limit = limit.microseconds
        let ages: [(condition: String, arguments: StatementArguments)] = [
            ("at > ? AND +id < (SELECT max(id) FROM \(table) WHERE at < ?)", [now.microseconds, limit]),
            ("at < ?", [limit]),
        ]
        for age in ages {
            let old = try Row.fetchAll(
                database,
                sql: "SELECT id, beacon FROM \(table) WHERE \(age.condition) AND +id <= ? ORDER BY at LIMIT ?",
                arguments: age.arguments + [last, rows])
            guard !old.isEmpty else { continue }
            for row in old {
                try database.cachedStatement(sql: "DELETE FROM \(table) WHERE id = ?")
                    .execute(arguments: [row[0] as Int64])
            }
            try forget(old.map { $0[1] }, in: database)
            return true
        }
        return false
    }

    /// Deletes the oldest notes of all kinds, whatever their age.
    /// - Returns: whether there were any.
    static func oldestNotes(_ rows: Int, in database: Database) throws -> Bool {
        let dates = notes.map { "SELECT at FROM \($0)" }.joined(separator: " UNION ALL ")
        let last = try Int64.fetchOne(
            database, sql: "\(dates) ORDER BY at LIMIT 1 OFFSET ?", arguments: [rows - 1])
        var deleted = 0
        for table in notes {
            try database.execute(sql: "DELETE FROM \(table) WHERE at <= ?", arguments: [last ?? .max])
            deleted += database.changesCount
        }
        guard deleted > 0 else { return false }
        try database.execute(sql: "PRAGMA incremental_vacuum")
        return true
    }

    private func delete(from table: String, in database: Database) throws -> Bool {
        try database.execute(
            sql: """
                DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE at < ? ORDER BY at LIMIT ?)
                """, arguments: [limit.microseconds, rows])
        let isAny = database.changesCount > 0
        if isAny { try giveSpaceBack(in: database) }
        return isAny
    }

    /// Deletes beacons without a claim, then events, ads and breaks without a beacon that are as old.
    private func forget(_ beacons: [Int64], in database: Database) throws {
        for beacon in Set(beacons) {
            let event = try Int64.fetchOne(
                database.cachedStatement(
                    sql: """
                        DELETE FROM beacon WHERE id = ? AND NOT EXISTS (SELECT 1 FROM claim WHERE claim.beacon = beacon.id)
                        AND NOT EXISTS (SELECT 1 FROM unsent WHERE unsent.beacon = beacon.id) RETURNING event
                        """), arguments: [beacon])
            guard let event else { continue }
            try database.cachedStatement(
                sql:
                    "DELETE FROM event WHERE id = ? AND NOT EXISTS (SELECT 1 FROM beacon WHERE beacon.event = event.id)"
            ).execute(arguments: [event])
        }
        let old = limit.microseconds
        try database.execute(
            sql: """
                DELETE FROM event WHERE ad IN (SELECT ad.id FROM ad JOIN adBreak ON adBreak.id = ad.adBreak
                    WHERE adBreak.lastAt < \(old)) AND NOT EXISTS (SELECT 1 FROM beacon WHERE beacon.event = event.id);
                DELETE FROM ad WHERE adBreak IN (SELECT id FROM adBreak WHERE lastAt < \(old))
                    AND NOT EXISTS (SELECT 1 FROM event WHERE event.ad = ad.id);
                DELETE FROM adBreak WHERE lastAt < \(old) AND NOT EXISTS (SELECT 1 FROM ad WHERE ad.adBreak = adBreak.id);
                """)
    }

    private func giveSpaceBack(in database: Database) throws {
        try database.execute(sql: "PRAGMA incremental_vacuum")
    }
}
