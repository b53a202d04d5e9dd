import Foundation
import GRDB
import Monitoring
import Ports
import TestSupport
import Testing

@testable import Live
@testable import Session

/// Who may claim in a session: one process, and it notices when it is not the one any more.
@Suite struct JournalLeaseTests {
    private let folder: TemporaryFolder
    private let path: String
    private let key = SessionKey("http://h/live.m3u8 S1")

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("j/journal.sqlite")
    }

    private func claim(_ number: Int, url: String = "http://x/1") -> JournalClaim {
        JournalSamples.claim(number, of: key, url: url)
    }

    private func outcome(_ number: Int) -> JournalOutcome {
        JournalOutcome(claim: number, state: "acknowledged", status: 200, at: UnixTime(milliseconds: 40))
    }

    /// What a cleaner of temporary files does.
    private func removeLockFiles() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("j"))
        let locks = names.filter { $0.contains("-holder-") }
        #expect(!locks.isEmpty)
        for name in locks { try FileManager.default.removeItem(atPath: folder.file("j/" + name)) }
    }

    /// A session that another process has is asked for once a second: that writes nothing.
    @Test func askingForASessionInUseWritesNothing() async throws {
        let (first, second) = (JournalFile(path: path).session(), JournalFile(path: path).session())
        _ = try await first.open(key)
        #expect(await JournalSamples.problem { _ = try await second.open(key) }?.kind == .inUse)
        // Upkeep may write at this moment.
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        // Each transaction that takes a session updates the row of its process.
        try await queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE touched (process);
                    CREATE TRIGGER touching AFTER UPDATE ON process BEGIN INSERT INTO touched VALUES (old.id); END
                    """)
        }
        func touched() async throws -> Int? {
            try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM touched") }
        }
        for _ in 0..<3 { #expect(await JournalSamples.problem { _ = try await second.open(key) }?.kind == .inUse) }
        #expect(try await touched() == 0)
        await first.close()
        _ = try await second.open(key)
        #expect(try await touched() ?? 0 > 0)
        await second.close()
    }

    /// Without its lock file a process counts as ended: it must notice that another one has its session.
    @Test func aSessionThatAnotherProcessTookClaimsNothing() async throws {
        let first = JournalFile(path: path).session()
        _ = try await first.open(key)
        try await first.writeClaims([claim(1, url: "http://x/1")])
        try removeLockFiles()
        let second = JournalFile(path: path).session()
        #expect(try await second.open(key).entries.map(\.beacon.url) == ["http://x/1"])
        let write = await JournalSamples.problem { try await first.writeClaims([claim(2, url: "http://x/2")]) }
        #expect(write?.kind == .inUse)
        #expect(write?.message.contains("another adtop (pid \(ProcessInfo.processInfo.processIdentifier) on ") == true)
        // What became of a beacon that left before is true whoever has the session.
        try await first.writeOutcomes([outcome(1)])
        #expect(await JournalSamples.problem { _ = try await first.open(key) }?.kind == .inUse)
        try await second.writeClaims([claim(1, url: "http://x/2")])
        await second.close()
        let opening = try await first.open(key)
        #expect(opening.entries.map(\.beacon.url) == ["http://x/1", "http://x/2"])
        #expect(opening.entries.map(\.outcome) == ["acknowledged", nil])
        try await first.writeClaims([claim(3, url: "http://x/3")])
        await first.close()
    }

    /// The other process has ended by then, but what it sent is not known here.
    @Test func aSessionThatAnotherProcessHadIsOpenedAgain() async throws {
        let first = JournalFile(path: path).session()
        _ = try await first.open(key)
        try removeLockFiles()
        let second = JournalFile(path: path).session()
        _ = try await second.open(key)
        try await second.writeClaims([claim(1, url: "http://x/1")])
        await second.close()
        let write = await JournalSamples.problem { try await first.writeClaims([claim(1, url: "http://x/1")]) }
        #expect(write?.kind == .inUse)
        #expect(write?.message == "journal \(path): another adtop had this session open meanwhile")
        #expect(try await first.open(key).entries.map(\.beacon.url) == ["http://x/1"])
        await first.close()
    }

    /// Claims of several sessions share a transaction: one that is lost does not stop the others.
    @Test func otherSessionsOfTheFileContinue() async throws {
        let file = JournalFile(path: path)
        let (lost, kept) = (file.session(), file.session())
        _ = try await lost.open(key)
        _ = try await kept.open(SessionKey("kept"))
        try removeLockFiles()
        let second = JournalFile(path: path).session()
        _ = try await second.open(key)
        async let write = JournalSamples.problem { try await lost.writeClaims([claim(1)]) }
        async let other = JournalSamples.problem { try await kept.writeClaims([claim(1)]) }
        #expect(await write?.kind == .inUse)
        #expect(await other == nil)
        await second.close()
        await lost.close()
        await kept.close()
    }

    /// The next session that is opened makes the lock file again.
    @Test func aRemovedLockFileIsMadeAgain() async throws {
        let file = JournalFile(path: path)
        let (first, next) = (file.session(), file.session())
        _ = try await first.open(key)
        try removeLockFiles()
        _ = try await next.open(SessionKey("next"))
        let second = JournalFile(path: path).session()
        #expect(await JournalSamples.problem { _ = try await second.open(key) }?.kind == .inUse)
        try await first.writeClaims([claim(1)])
        await first.close()
        await next.close()
    }

    /// A journal that could not be written for a while, as on a full disk: the lease that was not given back is this process's own.
    @Test func aSessionThatCouldNotBeClosedIsOpenedAgain() async throws {
        var settings = JournalFile.Settings()
        settings.busyTimeout = .milliseconds(20)
        settings.lockPatience = .milliseconds(100)
        let file = JournalFile(path: path, settings: settings)
        let (journal, other) = (file.session(), file.session())
        _ = try await journal.open(key)
        // It keeps the connection open, and with it the lock file and this process's row.
        _ = try await other.open(SessionKey("other"))
        try await journal.writeClaims([claim(1, url: "http://x/1")])
        let lock = try lockable()
        try await lock.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect(
            await JournalSamples.problem { try await journal.writeClaims([claim(2, url: "http://x/2")]) }?.kind
                == .cannotWrite)
        #expect(await JournalSamples.problem { _ = try await journal.open(key) }?.kind == .unread)
        try await lock.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try await journal.open(key).entries.map(\.beacon.url) == ["http://x/1"])
        try await journal.writeClaims([claim(2, url: "http://x/2")])
        let runs = try await lock.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM run WHERE closedAt IS NULL") }
        #expect(runs == 2)
        try lock.close()
        // Two of one process still cannot share a session.
        let twin = file.session()
        let refusal = await JournalSamples.problem { _ = try await twin.open(key) }
        #expect(refusal?.message == "journal \(path): this adtop already has this session open")
        await journal.close()
        await other.close()
    }

    /// A session that ended meanwhile is free for other processes as soon as this one can write again.
    @Test func aSessionThatCouldNotBeClosedIsFreeLater() async throws {
        var settings = JournalFile.Settings()
        settings.busyTimeout = .milliseconds(20)
        settings.lockPatience = .milliseconds(100)
        let file = JournalFile(path: path, settings: settings)
        let (journal, other, next) = (file.session(), file.session(), file.session())
        _ = try await journal.open(key)
        _ = try await other.open(SessionKey("other"))
        let lock = try lockable()
        try await lock.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        await journal.close()
        try await lock.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try lock.close()
        let second = JournalFile(path: path).session()
        #expect(await JournalSamples.problem { _ = try await second.open(key) }?.kind == .inUse)
        _ = try await next.open(SessionKey("next"))
        #expect(try await second.open(key).entries.isEmpty)
        await second.close()
        await next.close()
        await other.close()
    }

    /// Another program's connection, which may leave a transaction open.
    private func lockable() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        // The journal may be looking after its file.
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
