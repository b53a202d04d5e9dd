import GRDB

/// The tables and views of a journal; docs/journal.md describes them for readers. A released migration never changes;
/// changes are new migrations.
enum JournalSchema {
    /// `adtp`, which identifies a journal to `file` and to this program.
    static let applicationID = 0x6164_7470
    /// The value of `PRAGMA user_version`, for readers.
    static let version = 1

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: one journal for all sessions") { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            try database.execute(sql: tables)
            try database.execute(sql: beacons() + views)
        }
        migrator.registerMigration("2: how beacons are retried, and answers that never came") { database in
            try database.execute(sql: "ALTER TABLE session ADD COLUMN retry TEXT; DROP VIEW hosts;" + hosts)
        }
        migrator.registerMigration("3: entries by their time, for what is deleted by age") { database in
            for table in ["claim", "unsent", "poll", "finding", "action", "log"] {
                try database.execute(sql: "CREATE INDEX \(table)At ON \(table) (at)")
            }
        }
        migrator.registerMigration("4: entries by their run, for runs of which nothing is left") { database in
            for table in ["claim", "unsent", "poll", "finding", "action", "log"] {
                try database.execute(sql: "CREATE INDEX \(table)Run ON \(table) (run)")
            }
            try database.execute(sql: "CREATE INDEX runProcess ON run (process); CREATE INDEX leaseRun ON lease (run)")
        }
        migrator.registerMigration("5: who reports in a session") { database in
            try database.execute(sql: "ALTER TABLE session ADD COLUMN serviceMode TEXT")
        }
        migrator.registerMigration("6: beacons once, where one run observed them and another sent them") { database in
            try database.execute(sql: "DROP VIEW beacons;" + beacons(unsentIf: isUnsent))
        }
        return migrator
    }()

    /// The rows of `unsent` that count: those of beacons that no run claimed, the newest of each. A viewer's actions, which have no due
    /// time, count each.
    static let isUnsent = """
        NOT EXISTS (SELECT 1 FROM claim WHERE claim.beacon = unsent.beacon AND claim.round = 0)
        AND (unsent.late IS NULL OR NOT EXISTS (SELECT 1 FROM unsent AS newer WHERE newer.beacon = unsent.beacon
            AND newer.id > unsent.id AND newer.late IS NOT NULL))
        """

    private static let tables = """
        -- Times are microseconds since the Unix epoch, spans microseconds.
        CREATE TABLE process (
            id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, version TEXT NOT NULL,
            lockFile TEXT NOT NULL, startedAt INTEGER NOT NULL, endedAt INTEGER);
        CREATE TABLE session (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT, mediaUrl TEXT, manifestUrl TEXT,
            metadataUrl TEXT, provider TEXT, mode TEXT, firstAt INTEGER NOT NULL);
        -- One row each time a session was opened.
        CREATE TABLE run (
            id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session,
            process INTEGER NOT NULL REFERENCES process, openedAt INTEGER NOT NULL, closedAt INTEGER);
        CREATE INDEX runSession ON run (session);
        -- Who works on a session now: holds as long as the process holds its lock file.
        CREATE TABLE lease (
            session INTEGER PRIMARY KEY REFERENCES session, run INTEGER NOT NULL REFERENCES run,
            process INTEGER NOT NULL REFERENCES process);
        CREATE TABLE adBreak (
            id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session, name TEXT NOT NULL, start INTEGER,
            duration INTEGER, source TEXT, vanished INTEGER NOT NULL DEFAULT 0, lastAt INTEGER NOT NULL,
            UNIQUE (session, name));
        CREATE TABLE ad (
            id INTEGER PRIMARY KEY, adBreak INTEGER NOT NULL REFERENCES adBreak, name TEXT NOT NULL,
            firstStart INTEGER NOT NULL, start INTEGER, duration INTEGER, vanished INTEGER NOT NULL DEFAULT 0,
            UNIQUE (adBreak, name, firstStart));
        CREATE TABLE event (
            id INTEGER PRIMARY KEY, ad INTEGER NOT NULL REFERENCES ad, type TEXT NOT NULL, start INTEGER NOT NULL,
            urls INTEGER);
        CREATE INDEX eventAd ON event (ad, start);
        CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE beacon (
            id INTEGER PRIMARY KEY, event INTEGER NOT NULL REFERENCES event, url TEXT NOT NULL);
        CREATE INDEX beaconEvent ON beacon (event);
        -- Written and flushed before the beacon is sent. Without a state it was perhaps sent, perhaps not.
        -- superseded: a later try of the same beacon and round exists.
        CREATE TABLE claim (
            id INTEGER PRIMARY KEY, beacon INTEGER NOT NULL REFERENCES beacon, ad INTEGER NOT NULL REFERENCES ad,
            host INTEGER NOT NULL REFERENCES host, run INTEGER NOT NULL REFERENCES run, round INTEGER NOT NULL,
            attempt INTEGER NOT NULL, superseded INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL, late INTEGER,
            state TEXT, status INTEGER, endedAt INTEGER);
        CREATE INDEX claimBeacon ON claim (beacon);
        -- Due, and not sent: observed or skipped.
        CREATE TABLE unsent (
            id INTEGER PRIMARY KEY, beacon INTEGER NOT NULL REFERENCES beacon, ad INTEGER NOT NULL REFERENCES ad,
            host INTEGER NOT NULL REFERENCES host, run INTEGER NOT NULL REFERENCES run, at INTEGER NOT NULL,
            late INTEGER, state TEXT NOT NULL, reason TEXT);
        CREATE INDEX unsentBeacon ON unsent (beacon);
        CREATE TABLE poll (
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL, feed TEXT NOT NULL, status INTEGER,
            bytes INTEGER, took INTEGER, changes TEXT, problem TEXT);
        CREATE TABLE finding (
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL, rule TEXT NOT NULL,
            severity TEXT NOT NULL, source TEXT NOT NULL, message TEXT NOT NULL, path TEXT, line INTEGER);
        CREATE TABLE action (
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL, words TEXT NOT NULL);
        CREATE TABLE log (
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL, level TEXT NOT NULL,
            message TEXT NOT NULL);
        """

    /// A state of `unknown` is a request that left and was not answered; none at all, a process that ended before.
    private static let hosts = """
        CREATE VIEW hosts AS
        SELECT host.name AS host, count(*) AS due, sum(claim.state = 'acknowledged') AS acknowledged,
            sum(claim.state IN ('rejected', 'failed')) AS failed,
            sum(coalesce(claim.state, 'unknown') = 'unknown') AS unknown
        FROM claim JOIN host ON host.id = claim.host WHERE claim.superseded = 0 GROUP BY host.id;
        """

    private static func beacons(unsentIf condition: String = "TRUE") -> String {
        """
        CREATE VIEW beacons AS
        SELECT session.key AS session, ltrim(adBreak.name, '=') AS break, ltrim(ad.name, '=') AS ad, event.type AS event,
            strftime('%Y-%m-%dT%H:%M:%fZ', event.start / 1e6, 'unixepoch') AS due, host.name AS host, beacon.url AS url,
            coalesce(claim.state, 'unknown') AS state, claim.attempt AS attempts, claim.status AS status,
            strftime('%Y-%m-%dT%H:%M:%fZ', claim.at / 1e6, 'unixepoch') AS claimedAt, claim.late / 1000 AS lateMs,
            (claim.endedAt - claim.at) / 1000 AS tookMs, NULL AS reason
        FROM claim JOIN beacon ON beacon.id = claim.beacon JOIN event ON event.id = beacon.event
            JOIN ad ON ad.id = claim.ad JOIN adBreak ON adBreak.id = ad.adBreak
            JOIN session ON session.id = adBreak.session JOIN host ON host.id = claim.host
        WHERE claim.superseded = 0
        UNION ALL
        SELECT session.key, ltrim(adBreak.name, '='), ltrim(ad.name, '='), event.type,
            strftime('%Y-%m-%dT%H:%M:%fZ', event.start / 1e6, 'unixepoch'), host.name, beacon.url,
            unsent.state, 0, NULL,
            strftime('%Y-%m-%dT%H:%M:%fZ', unsent.at / 1e6, 'unixepoch'), unsent.late / 1000, NULL, unsent.reason
        FROM unsent JOIN beacon ON beacon.id = unsent.beacon JOIN event ON event.id = beacon.event
            JOIN ad ON ad.id = unsent.ad JOIN adBreak ON adBreak.id = ad.adBreak
            JOIN session ON session.id = adBreak.session JOIN host ON host.id = unsent.host
        WHERE \(condition);
        """
    }

    private static let views = """
        CREATE VIEW hosts AS
        SELECT host.name AS host, count(*) AS due, sum(claim.state = 'acknowledged') AS acknowledged,
            sum(claim.state IN ('rejected', 'failed')) AS failed, sum(claim.state IS NULL) AS unknown
        FROM claim JOIN host ON host.id = claim.host WHERE claim.superseded = 0 GROUP BY host.id;

        CREATE VIEW timeline AS
        SELECT strftime('%Y-%m-%dT%H:%M:%fZ', at / 1e6, 'unixepoch') AS at, session.key AS session, kind, text
        FROM (
            SELECT at, run, 'log' AS kind, level || ' ' || message AS text FROM log
            UNION ALL SELECT at, run, 'poll', feed || ' ' || coalesce(status, '-') || ' '
                || coalesce(problem, changes, '') FROM poll WHERE coalesce(problem, changes) IS NOT NULL
            UNION ALL SELECT at, run, 'action', words FROM action
            UNION ALL SELECT at, run, 'finding', severity || ' ' || rule || ' ' || message FROM finding
        ) AS entry JOIN run ON run.id = entry.run JOIN session ON session.id = run.session ORDER BY entry.at;
        """
}
