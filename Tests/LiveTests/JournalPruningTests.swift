import Foundation
import GRDB
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Session

/// What is deleted from a journal, and what never is.
@Suite struct JournalPruningTests {
    private let folder: TemporaryFolder
    private let path: String
    private let now = SystemTimeSource().now().wall
    private static let day: Duration = .seconds(86_400)

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("j/journal.sqlite")
    }

    /// A journal that looks after its file with each write.
    private func file(_ change: (inout JournalFile.Settings) -> Void = { _ in }) -> JournalFile {
        var settings = JournalFile.Settings()
        settings.lookEvery = .zero
        settings.keptClaims = 1
        change(&settings)
        return JournalFile(path: path, settings: settings)
    }

    private func claim(_ number: Int, at: UnixTime) -> JournalClaim {
        let beacon = JournalBeacon(
            session: "s", breakName: "=b", adName: "=a", adStart: UnixTime(milliseconds: 1), type: "start",
            start: UnixTime(milliseconds: 1), url: "http://x/\(number)")
        return JournalClaim(number: number, beacon: beacon, round: 0, attempt: 1, at: at)
    }

    /// Writes until nothing is left to delete.
    private func settle(_ journal: SQLiteJournal, steps: Int = 12) async throws {
        for _ in 0..<steps { try await journal.writeNotes([JournalNote(at: now, .action("x"))]) }
    }

    private func open(_ file: JournalFile, _ keys: String...) async throws {
        for key in keys {
            let journal = file.session()
            _ = try await journal.open(SessionKey(key))
            await journal.close()
        }
    }

    private func values(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: sql) }
    }

    private func execute(_ sql: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        try DatabaseQueue(path: path, configuration: configuration).write { try $0.execute(sql: sql) }
    }

    private func count(_ table: String) throws -> Int { try values("SELECT id FROM \(table)").count }

    // MARK: Runs, sessions and processes

    /// Whatever started and ended long ago leaves nothing; what is recent, or has entries, stays.
    @Test func whatEndedLongAgoLeavesNoRow() async throws {
        let file = file()
        try await open(file, "gone", "gone", "recent", "killed", "claimed")
        let long = (now - Self.day * 40).microseconds
        try execute(
            """
            UPDATE process SET startedAt = \(long), endedAt = \(long) WHERE id <> (SELECT process FROM run
                JOIN session ON session.id = run.session WHERE key = 'recent');
            UPDATE run SET openedAt = \(long), closedAt = \(long) WHERE session <> (SELECT id FROM session
                WHERE key = 'recent');
            UPDATE session SET firstAt = \(long);
            UPDATE run SET closedAt = NULL WHERE session = (SELECT id FROM session WHERE key = 'killed');
            UPDATE process SET endedAt = NULL WHERE id = (SELECT process FROM run JOIN session
                ON session.id = run.session WHERE key = 'killed');
            INSERT INTO lease SELECT session, run.id, process FROM run JOIN session ON session.id = run.session
                WHERE key = 'killed';
            INSERT INTO log (run, at, level, message) SELECT run.id, \(now.microseconds), 'info', 'x' FROM run
                JOIN session ON session.id = run.session WHERE key = 'claimed';
            """)
        let journal = file.session()
        _ = try await journal.open(SessionKey("now"))
        try await settle(journal)
        #expect(try values("SELECT key FROM session ORDER BY key") == ["claimed", "now", "recent"])
        #expect(try count("run") == 3)
        #expect(try count("process") == 3)
        #expect(try values("SELECT session FROM lease").count == 1)
        await journal.close()
    }

    /// A cleaner removed the lock file of a process that runs, and all its entries are old: its row stays, or it could open no session again.
    @Test func aProcessThatRunsKeepsItsRow() async throws {
        let file = file()
        try await open(file, "old")
        let long = (now - Self.day * 40).microseconds
        // The first process of a machine always runs.
        try execute(
            """
            UPDATE process SET pid = 1, startedAt = \(long), endedAt = NULL;
            UPDATE run SET openedAt = \(long), closedAt = NULL; UPDATE session SET firstAt = \(long);
            """)
        let journal = file.session()
        _ = try await journal.open(SessionKey("now"))
        try await settle(journal)
        #expect(try values("SELECT key FROM session ORDER BY key") == ["now", "old"])
        #expect(try count("process") == 2)
        #expect(try count("run") == 2)
        await journal.close()
    }

    /// A session that is open has its row, its run and its lease, however long ago it was opened and whatever it wrote.
    @Test func anOpenSessionKeepsItsLease() async throws {
        let (first, second) = (file(), file())
        let (silent, busy) = (first.session(), second.session())
        _ = try await silent.open(SessionKey("s"))
        _ = try await busy.open(SessionKey("busy"))
        let long = (now - Self.day * 40).microseconds
        try execute(
            """
            UPDATE process SET startedAt = \(long); UPDATE run SET openedAt = \(long);
            UPDATE session SET firstAt = \(long);
            """)
        try await settle(busy)
        #expect(try values("SELECT key FROM session ORDER BY key") == ["busy", "s"])
        await #expect(throws: JournalProblem.self) { _ = try await second.session().open(SessionKey("s")) }
        try await silent.writeClaims([claim(1, at: now)])
        await silent.close()
        let next = second.session()
        #expect(try await next.open(SessionKey("s")).entries.count == 1)
        await next.close()
        await busy.close()
    }

    // MARK: Size

    /// Above the size the oldest notes of all kinds go, until the rest fits.
    @Test func noMoreNotesAreDeletedThanNeeded() async throws {
        let limited = file { $0.bytes = 600_000 }
        let journal = limited.session()
        _ = try await journal.open(SessionKey("s"))
        let words = String(repeating: "w", count: 100)
        let start = now - .seconds(3_600)
        try await journal.writeNotes(
            (0..<8_000).map { number in
                JournalNote(
                    at: start + .milliseconds(number), number % 2 == 0 ? .log(.info, words) : .action(words))
            })
        // The file has everything, and shrinks only when its log is carried over.
        await journal.close()
        #expect(FileSize.bytes(path) > 600_000)
        let next = limited.session()
        _ = try await next.open(SessionKey("next"))
        try await settle(next)
        let kept = try values("SELECT at FROM log UNION ALL SELECT at FROM action WHERE words <> 'x'").compactMap {
            Int64($0)
        }
        #expect(kept.count > 1_000 && kept.count < 7_001)
        // What was deleted is older than what was kept.
        #expect(kept.min() == (start + .milliseconds(8_000 - kept.count)).microseconds)
        await next.close()
    }

    // MARK: Claims from the future

    /// Claims of a start with a wrong clock, a year ahead, before claims of three days ago: above the size they go first.
    /// What was written in the last two days stays, whatever its date.
    @Test func claimsFromTheFutureDoNotKeepTheFileAboveItsSize() async throws {
        let limited = file { $0.bytes = 100_000 }
        let journal = limited.session()
        _ = try await journal.open(SessionKey("s"))
        let ahead = now + Self.day * 365
        try await journal.writeClaims((0..<3_000).map { claim($0, at: ahead) })
        try await journal.writeClaims((3_000..<3_002).map { claim($0, at: now - Self.day * 3) })
        try await journal.writeClaims((4_000..<4_100).map { claim($0, at: ahead) })
        try await journal.writeClaims((5_000..<5_100).map { claim($0, at: now) })
        // Closing carries everything over into the file whose size counts.
        await journal.close()
        let next = limited.session()
        _ = try await next.open(SessionKey("next"))
        for number in 5_100..<5_120 { try await next.writeClaims([claim(number, at: now)]) }
        await next.close()
        let urls = Set(try values("SELECT url FROM beacon"))
        #expect(urls == Set((4_000..<4_100).map { "http://x/\($0)" } + (5_000..<5_120).map { "http://x/\($0)" }))
        #expect(try count("claim") == 220)
        #expect(FileSize.bytes(path) < 250_000)
    }
}
