import GRDB

/// The tables of a journal. Rows are only ever added.
enum JournalSchema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: runs, beacons, claims, outcomes") { database in
            try database.execute(
                sql: """
                    -- One row each time the session was opened. Times are microseconds since the Unix epoch.
                    CREATE TABLE run (id INTEGER PRIMARY KEY, session TEXT NOT NULL, openedAt INTEGER NOT NULL);
                    -- Identity of a beacon; digest is a hash over all of it, because URLs are too long for an index.
                    CREATE TABLE beacon (
                        id INTEGER PRIMARY KEY, digest INTEGER NOT NULL, session TEXT NOT NULL, breakName TEXT NOT NULL,
                        adName TEXT NOT NULL, adStart INTEGER NOT NULL, type TEXT NOT NULL, start INTEGER NOT NULL,
                        url TEXT NOT NULL);
                    CREATE INDEX beaconDigest ON beacon (digest);
                    -- Written and flushed before the beacon is sent.
                    CREATE TABLE claim (
                        id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, number INTEGER NOT NULL,
                        beacon INTEGER NOT NULL REFERENCES beacon, round INTEGER NOT NULL, attempt INTEGER NOT NULL,
                        at INTEGER NOT NULL, UNIQUE (run, number));
                    CREATE INDEX claimBeacon ON claim (beacon);
                    -- A claim without an outcome was perhaps sent, perhaps not.
                    CREATE TABLE outcome (
                        claim INTEGER PRIMARY KEY REFERENCES claim, state TEXT NOT NULL, status INTEGER,
                        at INTEGER NOT NULL);
                    """)
        }
        return migrator
    }()
}
