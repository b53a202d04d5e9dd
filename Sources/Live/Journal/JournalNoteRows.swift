import GRDB
import Ports
import Session

/// Notes as rows. They are for people, and what grants access or identifies a viewer is masked in them as in the log file.
enum JournalNoteRows {
    static func insert(_ note: JournalNote, run: JournalRun, in database: Database) throws {
        let at = note.at.microseconds
        switch note.content {
        case .session(let session): try update(session, run: run, in: database)
        case .adBreak(let adBreak): try update(adBreak, run: run, at: note.at, in: database)
        case .ad(let ad): try update(ad, run: run, at: note.at, in: database)
        case .unsent(let beacon): try insert(beacon, run: run, at: note.at, in: database)
        case .poll(let poll):
            try execute(
                "INSERT INTO poll (run, at, feed, status, bytes, took, changes, problem) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    run.id, at, poll.feed.rawValue, poll.status, poll.bytes, poll.took.inMicroseconds, poll.changes,
                    poll.problem.map(Redaction.text),
                ], in: database)
        case .finding(let finding, let source):
            try execute(
                """
                INSERT INTO finding (run, at, rule, severity, source, message, path, line)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    run.id, at, finding.rule, finding.severity.rawValue, "\(source)", Redaction.text(finding.message),
                    finding.path.map(Redaction.text), finding.line,
                ], in: database)
        case .action(let words):
            try execute(
                "INSERT INTO action (run, at, words) VALUES (?, ?, ?)", [run.id, at, Redaction.text(words)],
                in: database)
        case .log(let level, let message):
            try execute(
                "INSERT INTO log (run, at, level, message) VALUES (?, ?, ?, ?)",
                [run.id, at, level.rawValue, Redaction.text(message)], in: database)
        }
    }

    private static func update(_ session: JournalNote.Session, run: JournalRun, in database: Database) throws {
        try execute(
            """
            UPDATE session SET name = ?, mediaUrl = ?, manifestUrl = ?, metadataUrl = ?, provider = ?, mode = ?,
                retry = ?, serviceMode = ?
            WHERE id = ?
            """,
            [
                session.name, Redaction.url(session.mediaURL), session.manifestURL.map(Redaction.url),
                session.metadataURL.map(Redaction.url), session.provider, session.mode, session.retry,
                session.serviceMode, run.session,
            ], in: database)
    }

    private static func update(
        _ adBreak: JournalNote.Break, run: JournalRun, at: UnixTime, in database: Database
    ) throws {
        let row = try JournalPlaces.adBreak(adBreak.name, of: run, at: at, in: database)
        try execute(
            "UPDATE adBreak SET start = ?, duration = ?, source = ?, vanished = ?, lastAt = ? WHERE id = ?",
            [
                adBreak.start.microseconds, adBreak.duration.inMicroseconds, adBreak.source, adBreak.hasVanished,
                at.microseconds, row,
            ], in: database)
    }

    private static func update(_ ad: JournalNote.Ad, run: JournalRun, at: UnixTime, in database: Database) throws {
        let adBreak = try JournalPlaces.adBreak(ad.breakName, of: run, at: at, in: database)
        let row = try JournalPlaces.ad(ad.name, firstStart: ad.firstStart, of: adBreak, in: database)
        try execute(
            "UPDATE ad SET start = ?, duration = ?, vanished = ? WHERE id = ?",
            [ad.start.microseconds, ad.duration.inMicroseconds, ad.hasVanished, row], in: database)
        for event in ad.events {
            let known = try JournalPlaces.event(event.type, start: event.start, of: row, in: database)
            try execute(
                "UPDATE event SET urls = ? WHERE id = ? AND urls IS NOT ?", [event.urlCount, known, event.urlCount],
                in: database)
        }
    }

    private static func insert(
        _ beacon: JournalNote.Unsent, run: JournalRun, at: UnixTime, in database: Database
    ) throws {
        let place = try JournalPlaces.beacon(beacon.beacon, of: run, at: at, in: database)
        try execute(
            "INSERT INTO unsent (beacon, ad, host, run, at, late, state, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                place.beacon, place.ad, place.host, run.id, at.microseconds, beacon.late?.inMicroseconds, beacon.state,
                beacon.reason,
            ], in: database)
    }

    private static func execute(_ sql: String, _ arguments: StatementArguments, in database: Database) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
