import Foundation
import GRDB
import Monitoring
import Ports
import Session
import TestSupport
import Testing

@testable import Live

/// Journals with one file per session, as versions before 0.2 wrote them.
@Suite struct EarlierJournalTests {
    private let folder: TemporaryFolder
    private let key = SessionKey("http://127.0.0.1:8080 S1")

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.file("journals"), withIntermediateDirectories: true)
    }

    /// The file name in the earlier version.
    private func fileName() -> String {
        var hash = StableHash()
        hash.add(key.text)
        return "journals/" + String(hash.value, radix: 16) + ".sqlite"
    }

    private func makeEarlier() throws {
        let queue = try DatabaseQueue(path: folder.file(fileName()))
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE run (id INTEGER PRIMARY KEY, session TEXT NOT NULL, openedAt INTEGER NOT NULL);
                    CREATE TABLE beacon (
                        id INTEGER PRIMARY KEY, digest INTEGER NOT NULL, session TEXT NOT NULL, breakName TEXT NOT NULL,
                        adName TEXT NOT NULL, adStart INTEGER NOT NULL, type TEXT NOT NULL, start INTEGER NOT NULL,
                        url TEXT NOT NULL);
                    CREATE TABLE claim (
                        id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run, number INTEGER NOT NULL,
                        beacon INTEGER NOT NULL REFERENCES beacon, round INTEGER NOT NULL, attempt INTEGER NOT NULL,
                        at INTEGER NOT NULL, UNIQUE (run, number));
                    CREATE TABLE outcome (
                        claim INTEGER PRIMARY KEY REFERENCES claim, state TEXT NOT NULL, status INTEGER,
                        at INTEGER NOT NULL);
                    INSERT INTO run VALUES (1, '\(key.text)', 5);
                    INSERT INTO beacon VALUES (1, 11, '\(key.text)', '=b', '=a', 7, 'start', 8, 'http://x/done');
                    INSERT INTO beacon VALUES (2, 12, '\(key.text)', '=b', '5000000:2', 7, 'midpoint', 9, 'http://x/open');
                    INSERT INTO claim VALUES (1, 1, 1, 1, 0, 1, 100);
                    INSERT INTO claim VALUES (2, 1, 2, 1, 0, 2, 101);
                    INSERT INTO claim VALUES (3, 1, 3, 2, 0, 1, 102);
                    INSERT INTO outcome VALUES (1, 'failed', 500, 110);
                    INSERT INTO outcome VALUES (2, 'acknowledged', 200, 111);
                    """)
        }
        try queue.close()
    }

    private func file() -> JournalFile {
        var settings = JournalFile.Settings()
        settings.earlierFolder = folder.file("journals")
        return JournalFile(path: folder.file("journal.sqlite"), settings: settings)
    }

    /// The address of a stream is spelled otherwise now than in the journals of earlier versions.
    @Test func isFoundUnderItsEarlierName() async throws {
        try makeEarlier()
        let spelled = SessionKey("http://h/live.m3u8", earlier: key.text)
        let journal = file().session()
        #expect(try await journal.open(spelled).entries.map(\.beacon.session) == [spelled.text, spelled.text])
        await journal.close()
        // And so is a session in the journal of all.
        let next = SessionKey("http://h/other.m3u8", earlier: spelled.text)
        #expect(try await journal.open(next).entries.map(\.beacon.url) == ["http://x/done", "http://x/open"])
        await journal.close()
        #expect(try await journal.open(SessionKey(next.text)).entries.count == 2)
        await journal.close()
    }

    @Test func isImportedOnceWithEveryOutcome() async throws {
        try makeEarlier()
        let first = file().session()
        let opening = try await first.open(key)
        #expect(opening.entries.map(\.beacon.url) == ["http://x/done", "http://x/open"])
        #expect(opening.entries.map(\.outcome) == ["acknowledged", nil])
        #expect(opening.entries.map(\.attempt) == [2, 1])
        #expect(opening.entries.last?.beacon.adName == "5000000:2")
        await first.close()
        #expect(!FileManager.default.fileExists(atPath: folder.file(fileName())))
        #expect(FileManager.default.fileExists(atPath: folder.file(fileName() + ".taken")))
        let second = file().session()
        #expect(try await second.open(key).entries == opening.entries)
        await second.close()
    }

    /// The process ended between the import and its confirmation.
    @Test func takingItInAgainChangesNothing() async throws {
        try makeEarlier()
        let first = file().session()
        let opening = try await first.open(key)
        await first.close()
        try FileManager.default.moveItem(
            atPath: folder.file(fileName() + ".taken"), toPath: folder.file(fileName()))
        let second = file().session()
        #expect(try await second.open(key).entries == opening.entries)
        await second.close()
    }

    @Test func otherSessionsDoNotAffectIt() async throws {
        try makeEarlier()
        let journal = file().session()
        #expect(try await journal.open(SessionKey("other")).entries.isEmpty)
        #expect(FileManager.default.fileExists(atPath: folder.file(fileName())))
        await journal.close()
    }

    @Test func anEarlierVersionThatStillRunsIsNotDoubled() async throws {
        try makeEarlier()
        guard let lock = try FileLock(path: folder.file(fileName()) + ".lock") else {
            Issue.record("the lock is not held")
            return
        }
        do throws(JournalProblem) {
            _ = try await file().session().open(key)
            Issue.record("opened a session that an earlier version has open")
        } catch {
            #expect(error.kind == .inUse)
            #expect(error.message.contains("an adtop of an earlier version has this session open"))
        }
        lock.held {}
    }

    /// What its session sent is unknown, as with a damaged journal; other sessions had files of their own.
    @Test func oneThatCannotBeReadIsDamaged() async throws {
        try folder.write("no database at all, but something else", to: fileName())
        for _ in 0..<2 {
            let journal = file().session()
            let opening = try await journal.open(key)
            #expect(opening.entries.isEmpty && opening.damagedFile == folder.file(fileName()))
            await journal.close()
        }
        let other = file().session()
        #expect(try await other.open(SessionKey("other")).damagedFile == nil)
        await other.close()
        try FileManager.default.removeItem(atPath: folder.file(fileName()))
        let accepted = file().session()
        #expect(try await accepted.open(key).damagedFile == nil)
        await accepted.close()
    }

    /// Pages in the middle of the file are overwritten: the header is that of a database.
    @Test func damageBehindTheHeaderIsDamage() async throws {
        try makeEarlier()
        let path = folder.file(fileName())
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        for index in 100..<bytes.count { bytes[index] = 0xA5 }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let journal = file().session()
        #expect(try await journal.open(key).damagedFile == path)
        await journal.close()
    }

    /// Behind the retention nothing is due again that it could have sent.
    @Test func anOldDamagedOneCountsAsNone() async throws {
        try folder.write("no database at all, but something else", to: fileName())
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -86_400 * 40)], ofItemAtPath: folder.file(fileName()))
        let journal = file().session()
        #expect(try await journal.open(key).damagedFile == nil)
        await journal.close()
    }

    /// A process that ended before it made its tables has sent nothing.
    @Test func anEmptyFileIsNoDamage() async throws {
        try folder.write("", to: fileName())
        let journal = file().session()
        let opening = try await journal.open(key)
        #expect(opening.entries.isEmpty && opening.damagedFile == nil)
        await journal.close()
    }
}
