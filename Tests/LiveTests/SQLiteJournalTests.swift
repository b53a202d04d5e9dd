import Foundation
import GRDB
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Session

@Suite struct SQLiteJournalTests {
    private let folder: TemporaryFolder
    private let path: String
    private let key = SessionKey("http://h/live.m3u8 S1")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("j/journal.sqlite")
    }

    private func claim(_ number: Int, url: String = "http://x/1", at: Int64 = 2) -> JournalClaim {
        JournalSamples.claim(number, of: key, url: url, at: at, late: .milliseconds(300))
    }

    private func outcome(_ number: Int, _ state: String = "acknowledged") -> JournalOutcome {
        JournalOutcome(claim: number, state: state, status: 200, at: UnixTime(milliseconds: 40))
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("j")).sorted()
    }

    /// One value of a query, as any reader of the file gets it.
    private func value<Value: DatabaseValueConvertible & Sendable>(_ sql: String, _ type: Value.Type) throws -> Value? {
        try DatabaseQueue(path: path).read { try Value.fetchOne($0, sql: sql) }
    }

    @Test func keepsTheContract() async throws {
        let path = folder.file("contract/journal.sqlite")
        try await JournalContract { JournalFile(path: path).session() }.check()
    }

    /// All sessions of a process share the file.
    @Test func keepsTheContractInOneFile() async throws {
        let file = JournalFile(path: path)
        try await JournalContract { file.session() }.check()
    }

    /// A killed process does not close the journal: its file, copied while open, must contain every claim, and the
    /// lease ends.
    @Test func claimsAreInTheFileWhenWriteClaimsReturns() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims((1...500).map { claim($0, url: "http://x/\($0)") })
        try await journal.writeOutcomes([outcome(1)])
        try FileManager.default.copyItem(atPath: folder.file("j"), toPath: folder.file("crash"))
        await journal.close()
        let survivor = JournalFile(path: folder.file("crash/journal.sqlite")).session()
        let opening = try await survivor.open(key)
        #expect(opening.entries.count == 500)
        #expect(opening.entries.first?.outcome == "acknowledged")
        #expect(opening.entries.dropFirst().allSatisfy { $0.outcome == nil })
        await survivor.close()
    }

    @Test func manySessionsWriteAtOnce() async throws {
        let file = JournalFile(path: path)
        await withTaskGroup(of: Bool.self) { group in
            for session in 0..<50 {
                group.addTask {
                    let journal = file.session()
                    guard (try? await journal.open(SessionKey("s\(session)"))) != nil else { return false }
                    for number in 1...20 {
                        let beacon = JournalBeacon(
                            session: "s\(session)", breakName: "=b", adName: "=a", adStart: UnixTime(milliseconds: 1),
                            type: "start", start: UnixTime(milliseconds: 1), url: "http://x/\(number)")
                        let claim = JournalClaim(
                            number: number, beacon: beacon, round: 0, attempt: 1, at: UnixTime(milliseconds: 2))
                        guard (try? await journal.writeClaims([claim])) != nil else { return false }
                    }
                    await journal.close()
                    return true
                }
            }
            for await isDone in group { #expect(isDone) }
        }
        #expect(try value("SELECT count(*) FROM claim", Int.self) == 1_000)
        #expect(try value("SELECT count(*) FROM beacon", Int.self) == 1_000)
        #expect(try value("SELECT count(*) FROM lease", Int.self) == 0)
        #expect(try files() == ["journal.sqlite"])
    }

    @Test(arguments: [
        Data("this is not a database, however long it may be, and was one".utf8), Data(repeating: 0xFF, count: 8_192),
    ])
    func aDamagedFileIsMovedAside(content: Data) async throws {
        let first = JournalFile(path: path).session()
        _ = try await first.open(key)
        try await first.writeClaims([claim(1)])
        await first.close()
        try content.write(to: URL(fileURLWithPath: path))
        let second = JournalFile(path: path).session()
        let opening = try await second.open(key)
        #expect(opening.entries.isEmpty)
        #expect(opening.notice?.contains("was damaged, moved aside") == true)
        #expect(try files().contains("journal.sqlite.damaged-1"))
        try await second.writeClaims([claim(1)])
        await second.close()
    }

    @Test(arguments: ["journal.sqlite", "journal.sqlite-wal"])
    func aFileDeletedWhileOpenIsDetectedAndRebuilt(deleted: String) async throws {
        let file = JournalFile(path: path)
        let (journal, other) = (file.session(), file.session())
        _ = try await journal.open(key)
        _ = try await other.open(SessionKey("other"))
        try await journal.writeClaims([claim(1, url: "http://x/1")])
        try FileManager.default.removeItem(atPath: folder.file("j/" + deleted))
        let problem = await JournalSamples.problem { try await journal.writeClaims([claim(2, url: "http://x/2")]) }
        #expect(problem?.kind == .lost)
        #expect(problem?.message == "journal \(path): was deleted or replaced")
        let held = JournalHolding(
            entry: JournalEntry(beacon: claim(1).beacon, round: 0, attempt: 1, outcome: nil), claim: 1)
        let opening = try await journal.open(key, holding: [held])
        #expect(opening.entries.map(\.beacon.url) == ["http://x/1"])
        // Without its log the file is unusable; it is kept for inspection.
        #expect((opening.notice != nil) == (deleted == "journal.sqlite-wal"))
        try await journal.writeClaims([claim(2, url: "http://x/2")])
        try await journal.writeOutcomes([outcome(1)])
        // The other session learns of it with its own next write.
        let second = await JournalSamples.problem { try await other.writeClaims([claim(1)]) }
        #expect(second?.kind == .lost)
        _ = try await other.open(SessionKey("other"))
        await journal.close()
        await other.close()
        let next = JournalFile(path: path).session()
        #expect(try await next.open(key).entries.map(\.outcome) == ["acknowledged", nil])
        await next.close()
    }

    /// Garbage over the whole file while it is open is detected with a write, or by the next process.
    @Test func aFileDamagedWhileOpenDoesNotStopClaims() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1, url: "http://x/1")])
        for name in try files() where name.hasPrefix("journal.sqlite") && !name.contains("holder") {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("j/" + name)))
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 200_000))
            try handle.close()
        }
        let problem = await JournalSamples.problem { try await journal.writeClaims([claim(2, url: "http://x/2")]) }
        let held = JournalHolding(entry: JournalEntry(beacon: claim(1).beacon, round: 0, attempt: 1, outcome: nil))
        if let problem {
            #expect([.lost, .cannotWrite].contains(problem.kind), "\(problem.message)")
        }
        await journal.close()
        let next = JournalFile(path: path).session()
        let opening = try await next.open(key, holding: [held])
        #expect(opening.entries.contains { $0.beacon.url == "http://x/1" })
        try await next.writeClaims([claim(2, url: "http://x/2")])
        await next.close()
    }

    @Test func aFolderThatCannotBeCreatedIsReported() async throws {
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))
        let journal = JournalFile(path: folder.file("file/below/journal.sqlite")).session()
        let problem = await JournalSamples.problem { _ = try await journal.open(key) }
        #expect(problem?.kind == .cannotOpen)
        #expect(problem?.message.contains(folder.file("file")) == true)
    }

    @Test func whoHoldsASessionIsNamed() async throws {
        let first = JournalFile(path: path).session()
        _ = try await first.open(key)
        let second = JournalFile(path: path).session()
        let problem = await JournalSamples.problem { _ = try await second.open(key) }
        #expect(problem?.kind == .inUse)
        #expect(
            problem?.message.contains("another adtop (pid \(ProcessInfo.processInfo.processIdentifier) on ") == true)
        // Other sessions of the same file are free.
        _ = try await second.open(SessionKey("other"))
        await first.close()
        #expect(try await second.open(key) == JournalOpening())
        await second.close()
    }

    @Test func databasesOfOtherProgramsAreNotChanged() async throws {
        try folder.write("", to: "j/journal.sqlite")
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE theirs (x)") }
        let content = try Data(contentsOf: URL(fileURLWithPath: path))
        let problem = await JournalSamples.problem { _ = try await JournalFile(path: path).session().open(key) }
        #expect(problem?.message == "journal \(path): is a database of another program; name another file")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == content)
        #expect(try files() == ["journal.sqlite"])
        #expect(try value("SELECT group_concat(name) FROM sqlite_schema", String.self) == "theirs")
    }

    /// A disk that was full when a journal was made leaves the beginning of one.
    @Test func theBeginningOfAJournalIsContinued() async throws {
        try folder.write("", to: "j/journal.sqlite")
        try await DatabaseQueue(path: path).write {
            try $0.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        }
        let journal = JournalFile(path: path).session()
        #expect(try await journal.open(key) == JournalOpening())
        await journal.close()
        #expect(try value("PRAGMA application_id", Int.self) == JournalSchema.applicationID)
    }

    @Test func laterVersionsAreRejected() async throws {
        let first = JournalFile(path: path).session()
        _ = try await first.open(key)
        await first.close()
        try await DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 99") }
        let problem = await JournalSamples.problem { _ = try await JournalFile(path: path).session().open(key) }
        #expect(problem?.message.contains("was written by a later version of adtop") == true)
    }

    @Test func aFolderIsRejected() async throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let problem = await JournalSamples.problem { _ = try await JournalFile(path: path).session().open(key) }
        #expect(problem?.message == "journal \(path): is a folder; name a file")
    }

    @Test func onlyTheOwnerMayRead() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(SessionKey("http://host/secret?sessid=1"))
        try await journal.writeClaims([claim(1)])
        for name in try files() {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("j/" + name))
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
            #expect(!name.contains("secret"))
        }
        await journal.close()
    }

    /// Notes are for people. Only what must be the same at the next start is kept whole.
    @Test func notesHoldNoSecret() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        let address = "http://h/s.m3u8?api-key=S3CRET&token=S3CRET"
        func note(_ content: JournalNote.Content) -> JournalNote { JournalNote(at: UnixTime(milliseconds: 4), content) }
        try await journal.writeNotes([
            note(
                .session(
                    JournalNote.Session(
                        name: "s", mediaURL: address, manifestURL: address, metadataURL: address, provider: "dai",
                        mode: "fire", retry: nil))),
            note(
                .poll(
                    JournalNote.Poll(
                        feed: .metadata, status: 403, bytes: 0, took: .zero, changes: nil, problem: "\(address): 403"))),
            note(.finding(Finding(rule: "P01", severity: .error, message: "\(address) is gone"), source: .metadata)),
            note(.action("open \(address)")), note(.log(.info, "session \(address)")),
        ])
        await journal.close()
        let masked = "http://h/s.m3u8?api-key=***&token=***"
        let texts = try await DatabaseQueue(path: path).read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT mediaUrl FROM session UNION ALL SELECT manifestUrl FROM session
                    UNION ALL SELECT metadataUrl FROM session UNION ALL SELECT problem FROM poll
                    UNION ALL SELECT message FROM finding UNION ALL SELECT words FROM action
                    UNION ALL SELECT message FROM log
                    """)
        }
        #expect(
            texts == [
                masked, masked, masked, "\(masked): 403", "\(masked) is gone", "open \(masked)", "session \(masked)",
            ])
    }

    @Test func viewsAreForPeople() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1, url: "http://ads.x:8080/1"), claim(2, url: "http://ads.x:8080/2")])
        try await journal.writeOutcomes([outcome(1)])
        let observed = JournalNote.Unsent(
            beacon: claim(3, url: "http://user@other.x/3").beacon, state: "observed", reason: nil,
            late: .milliseconds(20))
        try await journal.writeNotes([
            JournalNote(at: UnixTime(milliseconds: 5), .unsent(observed)),
            JournalNote(at: UnixTime(milliseconds: 6), .log(.info, "hello")),
            JournalNote(at: UnixTime(milliseconds: 4), .action("mute")),
        ])
        await journal.close()
        let beacons = try await DatabaseQueue(path: path).read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM beacons").map { row in
                ["break", "ad", "event", "due", "host", "state", "lateMs", "tookMs"].map {
                    "\(row[$0] ?? "-" as (any DatabaseValueConvertible))"
                }
            }
        }
        #expect(
            beacons == [
                ["b", "a", "start", "1970-01-01T00:00:00.001Z", "ads.x:8080", "acknowledged", "300", "38"],
                ["b", "a", "start", "1970-01-01T00:00:00.001Z", "ads.x:8080", "unknown", "300", "-"],
                ["b", "a", "start", "1970-01-01T00:00:00.001Z", "other.x", "observed", "20", "-"],
            ])
        #expect(
            try value("SELECT group_concat(kind || ' ' || text, '; ') FROM timeline", String.self)
                == "action mute; log info hello")
        #expect(try value("SELECT due || ' ' || acknowledged || ' ' || unknown FROM hosts", String.self) == "2 1 1")
    }

    @Test func oldEntriesAreDeletedAndNewOnesKept() async throws {
        var settings = JournalFile.Settings()
        settings.age = .seconds(3_600)
        settings.keptClaims = 1
        settings.lookEvery = .zero
        let now = SystemTimeSource().now().wall
        let journal = JournalFile(path: path, settings: settings).session()
        _ = try await journal.open(key)
        try await journal.writeClaims([claim(1, url: "http://x/old")])
        var new = claim(2, url: "http://x/new")
        new.at = now
        try await journal.writeClaims([new])
        try await journal.writeNotes([
            JournalNote(at: UnixTime(milliseconds: 2), .log(.info, "old")), JournalNote(at: now, .log(.info, "new")),
        ])
        // Each write is followed by a small step of upkeep.
        for _ in 0..<6 { try await journal.writeNotes([JournalNote(at: now, .action("x"))]) }
        await journal.close()
        #expect(try value("SELECT group_concat(url) FROM beacon", String.self) == "http://x/new")
        #expect(try value("SELECT group_concat(message) FROM log", String.self) == "new")
        let next = JournalFile(path: path).session()
        #expect(try await next.open(key).entries.map(\.beacon.url) == ["http://x/new"])
        await next.close()
    }

    /// A start with a wrong clock leaves entries from the future before all others.
    @Test func entriesFromTheFutureDoNotKeepOldOnes() async throws {
        var settings = JournalFile.Settings()
        settings.age = .seconds(3_600)
        settings.keptClaims = 1
        settings.lookEvery = .zero
        let now = SystemTimeSource().now().wall
        let journal = JournalFile(path: path, settings: settings).session()
        _ = try await journal.open(key)
        let future = (0..<1_200).map { number in
            var early = claim(number + 1, url: "http://x/future/\(number)")
            early.at = now + .seconds(400 * 86_400)
            return early
        }
        try await journal.writeClaims(future)
        try await journal.writeNotes(
            (0..<1_200).map { _ in JournalNote(at: now + .seconds(400 * 86_400), .log(.info, "future")) })
        try await journal.writeClaims([claim(2_001, url: "http://x/old")])
        try await journal.writeNotes([JournalNote(at: UnixTime(milliseconds: 2), .log(.info, "old"))])
        var new = claim(2_002, url: "http://x/new")
        new.at = now
        try await journal.writeClaims([new])
        for _ in 0..<6 { try await journal.writeNotes([JournalNote(at: now, .action("x"))]) }
        await journal.close()
        #expect(try value("SELECT count(*) FROM beacon WHERE url = 'http://x/old'", Int.self) == 0)
        #expect(try value("SELECT count(*) FROM beacon WHERE url = 'http://x/new'", Int.self) == 1)
        #expect(try value("SELECT count(*) FROM log WHERE message = 'old'", Int.self) == 0)
    }

    /// Another program's connection, which may leave a transaction open.
    private func lockable() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        // The journal may be looking after its file.
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// A backup, or a person with `sqlite3`, has locked the file: what is due waits for it.
    @Test func aClaimWaitsForAProgramThatHasLockedTheFile() async throws {
        var settings = JournalFile.Settings()
        settings.busyTimeout = .milliseconds(20)
        settings.lockPatience = .seconds(30)
        let journal = JournalFile(path: path, settings: settings).session()
        _ = try await journal.open(key)
        let other = try lockable()
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let claim = claim(1, url: "http://x/1")
        async let written = journal.writeClaims([claim])
        // Several attempts have failed by then.
        let clock = ContinuousClock()
        let begin = clock.now
        while clock.now - begin < .milliseconds(200) { await Task.yield() }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        _ = try await written
        await journal.close()
        try other.close()
        let next = JournalFile(path: path).session()
        #expect(try await next.open(key).entries.map(\.beacon.url) == ["http://x/1"])
        await next.close()
    }

    @Test func aClaimDoesNotWaitForEver() async throws {
        var settings = JournalFile.Settings()
        settings.busyTimeout = .milliseconds(20)
        settings.lockPatience = .milliseconds(100)
        let journal = JournalFile(path: path, settings: settings).session()
        _ = try await journal.open(key)
        let other = try lockable()
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let claim = claim(1, url: "http://x/1")
        let write = await JournalSamples.problem { try await journal.writeClaims([claim]) }
        #expect(write?.kind == .cannotWrite)
        let opening = await JournalSamples.problem {
            _ = try await JournalFile(path: path, settings: settings).session().open(key)
        }
        #expect(opening?.kind == .busy)
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try other.close()
        await journal.close()
    }

    @Test func notesGoBeforeBeaconsWhereThereIsTooMuch() async throws {
        var settings = JournalFile.Settings()
        settings.bytes = 200_000
        settings.lookEvery = .zero
        let now = SystemTimeSource().now().wall
        let journal = JournalFile(path: path, settings: settings).session()
        _ = try await journal.open(key)
        let text = String(repeating: "x", count: 400)
        for round in 0..<20 {
            var recent = claim(round + 1, url: "http://x/\(round)")
            recent.at = now
            try await journal.writeClaims([recent])
            try await journal.writeNotes((0..<500).map { _ in JournalNote(at: now, .log(.info, text)) })
        }
        await journal.close()
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        // Ten thousand lines would be over four million bytes.
        #expect(size < 3_000_000)
        #expect(try value("SELECT count(*) FROM beacon", Int.self) == 20)
    }

    /// A month has a million claims: opening reads those that can still matter, and says from when on.
    @Test func aLongSessionIsReadFromItsEnd() async throws {
        let journal = JournalFile(path: path).session()
        _ = try await journal.open(key)
        let count = JournalRows.eventsRead + 2_000
        func due(_ number: Int) -> UnixTime { UnixTime(milliseconds: 1_800_000_000_000 + Int64(number) * 4_000) }
        func claim(_ number: Int, of adBreak: String, start: UnixTime) -> JournalClaim {
            let beacon = JournalBeacon(
                session: key.text, breakName: adBreak, adName: "=a", adStart: start, type: "start", start: start,
                url: "http://x/\(number)")
            return JournalClaim(number: number, beacon: beacon, round: 0, attempt: 1, at: start)
        }
        try await journal.writeClaims((1...count).map { claim($0, of: "=b\($0 / 10)", start: due($0)) })
        try await journal.writeClaims([claim(count + 1, of: "=notice", start: UnixTime(milliseconds: 0))])
        await journal.close()
        let opening = try await JournalFile(path: path).session().open(key)
        let first = try #require(opening.completeFrom)
        #expect(first == due(count - JournalRows.eventsRead))
        let read = Set(opening.entries.map(\.beacon.start))
        #expect(read == Set((count - JournalRows.eventsRead...count).map(due) + [UnixTime(milliseconds: 0)]))
    }
}
